//! What can happen, and what an event about it looks like: one JSON Schema per type, made from the shapes that
//! events carry, so that it cannot say anything else than they do.

use std::collections::BTreeMap;

use lyceum_domain::Words;
use lyceum_domain::identity::actors::ActorKind;
use lyceum_domain::notifying::events::EventType;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::authoring::activities::ActivityView;
use crate::authoring::assignments::AssignmentView;
use crate::authoring::courses::CourseView;
use crate::authoring::lessons::LessonView;
use crate::authoring::media::MediaFileView;
use crate::authoring::units::UnitView;
use crate::common::{FreeObject, Resource};
use crate::drafting::generations::GenerationView;
use crate::exporting::scorm::ScormPackageView;
use crate::grading::batches::BatchView;
use crate::grading::certificates::CertificateView;
use crate::grading::submissions::SubmissionView;
use crate::identity::keys::ApiKeyView;
use crate::identity::users::UserView;
use crate::learning::cohorts::CohortView;
use crate::learning::enrollments::EnrollmentView;
use crate::learning::progress::LessonCompletionView;
use crate::notifying::webhooks::WebhookEndpointView;
use crate::running::personal_data::UserErasureView;
use crate::shapes;

/// The dialect of the schemas.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Where schemas of the API's document refer to each other. Those of the catalogue do not: whoever reads one inside
/// another document, as in an example of the API's, would look for what it refers to in there.
const COMPONENTS: &str = "#/components/schemas/";
/// The day on which the catalogue was published. A type has no life of its own: it comes with the service, and its
/// schema only grows.
const PUBLISHED_AT: &str = "2026-11-21T00:00:00.000Z";

/// A type of event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventTypeView {
    /// Its name, such as `submission.graded`.
    pub id: String,
    /// Always `event_type`.
    pub object: String,
    /// Its name once more, as events carry it.
    #[serde(rename = "type")]
    pub kind: String,
    /// What happened, in a sentence.
    pub description: String,
    /// JSON Schema (2020-12) of a whole event of this type; refers to nothing outside itself.
    pub schema: FreeObject,
    /// When the catalogue was published.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// The same: what there is does not change.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl EventTypeView {
    /// Of a type.
    ///
    /// # Errors
    /// If its schema cannot be written as JSON.
    pub fn new(kind: EventType) -> Result<Self, serde_json::Error> {
        Ok(Self {
            id: kind.as_str().to_owned(),
            object: "event_type".to_owned(),
            kind: kind.as_str().to_owned(),
            description: kind.meaning().to_owned(),
            schema: serde_json::from_value(schema(kind)?)?,
            created_at: PUBLISHED_AT.to_owned(),
            updated_at: PUBLISHED_AT.to_owned(),
        })
    }
}

impl Resource for EventTypeView {
    const COLLECTION: &'static str = "event_types";

    fn id(&self) -> &str {
        &self.id
    }
}

/// A shape by its name, and every shape that it is made of.
pub struct Shape {
    /// Its name among the parts.
    pub name: String,
    /// Itself and what it refers to, by name.
    pub parts: BTreeMap<String, RefOr<Schema>>,
}

fn shape<T: ToSchema>() -> Shape {
    let name = T::name().into_owned();
    let mut referred = Vec::new();
    T::schemas(&mut referred);
    let mut parts: BTreeMap<String, RefOr<Schema>> = referred.into_iter().collect();
    parts.insert(name.clone(), T::schema());
    Shape { name, parts }
}

/// What an event of a type shows in `data.object`.
pub fn object_of(kind: EventType) -> Shape {
    match kind {
        EventType::SubmissionGraded
        | EventType::SubmissionCreated
        | EventType::SubmissionSubmitted
        | EventType::SubmissionGradingFailed
        | EventType::SubmissionReviewed
        | EventType::SubmissionReopened
        | EventType::SubmissionUpdated
        | EventType::SubmissionExplained
        | EventType::SubmissionReturned
        | EventType::SubmissionReleased
        | EventType::SubmissionDeleted
        | EventType::SubmissionRestored => shape::<SubmissionView>(),
        EventType::CertificateDrawn
        | EventType::CertificateIssued
        | EventType::CertificateRefused
        | EventType::CertificatePaused
        | EventType::CertificateRevoked
        | EventType::CertificateEnded => shape::<CertificateView>(),
        EventType::BatchProgressed
        | EventType::BatchReady
        | EventType::BatchCompleted
        | EventType::BatchCommitted
        | EventType::BatchUndone
        | EventType::BatchStopped => shape::<BatchView>(),
        EventType::CourseCreated
        | EventType::CourseUpdated
        | EventType::CoursePublished
        | EventType::CourseArchived
        | EventType::CourseDeleted
        | EventType::CourseRestored => shape::<CourseView>(),
        EventType::CohortCreated
        | EventType::CohortUpdated
        | EventType::CohortContentUpdated
        | EventType::CohortStarted
        | EventType::CohortCompleted
        | EventType::CohortArchived
        | EventType::CohortDeleted
        | EventType::CohortRestored => shape::<CohortView>(),
        EventType::UnitCreated
        | EventType::UnitUpdated
        | EventType::UnitDeleted
        | EventType::UnitRestored => shape::<UnitView>(),
        EventType::LessonCreated
        | EventType::LessonUpdated
        | EventType::LessonDeleted
        | EventType::LessonRestored => shape::<LessonView>(),
        EventType::LessonCompleted => shape::<LessonCompletionView>(),
        EventType::ActivityCreated
        | EventType::ActivityUpdated
        | EventType::ActivityDeleted
        | EventType::ActivityRestored => shape::<ActivityView>(),
        EventType::AssignmentCreated
        | EventType::AssignmentUpdated
        | EventType::AssignmentDeleted
        | EventType::AssignmentRestored => shape::<AssignmentView>(),
        EventType::EnrollmentCreated
        | EventType::EnrollmentDeleted
        | EventType::EnrollmentRestored => shape::<EnrollmentView>(),
        EventType::GenerationReady
        | EventType::GenerationFailed
        | EventType::GenerationCanceled => shape::<GenerationView>(),
        EventType::MediaFileReady
        | EventType::MediaFileFailed
        | EventType::MediaFileDeleted
        | EventType::MediaFileRestored => shape::<MediaFileView>(),
        EventType::ScormReady | EventType::ScormFailed | EventType::ScormRevoked => {
            shape::<ScormPackageView>()
        }
        EventType::UserCreated
        | EventType::UserUpdated
        | EventType::UserDeleted
        | EventType::UserRestored => shape::<UserView>(),
        EventType::UserErased => shape::<UserErasureView>(),
        EventType::ApiKeyCreated | EventType::ApiKeyRevoked => shape::<ApiKeyView>(),
        EventType::WebhookEndpointDisabled | EventType::Ping => shape::<WebhookEndpointView>(),
    }
}

