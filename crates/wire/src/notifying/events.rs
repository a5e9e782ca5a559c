//! Events on the wire: the stored bytes, shown as they were sent.

use lyceum_domain::notifying::events::EventType;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Type};
use utoipa::openapi::{Object, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::shapes;

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventView(pub Value);

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
