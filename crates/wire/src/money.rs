//! Money on the wire: US dollars as JSON numbers, though nothing inside is ever a floating-point number.

use lyceum_domain::money::MicroUsd;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// US dollars as a JSON number: an integer where they are whole, else with at most six decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsdNumber(pub MicroUsd);

impl Serialize for UsdNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for UsdNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        MicroUsd::from_json(&value)
            .map(Self)
            .map_err(serde::de::Error::custom)
    }
}

impl PartialSchema for UsdNumber {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(0))
            .maximum(Some(MicroUsd::MAX_DOLLARS))
            .description(Some("US dollars, to six decimals."))
            .into()
    }
}

impl ToSchema for UsdNumber {}
