//! Pseudonyms in documents: every text of a document that leaves, and of the one that comes back.

use lyceum_domain::drafting::pseudonyms::Pseudonyms;
use serde_json::Value;

/// Members that name things of the rubric and must come back as they went.
const NAMES: [&str; 3] = ["id", "criterion_id", "level_id"];

/// The document with everything private in its texts replaced.
pub(super) fn masked(document: Value, names: &mut Pseudonyms) -> Value {
    changed(document, &mut |text| names.mask(text))
}

/// The document with every replacement in its texts put back.
pub(super) fn unmasked(document: Value, names: &Pseudonyms) -> Value {
    changed(document, &mut |text| names.unmask(text))
}

fn changed(document: Value, change: &mut impl FnMut(&str) -> String) -> Value {
    match document {
        Value::String(text) => Value::String(change(&text)),
        Value::Array(entries) => {
            let entries = entries.into_iter().map(|entry| changed(entry, change));
            Value::Array(entries.collect())
        }
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, value)| {
                let keep = NAMES.contains(&name.as_str());
                let value = if keep { value } else { changed(value, change) };
                (name, value)
            });
            Value::Object(members.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => document,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_are_masked_and_names_of_the_rubric_are_kept() {
        let mut names = Pseudonyms::of(&["Ada Lovelace".to_owned()]);
        let document = json!({"id": "Ada", "texts": ["Ada and Ada Lovelace", 1, null], "level_id": "Lovelace"});
        let sent = masked(document.clone(), &mut names);
        assert_eq!(
            sent,
            json!({"id": "Ada", "texts": ["Person-1 and Person-1b", 1, null], "level_id": "Lovelace"})
        );
        assert_eq!(unmasked(sent, &names), document);
    }
}
