//! Ids that stand inside texts and documents, and what they become when the things they name are copied.

use std::collections::HashMap;

use serde_json::Value;

use crate::Id;
use crate::id::Identified;
use crate::json::JsonObject;
use crate::text::LongText;

/// Characters of an id before and behind its underscore.
const PREFIX: usize = 3;
const ENCODED: usize = 26;

/// Ids of things and the ids of their copies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct References(HashMap<String, String>);

impl References {
    /// Notes that `copy` is the copy of `original`.
    pub fn note<K: Identified>(&mut self, original: Id<K>, copy: Id<K>) {
        self.0.insert(original.to_string(), copy.to_string());
    }

    /// The copy of a thing, if there is one.
    pub fn copy_of<K: Identified>(&self, original: Id<K>) -> Option<Id<K>> {
        self.0.get(&original.to_string())?.parse().ok()
    }

    /// A text in which the copies are named; every other id stays as it is.
    pub fn in_text(&self, text: &str) -> String {
        let mut mapped = String::with_capacity(text.len());
        let mut done = 0;
        for (at, _) in text.match_indices('_') {
            let Some(start) = at.checked_sub(PREFIX).filter(|start| *start >= done) else {
                continue;
            };
            let end = at + 1 + ENCODED;
            let copy = text.get(start..end).and_then(|id| self.0.get(id));
            if let (Some(copy), Some(before)) = (copy, text.get(done..start)) {
                mapped.push_str(before);
                mapped.push_str(copy);
                done = end;
            }
        }
        mapped.push_str(text.get(done..).unwrap_or_default());
        mapped
    }

    /// The same for a long text; ids are all of one length, so it fits as it did.
    pub fn in_long_text(&self, text: &LongText) -> LongText {
        LongText::clamp(&self.in_text(text.as_str()))
    }

    /// The same for every text in a document; the names of its members stay.
    pub fn in_object(&self, object: &JsonObject) -> JsonObject {
        object
            .iter()
            .map(|(name, value)| (name.clone(), self.in_value(value)))
            .collect()
    }

    fn in_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.in_text(text)),
            Value::Array(values) => values.iter().map(|value| self.in_value(value)).collect(),
            Value::Object(object) => Value::Object(self.in_object(object)),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::LessonId;
    use serde_json::json;
    use uuid::Uuid;

    fn id(n: u128) -> LessonId {
        Id::from_uuid(Uuid::from_u128(n))
    }

    fn references() -> References {
        let mut references = References::default();
        references.note(id(1), id(11));
        references.note(id(2), id(12));
        references
    }

    #[test]
    fn ids_of_copied_things_are_exchanged_wherever_they_stand() {
        let (one, two, other) = (id(1), id(2), id(3));
        assert_eq!(references().copy_of(one), Some(id(11)));
        assert_eq!(references().copy_of(other), None);
        let text = format!("{one}, see [{two}](/lessons/{two}) and {other} — _é{one}_");
        let (first, second) = (id(11), id(12));
        let expected =
            format!("{first}, see [{second}](/lessons/{second}) and {other} — _é{first}_");
        assert_eq!(references().in_text(&text), expected);
        let document = json!({"next": one.to_string(), "id": "q1", "all": [two.to_string(), 3]});
        let mapped = references().in_object(document.as_object().unwrap());
        let expected =
            json!({"next": first.to_string(), "id": "q1", "all": [second.to_string(), 3]});
        assert_eq!(Value::Object(mapped), expected);
    }

    #[test]
    fn what_only_looks_like_an_id_stays() {
        for text in [
            "",
            "_",
            "les_",
            "é_",
            "les_0000000000000000000000001é",
            "a_b_c",
        ] {
            assert_eq!(references().in_text(text), text);
        }
    }
}
