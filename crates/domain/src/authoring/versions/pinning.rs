//! What cohorts see that take new versions of their course by choice: things as they were when the cohort took them last.
//!
//! A pin is kept as what a change of the thing that is there now would have to say so that it is again what the cohort sees, member by
//! member, as what waits is. So what others change meanwhile in other members of it is pinned beside it, and nothing is copied
//! that did not change.

use crate::Stamp;
use crate::ids::{CohortId, WorkspaceId};
use crate::json::JsonObject;

use super::waiting::{ChangeTarget, WaitingChange, keys};

/// What a cohort sees of a thing that is something else by now; of each thing it has one at most.
#[derive(Debug, Clone, PartialEq)]
pub struct PinnedContent {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Who sees it so.
    pub cohort_id: CohortId,
    /// Of what.
    pub of: ChangeTarget,
    /// What would have to change of the thing that is there now, as a change of it takes it.
    pub content: JsonObject,
    /// The number of the version that it is, of an assignment.
    pub number: Option<u32>,
    /// When it first was something else, and when it was that last.
    pub stamp: Stamp,
}

impl PinnedContent {
    /// The names of what it sees otherwise.
    pub fn fields(&self) -> Vec<String> {
        let mut fields: Vec<String> = self.content.keys().cloned().collect();
        fields.sort_unstable();
        fields
    }
}

/// What is to be pinned for who sees a thing that was `before` and is `after`, given what is pinned for them already; nothing where they see
/// what is there.
pub fn pin(
    before: &JsonObject,
    after: &JsonObject,
    pinned: Option<&JsonObject>,
) -> Option<JsonObject> {
    let sees = pinned.map_or_else(|| before.clone(), |pinned| seen(before, pinned));
    WaitingChange::between(after, &sees, None).map(|back| back.content)
}

/// The members of a thing, as whoever has this pinned sees them.
pub fn seen(live: &JsonObject, pinned: &JsonObject) -> JsonObject {
    let mut sees = live.clone();
    for (name, value) in pinned {
        let by_key = live.get(name).and_then(|live| keys(name, live)).cloned();
        match (by_key, value.as_object()) {
            (Some(mut live), Some(patch)) => {
                for (key, value) in patch {
                    if value.is_null() {
                        live.remove(key);
                    } else {
                        live.insert(key.clone(), value.clone());
                    }
                }
                sees.insert(name.clone(), live.into());
            }
            _ => {
                sees.insert(name.clone(), value.clone());
            }
        }
    }
    sees
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn object(value: &Value) -> JsonObject {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn what_changed_is_pinned_and_what_came_back_is_not() {
        let was = object(&json!({"name": "A", "content": "One."}));
        let is = object(&json!({"name": "A", "content": "Two."}));
        let pinned = pin(&was, &is, None);
        assert_eq!(pinned, Some(object(&json!({"content": "One."}))));
        assert_eq!(pin(&is, &was, pinned.as_ref()), None);
        assert_eq!(pin(&was, &was, None), None);
    }

    #[test]
    fn what_a_cohort_sees_is_what_was_there_first() {
        let first = object(&json!({"name": "A", "content": "One."}));
        let second = object(&json!({"name": "A", "content": "Two."}));
        let third = object(&json!({"name": "B", "content": "Three."}));
        let pinned = pin(&first, &second, None);
        let pinned = pin(&second, &third, pinned.as_ref()).unwrap();
        assert_eq!(pinned, first);
        assert_eq!(seen(&third, &pinned), first);
    }

    #[test]
    fn settings_are_pinned_by_key() {
        let was = object(&json!({"feedback": {"tone": "warm", "language": "en"}}));
        let is = object(&json!({"feedback": {"tone": "strict", "language": "en"}}));
        let pinned = pin(&was, &is, None).unwrap();
        assert_eq!(pinned, object(&json!({"feedback": {"tone": "warm"}})));
        assert_eq!(seen(&is, &pinned), was);
    }

    fn things() -> impl Strategy<Value = JsonObject> {
        let text = prop_oneof![Just("a"), Just("b"), Just("c")];
        let tone = prop_oneof![Just("x"), Just("y")];
        (text.clone(), text, tone, any::<bool>()).prop_map(|(name, content, tone, told)| {
            let feedback = if told {
                json!({"tone": tone, "language": "en"})
            } else {
                json!({"language": "en"})
            };
            object(&json!({"name": name, "content": content, "feedback": feedback}))
        })
    }

    proptest! {
        /// However a thing changes, whoever has the first pinned sees the first.
        #[test]
        fn nothing_moves_for_who_has_pinned(first in things(), later in prop::collection::vec(things(), 0..6)) {
            let (mut is, mut pinned) = (first.clone(), None);
            for next in later {
                pinned = pin(&is, &next, pinned.as_ref());
                is = next;
                let sees = pinned.as_ref().map_or_else(|| is.clone(), |pinned| seen(&is, pinned));
                prop_assert_eq!(&sees, &first);
                prop_assert_eq!(pinned.is_none(), is == first);
            }
        }
    }
}
