//! Merge patches: as RFC 7396 writes them down, and metadata within its limits.

use lyceum_domain::json::{JsonObject, Metadata, merge};
use serde_json::Value;

/// The pseudo-code of RFC 7396, section 2, word for word.
fn merge_patch(target: Value, patch: &Value) -> Value {
    let Value::Object(changes) = patch else {
        return patch.clone();
    };
    let mut members = if let Value::Object(members) = target {
        members
    } else {
        JsonObject::new()
    };
    for (name, value) in changes {
        if value.is_null() {
            members.remove(name);
        } else {
            let before = members.get(name).cloned().unwrap_or_default();
            members.insert(name.clone(), merge_patch(before, value));
        }
    }
    Value::Object(members)
}

fn object(text: &str) -> Option<JsonObject> {
    let value: Value = serde_json::from_str(text).ok()?;
    value.as_object().cloned()
}

/// A line with the target, and one with the patch.
pub fn fuzz(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let Some((target, patch)) = text.split_once('\n') else {
        return false;
    };
    let (Some(target), Some(patch)) = (object(target), object(patch)) else {
        return false;
    };
    let wanted = merge_patch(Value::Object(target.clone()), &Value::Object(patch.clone()));
    let mut merged = target.clone();
    merge(&mut merged, patch.clone());
    assert_eq!(Value::Object(merged.clone()), wanted);
    let mut again = merged.clone();
    merge(&mut again, patch.clone());
    assert_eq!(again, merged, "a patch applied twice does more");
    if let Ok(Ok(metadata)) = Metadata::parse(target).map(|kept| kept.merged(patch)) {
        let kept = metadata.as_map();
        assert!(kept.len() <= Metadata::MAX_KEYS);
        assert!(serde_json::to_string(kept).unwrap().len() <= Metadata::MAX_BYTES);
    }
    true
}
