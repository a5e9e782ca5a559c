//! Activities on the wire.

use std::collections::BTreeMap;

use lyceum_domain::authoring::activities as domain;
use lyceum_domain::authoring::activities::{
    Activity, ActivityChanges, ActivityContent, NewActivity,
};
use lyceum_domain::ids::LessonId;
use lyceum_domain::json::JsonObject;
use lyceum_domain::text::Name;
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::authoring::languages::{language, language_change};
use crate::authoring::learner;
use crate::authoring::provenance::ProvenanceView;
use crate::authoring::texts::TextWarningView;
use crate::common::{Command, FreeObject, Resource, metadata, metadata_change, not_cleared};
use crate::common_ids::reference;
use crate::declared::view;
use crate::patch::Patch;
use crate::place::{Place, position};
use crate::shapes;

/// What kind of activity, and so what its content looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActivityKind {
    /// Questions that are scored.
    Quiz,
    /// Cards with two sides.
    Flashcards,
    /// A thing explained step by step.
    Explainer,
    /// A spoken dialogue with its transcript.
    Podcast,
    /// A video with captions and chapters.
    Video,
    /// A prompt to think and write about.
    Reflection,
}

impl From<ActivityKind> for domain::ActivityKind {
    fn from(kind: ActivityKind) -> Self {
        match kind {
            ActivityKind::Quiz => Self::Quiz,
            ActivityKind::Flashcards => Self::Flashcards,
            ActivityKind::Explainer => Self::Explainer,
            ActivityKind::Podcast => Self::Podcast,
            ActivityKind::Video => Self::Video,
            ActivityKind::Reflection => Self::Reflection,
        }
    }
}

/// An activity to be made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CreateActivity {
    /// The lesson it belongs to, `les_…`.
    #[schema(example = "les_01kazv9h8ye5x8q9c4t7m2n3p6")]
    pub lesson_id: String,
    /// What kind; never changes.
    pub kind: ActivityKind,
    /// Human-readable name.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"\S",
        example = "Check yourself"
    )]
    pub name: String,
    /// The content document of its kind; still to be written when absent or empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<FreeObject>,
    /// BCP-47 language tag of its content, where it is not the lesson's.
    #[schema(
        min_length = 2,
        max_length = 100,
        pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$",
        example = "ar"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// 0-based place among the lesson's activities; the end when absent or beyond it.
    #[schema(minimum = 0, maximum = 2_147_483_647_u32)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
    /// Free-form key-value store: at most 50 keys, 16 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<FreeObject>,
}

impl Command for CreateActivity {
    type Of = NewActivity;

    fn command(self) -> Result<NewActivity, Invalid> {
        self.checked().map_err(|problems| {
            let first = problems.into_iter().next();
            first.unwrap_or_else(|| Invalid::new("content", "is not valid"))
        })
    }

    fn checked(mut self) -> Result<NewActivity, Vec<Invalid>> {
        let kind = self.kind.into();
        let content = self.content.take().unwrap_or_default();
        let content = ActivityContent::parse(kind, content.0)?;
        self.with(content).map_err(|problem| vec![problem])
    }
}

impl CreateActivity {
    fn with(self, content: ActivityContent) -> Result<NewActivity, Invalid> {
        Ok(NewActivity {
            lesson_id: reference(&self.lesson_id),
            name: Name::parse(self.name).at("name")?,
            kind: self.kind.into(),
            content,
            language: language(self.language)?,
            position: self.position.map(position).transpose()?,
            metadata: metadata(self.metadata)?,
        })
    }
}

/// A change of an activity: absent keeps, `null` clears. The kind never changes.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateActivity {
    /// New name; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub name: Patch<String>,
    /// New content document, replaced whole.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub content: Patch<FreeObject>,
    /// New language tag; `null` takes it back.
    #[schema(
        value_type = Option<String>,
        min_length = 2,
        max_length = 100,
        pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"
    )]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub language: Patch<String>,
    /// Change of the metadata, by key.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub metadata: Patch<FreeObject>,
}

impl Command for UpdateActivity {
    type Of = ActivityChanges;

    fn command(self) -> Result<ActivityChanges, Invalid> {
        let name = not_cleared(self.name, "name")?;
        Ok(ActivityChanges {
            name: name.map(Name::parse).transpose().at("name")?,
            content: self
                .content
                .or_default(FreeObject::default)
                .map(|object| object.0),
            language: language_change(self.language)?.into_option(),
            metadata: metadata_change(self.metadata),
        })
    }
}

/// Where an activity is to be moved, within its course.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct MoveActivity {
    /// New 0-based place among the lesson's activities; the end when beyond it.
    #[schema(minimum = 0, maximum = 2_147_483_647_u32, example = 0)]
    pub position: i64,
    /// Its new lesson, of the same course; the one it is in when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson_id: Option<String>,
}

impl Command for MoveActivity {
    type Of = Place<LessonId>;

    fn command(self) -> Result<Place<LessonId>, Invalid> {
        Ok(Place {
            position: position(self.position)?,
            parent: self.lesson_id.as_deref().map(reference),
        })
    }
}

