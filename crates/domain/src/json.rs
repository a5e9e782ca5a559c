//! Free-form JSON that the platform keeps for its users.

use serde_json::{Map, Value};

use crate::InvalidValue;

/// A JSON object.
pub type JsonObject = Map<String, Value>;

/// Applies an RFC 7396 merge patch to an object: members of `patch` replace, `null` removes, objects merge.
pub fn merge(target: &mut JsonObject, patch: JsonObject) {
    for (key, value) in patch {
        match (target.get_mut(&key), value) {
            (_, Value::Null) => {
                target.remove(&key);
            }
            (Some(Value::Object(inner)), Value::Object(change)) => merge(inner, change),
            (_, Value::Object(change)) => {
                let mut fresh = JsonObject::new();
                merge(&mut fresh, change);
                target.insert(key, Value::Object(fresh));
            }
            (_, value) => {
                target.insert(key, value);
            }
        }
    }
}

/// What a merge patch has to say so that one object becomes another: `null` where a member is gone. `deep` patches go into objects, as
/// [`merge`] does; others replace whole what stands behind a key.
pub fn difference(before: &JsonObject, after: &JsonObject, deep: bool) -> JsonObject {
    let gone = before.keys().filter(|key| !after.contains_key(*key));
    let mut patch: JsonObject = gone.map(|key| (key.clone(), Value::Null)).collect();
    for (key, new) in after {
        let change = match (before.get(key), new) {
            (Some(old), new) if old == new => continue,
            (Some(Value::Object(old)), Value::Object(new)) if deep => {
                Value::Object(difference(old, new, deep))
            }
            _ => new.clone(),
        };
        patch.insert(key.clone(), change);
    }
    patch
}

/// Free-form key-value store on most objects: at most 50 keys of 1 to 64 characters, 16 KiB serialised.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metadata(JsonObject);

impl Metadata {
    /// Largest number of keys.
    pub const MAX_KEYS: usize = 50;
    /// Longest key, in characters.
    pub const MAX_KEY_CHARS: usize = 64;
    /// Largest size when written as JSON, in bytes.
    pub const MAX_BYTES: usize = 16 * 1024;

    /// Checks the limits.
    ///
    /// # Errors
    /// [`InvalidValue`] naming the limit that is broken.
    pub fn parse(map: JsonObject) -> Result<Self, InvalidValue> {
        if map.len() > Self::MAX_KEYS {
            return Err(InvalidValue::new(format!(
                "must have at most {} keys",
                Self::MAX_KEYS
            )));
        }
        if map
            .keys()
            .any(|key| key.is_empty() || key.chars().count() > Self::MAX_KEY_CHARS)
        {
            return Err(InvalidValue::new(format!(
                "must have keys of 1 to {} characters",
                Self::MAX_KEY_CHARS
            )));
        }
        let size = serde_json::to_string(&map).map_or(usize::MAX, |text| text.len());
        if size > Self::MAX_BYTES {
            return Err(InvalidValue::new("must not be larger than 16 KiB"));
        }
        Ok(Self(map))
    }

    /// The stored object.
    pub const fn as_map(&self) -> &JsonObject {
        &self.0
    }

    /// Merges by key: a given key replaces, `null` removes.
    ///
    /// # Errors
    /// [`InvalidValue`] if the result breaks a limit.
    pub fn merged(&self, patch: JsonObject) -> Result<Self, InvalidValue> {
        let mut map = self.0.clone();
        for (key, value) in patch {
            if value.is_null() {
                map.remove(&key);
            } else {
                map.insert(key, value);
            }
        }
        Self::parse(map)
    }
}

/// What a PATCH asks of metadata.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum MetadataChange {
    /// Not mentioned.
    #[default]
    Keep,
    /// `null`: forget everything.
    Clear,
    /// Merge by key.
    Merge(JsonObject),
}

impl MetadataChange {
    /// The metadata after the change.
    ///
    /// # Errors
    /// [`InvalidValue`] if the result breaks a limit.
    pub fn apply(self, current: &Metadata) -> Result<Metadata, InvalidValue> {
        match self {
            Self::Keep => Ok(current.clone()),
            Self::Clear => Ok(Metadata::default()),
            Self::Merge(patch) => current.merged(patch),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: &Value) -> JsonObject {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn merging_follows_rfc_7396() {
        let mut target = object(&json!({"a": "b", "c": {"d": "e", "f": "g"}}));
        merge(
            &mut target,
            object(&json!({"a": "z", "c": {"f": null}, "n": {"x": null, "y": 1}})),
        );
        assert_eq!(
            Value::Object(target),
            json!({"a": "z", "c": {"d": "e"}, "n": {"y": 1}})
        );
    }

    #[test]
    fn metadata_keeps_its_limits() {
        let many: JsonObject = (0..51).map(|n| (format!("k{n}"), json!(n))).collect();
        assert!(Metadata::parse(many).is_err());
        assert!(Metadata::parse(object(&json!({"": 1}))).is_err());
        assert!(Metadata::parse(object(&json!({"k": "x".repeat(17_000)}))).is_err());
        assert!(Metadata::parse(object(&json!({"k": {"any": ["json", 1.5, null]}}))).is_ok());
    }

    #[test]
    fn metadata_merges_by_key_and_null_removes() {
        let metadata = Metadata::parse(object(&json!({"a": 1, "b": {"x": 1}}))).unwrap();
        let merged = metadata
            .merged(object(&json!({"a": null, "b": {"y": 2}})))
            .unwrap();
        assert_eq!(
            Value::Object(merged.as_map().clone()),
            json!({"b": {"y": 2}})
        );
    }
}
