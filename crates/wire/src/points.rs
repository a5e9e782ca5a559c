//! Points on the wire: JSON numbers, though nothing inside is ever a floating-point number.

use lyceum_domain::points::Points;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The member of a schema that says how many decimals a number may have. `multipleOf` would say it too, but floating point
/// makes validators take 4.35 for no multiple of 0.01.
pub const DECIMALS: &str = "x-decimals";

/// Points as a JSON number: an integer where they are whole, else with at most two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointsNumber(pub Points);

impl Serialize for PointsNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PointsNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Points::from_json(&value)
            .map(Self)
            .map_err(serde::de::Error::custom)
    }
}

impl PartialSchema for PointsNumber {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(0))
            .maximum(Some(1_000_000))
            .description(Some("Points, to two decimals; with more they are refused."))
            .extensions(Some(ExtensionsBuilder::new().add(DECIMALS, 2).build()))
            .into()
    }
}

impl ToSchema for PointsNumber {}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whole_points_are_integers_and_others_have_decimals() {
        for number in [json!(0), json!(8), json!(12.5), json!(0.01)] {
            let points: PointsNumber = serde_json::from_value(number.clone()).unwrap();
            assert_eq!(serde_json::to_value(points).unwrap(), number);
        }
        for wrong in [json!("8"), json!(null), json!(-1), json!(1_000_001)] {
            assert!(
                serde_json::from_value::<PointsNumber>(wrong.clone()).is_err(),
                "{wrong}"
            );
        }
    }
}