view! {
    /// An activity.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct ActivityView {
        /// `act_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Activity>)]
        pub id: String = activity.id.to_string(),
        /// Always `activity`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Activity>)]
        pub object: String = "activity".to_owned(),
        /// The lesson it belongs to.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Lesson>)]
        pub lesson_id: String = activity.lesson_id.to_string(),
        /// The course it belongs to.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
        pub course_id: String = activity.course_id.to_string(),
        /// Human-readable name.
        pub name: String = activity.name.to_string(),
        /// `quiz`, `flashcards`, `explainer`, `podcast`, `video` or `reflection`.
        #[schema(schema_with = shapes::word::<lyceum_domain::authoring::activities::ActivityKind>)]
        pub kind: String = activity.kind.to_string(),
        /// The content document of its kind; `{}` while it is still to be written.
        pub content: FreeObject = activity.content.as_map().into(),
        /// BCP-47 language tag of its content; null where it is the lesson's.
        #[schema(required)]
        pub language: Option<String> = activity.language.as_ref().map(ToString::to_string),
        /// 0-based place among the lesson's activities.
        pub position: u32 = activity.position,
        /// Where it came from.
        pub provenance: ProvenanceView = (&activity.provenance).into(),
        /// Free-form key-value store.
        pub metadata: FreeObject = (&activity.metadata).into(),
        /// When it was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = activity.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = activity.stamp.updated_at.to_string(),
        /// The HTML of its texts by place, with addresses of media that work for an hour or two. Only with `expand=html`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub html: Option<BTreeMap<String, String>> = None,
        /// What its texts lose when they are shown. Only in the answer to whoever writes them, and only where there is something.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub warnings: Option<Vec<TextWarningView>> = None,
        /// What of it waits to go live, by the names of the members: they are shown as they will be. Only with `draft=true`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub waiting: Option<Vec<String>> = None,
    }

    /// Shows an activity.
    pub fn new(activity: &Activity);
}

impl ActivityView {
    /// The same with the address of the recording that the service made of it.
    #[must_use]
    pub fn with_recording(mut self, url: String) -> Self {
        let audio = self.content.0.get_mut("audio");
        if let Some(audio) = audio.and_then(Value::as_object_mut) {
            // The name that it is kept under is nobody's business.
            audio.remove("recording");
            audio.insert("url".to_owned(), Value::String(url));
        }
        self
    }

    /// The same with those questions alone that an attempt asks.
    #[must_use]
    pub fn asking(mut self, asked: &[String]) -> Self {
        let is_asked = |question: &Value| {
            let id = question.get("id").and_then(Value::as_str);
            id.is_some_and(|id| asked.iter().any(|one| one == id))
        };
        let questions = self.content.0.get_mut("questions");
        if let Some(questions) = questions.and_then(Value::as_array_mut) {
            questions.retain(is_asked);
        }
        self
    }

    /// The same for a learner, who sees neither answers nor explanations nor metadata.
    pub fn learner(activity: &Activity) -> Self {
        let content = learner::content(activity.kind, activity.content.as_map());
        Self {
            content: FreeObject(content),
            metadata: FreeObject::default(),
            ..Self::new(activity)
        }
    }
}

/// A content document as learners see it: without answers, explanations and notes.
pub fn as_learners_see(kind: domain::ActivityKind, content: &JsonObject) -> JsonObject {
    learner::content(kind, content)
}

impl Resource for ActivityView {
    const COLLECTION: &'static str = "activities";

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::authoring::provenance::Provenance;
    use lyceum_domain::{Id, Timestamp};
    use serde_json::json;
    use uuid::Uuid;

    fn create(body: Value) -> Result<NewActivity, Invalid> {
        serde_json::from_value::<CreateActivity>(body)
            .unwrap()
            .command()
    }

    #[test]
    fn an_activity_needs_a_lesson_a_kind_and_a_name_only() {
        let new = create(json!({"lesson_id": "les_", "kind": "quiz", "name": "Check"})).unwrap();
        assert_eq!(new.kind, domain::ActivityKind::Quiz);
        assert!(new.content.as_map().is_empty());
    }

    #[test]
    fn content_is_checked_against_the_kind() {
        let body =
            json!({"lesson_id": "les_", "kind": "quiz", "name": "Check", "content": {"cards": []}});
        assert_eq!(create(body).unwrap_err().field, "content.questions");
    }

    #[test]
    fn kinds_have_the_words_of_the_domain() {
        for kind in domain::ActivityKind::ALL {
            let word = json!(kind.as_str());
            let read: ActivityKind = serde_json::from_value(word).unwrap();
            assert_eq!(domain::ActivityKind::from(read), *kind);
        }
    }

    #[test]
    fn a_learner_sees_no_metadata_and_no_answers() {
        let body = json!({
            "lesson_id": "les_", "kind": "reflection", "name": "Think", "metadata": {"internal": 1},
            "content": {"prompt": "Why?", "sample_answer": "Because"},
        });
        let nil = Uuid::nil();
        let activity = Activity::new(
            Id::from_uuid(nil),
            Id::from_uuid(nil),
            Id::from_uuid(nil),
            create(body).unwrap(),
            0,
            Provenance::human(),
            Timestamp::from_unix_millis(0),
        );
        let view = ActivityView::learner(&activity);
        assert!(view.metadata.0.is_empty());
        assert_eq!(Value::Object(view.content.0), json!({"prompt": "Why?"}));
        assert_eq!(ActivityView::new(&activity).metadata.0.len(), 1);
    }
}
