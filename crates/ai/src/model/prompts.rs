//! What models are told: fixed texts with a version, and the documents that go with them.
//!
//! A change of wording is a new version, because results compare only within one. Names, addresses and ids of
//! people never come in here; what a student wrote is only ever the value of a JSON member.

use std::hash::{BuildHasher, Hasher, RandomState};

use serde_json::{Value, json};

use crate::words::is_suspicious;

/// Version of the grading prompt.
pub(super) const GRADE: &str = "grade-2";

/// Most of a submission that is sent, in characters.
pub(super) const MAX_SUBMISSION: usize = 24_000;

/// Data in a member whose name starts with `name` and goes on in a way that nobody can foresee.
pub(super) fn fenced(name: &str, data: Value) -> Value {
    fenced_by(name, &nonce(), data)
}

/// Data in a member whose name starts with `name` and ends with `nonce`.
pub(super) fn fenced_by(name: &str, nonce: &str, data: Value) -> Value {
    let mut fence = serde_json::Map::new();
    fence.insert(format!("{name}_{nonce}"), data);
    Value::Object(fence)
}

/// Eight characters that nobody can foresee, others each time.
pub(super) fn nonce() -> String {
    // The keys of the hasher come from the operating system's randomness.
    let random = RandomState::new().build_hasher().finish();
    format!("{:08x}", random & 0xffff_ffff)
}

/// The beginning of a text, without hidden characters.
pub(super) fn plain(text: &str, limit: usize) -> String {
    text.chars()
        .filter(|c| !is_suspicious(*c))
        .take(limit)
        .collect()
}

/// The messages that ask for a better answer after a bad one.
pub(super) fn repair(messages: &[Value], answer: &str, broken: &[String]) -> Vec<Value> {
    let rules = broken
        .iter()
        .map(|rule| format!("- {rule}"))
        .collect::<Vec<_>>();
    let mut all = messages.to_vec();
    all.push(message("assistant", answer));
    all.push(message(
        "user",
        &format!(
            "This answer breaks these rules:\n{}\nAnswer again with the whole JSON object. Change only what is needed.",
            rules.join("\n")
        ),
    ));
    all
}

/// One message.
pub(super) fn message(role: &str, content: &str) -> Value {
    json!({"role": role, "content": content})
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_fences_have_the_same_name() {
        let names: BTreeSet<String> = (0..100).map(|_| nonce()).collect();
        assert!(names.len() > 98, "{names:?}");
        assert!(names.iter().all(|name| name.len() == 8));
    }
}
