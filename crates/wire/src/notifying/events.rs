//! Events on the wire: what is stored, with who did it.

use lyceum_domain::notifying::events::EventType;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Object, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::identity::actors::ActorView;
use crate::shapes;

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventView(pub Value);

/// What is told of an event: what is stored, byte for byte, with who did it before it.
///
/// # Errors
/// None that a name can cause.
pub fn with_actor(stored: &str, actor: Option<&ActorView>) -> Result<String, serde_json::Error> {
    // In the order in which all of it is written.
    let actor = serde_json::to_value(actor)?;
    let rest = stored.strip_prefix('{').unwrap_or(stored);
    let comma = if rest == "}" { "" } else { "," };
    Ok(format!("{{\"actor\":{actor}{comma}{rest}"))
}

impl PartialSchema for EventView {
    fn schema() -> RefOr<Schema> {
        let said = |mut shape: Object, description: &str| {
            shape.description = Some(description.to_owned());
            shape
        };
        let object = |description: &str| {
            ObjectBuilder::new()
                .schema_type(Type::Object)
                .description(Some(description))
                // Said aloud: some generators take an object without named members for an empty one.
                .additional_properties(Some(AdditionalProperties::FreeForm(true)))
                .build()
        };
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some("Something that happened."))
            .property(
                "id",
                said(
                    shapes::id_of::<lyceum_domain::ids::Event>(),
                    "`evt_…`; also its `webhook-id`.",
                ),
            )
            .required("id")
            .property(
                "object",
                said(
                    shapes::name_of::<lyceum_domain::ids::Event>(),
                    "Always `event`.",
                ),
            )
            .required("object")
            .property("type", said(shapes::word::<EventType>(), "What happened."))
            .required("type")
            .property("timestamp", said(shapes::moment(), "When it happened."))
            .required("timestamp")
            .property("created_at", said(shapes::moment(), "When it happened."))
            .required("created_at")
            .property(
                "updated_at",
                said(shapes::moment(), "The same: an event does not change."),
            )
            .required("updated_at")
            .property(
                "request_id",
                said(
                    shapes::optional_text(),
                    "The request that did it; null for the service's own doing.",
                ),
            )
            .required("request_id")
            .property("actor", actor())
            .required("actor")
            .property("platform", object("Where it happened."))
            .required("platform")
            .property(
                "data",
                object("`object`: the thing; `previous_attributes`: what changed."),
            )
            .required("data")
            .into()
    }
}

/// Who did it, written out: an event refers to nothing outside itself.
fn actor() -> Object {
    let mut shape = Object::new();
    if let RefOr::T(Schema::Object(written)) = ActorView::schema() {
        shape = written;
    }
    shape.schema_type = SchemaType::from_iter([Type::Object, Type::Null]);
    shape.description = Some("Who did it; null of what happened before that was noted.".to_owned());
    shape
}

impl ToSchema for EventView {}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::identity::actors::ActedBy;
    use serde_json::json;

    #[test]
    fn who_did_it_stands_before_what_is_stored() {
        let actor = ActorView::unnamed(&ActedBy::System);
        let told = with_actor(r#"{"id":"evt_1","score":0.10}"#, Some(&actor)).unwrap();
        assert_eq!(
            told,
            r#"{"actor":{"id":null,"name":null,"type":"system"},"id":"evt_1","score":0.10}"#
        );
        let unknown: Value = serde_json::from_str(&with_actor("{}", None).unwrap()).unwrap();
        assert_eq!(unknown, json!({"actor": null}));
    }
}
