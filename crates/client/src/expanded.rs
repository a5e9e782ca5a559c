//! Answers with what they refer to in them.

use std::ops::Deref;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::error::ClientError;

/// A thing, and what `expand` put into it, by the member's name.
///
/// What was put in may have been expanded itself: `many::<Expanded<UnitView>>("units")`.
#[derive(Debug, Clone, PartialEq)]
pub struct Expanded<V> {
    view: V,
    related: Map<String, Value>,
}

impl<V> Expanded<V> {
    /// The thing without what it refers to.
    pub fn into_view(self) -> V {
        self.view
    }

    /// What a member refers to, one by one; nothing if it was not expanded.
    ///
    /// # Errors
    /// [`ClientError::Decode`] if they are no `T`.
    pub fn many<T: DeserializeOwned>(&self, member: &str) -> Result<Vec<T>, ClientError> {
        let found = self.related.get(member).and_then(Value::as_array);
        let found = found.map(Vec::as_slice).unwrap_or_default();
        let read = |one: &Value| T::deserialize(one).map_err(ClientError::Decode);
        found.iter().map(read).collect()
    }

    /// The one thing that a member refers to; nothing if it was not expanded.
    ///
    /// # Errors
    /// [`ClientError::Decode`] if it is no `T`.
    pub fn one<T: DeserializeOwned>(&self, member: &str) -> Result<Option<T>, ClientError> {
        let found = self.related.get(member);
        found
            .map(T::deserialize)
            .transpose()
            .map_err(ClientError::Decode)
    }
}

impl<V> Deref for Expanded<V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.view
    }
}

impl<'de, V: DeserializeOwned> Deserialize<'de> for Expanded<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut whole = Map::deserialize(deserializer)?;
        let mut related = Map::new();
        for (member, value) in &mut whole {
            if is_expanded(value) {
                // Where a plain answer has ids, ids take the place of what came instead of them.
                let ids = ids(value);
                related.insert(member.clone(), std::mem::replace(value, ids));
            }
        }
        let view = V::deserialize(Value::Object(whole)).map_err(D::Error::custom)?;
        Ok(Self { view, related })
    }
}

/// Every resource has an id and the name of its kind; no other value in an answer has both.
fn is_resource(value: &Value) -> bool {
    ["id", "object"]
        .iter()
        .all(|member| value.get(member).is_some_and(Value::is_string))
}

fn is_expanded(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.first().is_some_and(is_resource),
        Value::Object(_) => is_resource(value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn ids(value: &Value) -> Value {
    let id = |one: &Value| one.get("id").cloned().unwrap_or_default();
    match value.as_array() {
        Some(values) => values.iter().map(id).collect(),
        None => id(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Thing {
        id: String,
        #[serde(default)]
        parts: Vec<String>,
    }

    #[test]
    fn what_came_instead_of_ids_is_beside_the_thing_and_the_ids_are_back_in_it() {
        let part = |id: &str| json!({"id": id, "object": "part", "whole": {"id": "thg_1", "object": "thing"}});
        let came =
            json!({"id": "thg_1", "object": "thing", "parts": [part("prt_1"), part("prt_2")]});
        let thing: Expanded<Thing> = serde_json::from_value(came).unwrap();
        assert_eq!(thing.parts, ["prt_1", "prt_2"]);
        let parts: Vec<Expanded<Thing>> = thing.many("parts").unwrap();
        assert_eq!(parts[1].id, "prt_2");
        let whole: Option<Thing> = parts[1].one("whole").unwrap();
        assert_eq!(whole.unwrap().id, "thg_1");
        let nothing: Option<Thing> = thing.one("whole").unwrap();
        assert_eq!(nothing, None);
    }

    #[test]
    fn what_was_not_expanded_stays_as_it_is() {
        let came = json!({"id": "thg_1", "object": "thing", "parts": ["prt_1"]});
        let thing: Expanded<Thing> = serde_json::from_value(came).unwrap();
        assert_eq!(thing.many::<Thing>("parts").unwrap(), []);
        assert_eq!(thing.into_view().parts, ["prt_1"]);
    }
}