/// The schema of a whole event.
fn schema(kind: EventType) -> Result<Value, serde_json::Error> {
    let Shape { name, parts } = object_of(kind);
    let parts = serde_json::to_value(parts)?;
    let mut shown = parts.get(&name).cloned().unwrap_or_default();
    spell_out(&mut shown, &parts);
    let text = || json!({ "type": "string" });
    let moment = || json!({ "type": "string", "format": "date-time" });
    let object = |properties: Value| {
        let names = properties.as_object().into_iter().flatten();
        let required: Vec<&String> = names.map(|(name, _)| name).collect();
        json!({ "type": "object", "required": required, "properties": properties })
    };
    let platform = object(json!({
        "id": { "type": "integer" },
        "uuid": { "type": "string", "pattern": "^[0-9a-f]{24}$" },
        "code": { "type": ["string", "null"] },
        "name": text(),
    }));
    let mut actor = object(json!({
        "type": { "enum": ActorKind::words() },
        "id": { "type": ["string", "null"] },
        "name": { "type": ["string", "null"] },
    }));
    if let Some(members) = actor.as_object_mut() {
        members.insert("type".to_owned(), json!(["object", "null"]));
    }
    let data = object(json!({
        "object": shown,
        "previous_attributes": {
            "type": "object",
            "description": "The members of `object` that changed, as they were before.",
        },
    }));
    let mut event = object(json!({
        "id": { "type": "string", "pattern": "^evt_[0-9a-hjkmnp-tv-z]{26}$" },
        "object": { "const": "event" },
        "type": { "const": kind.as_str() },
        "timestamp": moment(),
        "created_at": moment(),
        "updated_at": moment(),
        "actor": actor,
        "platform": platform,
        "request_id": { "type": ["string", "null"] },
        "data": data,
    }));
    if let Some(members) = event.as_object_mut() {
        members.insert("$schema".to_owned(), json!(DIALECT));
        members.insert("title".to_owned(), json!(kind.as_str()));
        members.insert("description".to_owned(), json!(kind.meaning()));
    }
    Ok(event)
}

/// Puts what is referred to in the place of every reference; what stands beside one stays. No shape contains itself.
fn spell_out(value: &mut Value, parts: &Value) {
    match value {
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str);
            let target = target.and_then(|text| text.strip_prefix(COMPONENTS));
            let part = target
                .and_then(|name| parts.get(name))
                .and_then(Value::as_object);
            if let Some(part) = part.cloned() {
                members.remove("$ref");
                for (name, member) in part {
                    members.entry(name).or_insert(member);
                }
            }
            members
                .values_mut()
                .for_each(|member| spell_out(member, parts));
        }
        Value::Array(entries) => entries.iter_mut().for_each(|entry| spell_out(entry, parts)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(value: &Value, found: &mut Vec<String>) {
        if let Some(reference) = value["$ref"].as_str() {
            found.push(reference.to_owned());
        }
        let members = value.as_object().into_iter().flatten();
        members.for_each(|(_, member)| references(member, found));
        let entries = value.as_array().into_iter().flatten();
        entries.for_each(|entry| references(entry, found));
    }

    #[test]
    fn a_schema_refers_to_nothing() {
        for kind in EventType::ALL {
            let schema = schema(*kind).unwrap();
            let mut found = Vec::new();
            references(&schema, &mut found);
            assert!(found.is_empty(), "{kind} {found:?}");
            let object = &schema["properties"]["data"]["properties"]["object"];
            assert!(
                object["properties"]["object"].is_object(),
                "{kind} {object}"
            );
        }
    }

    #[test]
    fn an_event_is_about_what_its_name_says() {
        for kind in EventType::ALL
            .iter()
            .filter(|kind| **kind != EventType::Ping)
        {
            let name = object_of(*kind).name.to_ascii_lowercase();
            let family = kind.as_str().split('.').next().unwrap().replace('_', "");
            assert!(name.starts_with(&family), "{kind} {name}");
        }
    }

    #[test]
    fn every_type_says_what_it_means() {
        let all = EventType::ALL.iter();
        let view = |kind: &EventType| EventTypeView::new(*kind).unwrap();
        for view in all.map(view) {
            let sentence = &view.description;
            assert!(
                sentence.ends_with('.') && !sentence.starts_with(' '),
                "{sentence}"
            );
        }
    }
}
