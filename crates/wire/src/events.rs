//! Events on the wire: the stored bytes, shown as they were sent.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventView(pub Value);

impl PartialSchema for EventView {
    fn schema() -> RefOr<Schema> {
        let text = |description: &str| {
            ObjectBuilder::new()
                .schema_type(Type::String)
                .description(Some(description))
                .build()
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
            .property("id", text("`evt_…`; also its `webhook-id`."))
            .required("id")
            .property("object", text("Always `event`."))
            .required("object")
            .property("type", text("What happened, such as `submission.graded`."))
            .required("type")
            .property("timestamp", text("When it happened."))
            .required("timestamp")
            .property("created_at", text("When it happened."))
            .required("created_at")
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

impl ToSchema for EventView {}
