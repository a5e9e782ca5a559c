//! When a course is done, on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::authoring::completion::{Completion, CompletionRule};
use lyceum_domain::json::JsonObject;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::patch::Patch;
use crate::shapes;

/// When a course is done, and what it takes to pass it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CompletionInput {
    /// What it is done by: `everything` (when absent), a `share` of its steps, all `quizzes` passed, or all `assignments` handed in.
    #[schema(schema_with = shapes::optional_word::<CompletionRule>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// With `share`, and only then: how much of the course it takes.
    #[schema(minimum = 1, maximum = 100, example = 80)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<i64>,
    /// The per cent it takes to pass; the average of what the quizzes take when absent.
    #[schema(minimum = 0, maximum = 100, example = 70)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passing_percent: Option<i64>,
}

impl CompletionInput {
    fn read(self) -> Result<Completion, Invalid> {
        let members = [
            ("rule", json!(self.rule)),
            ("percent", json!(self.percent)),
            ("passing_percent", json!(self.passing_percent)),
        ];
        let object: JsonObject = members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Completion::parse(&object)
    }
}

/// Of a course to be made.
///
/// # Errors
/// [`Invalid`] naming the member behind `completion`.
pub(super) fn completion(given: Option<CompletionInput>) -> Result<Completion, Invalid> {
    given.unwrap_or_default().read()
}

/// Of a change: replaced whole, and as it is where nobody says when cleared.
///
/// # Errors
/// [`Invalid`] naming the member behind `completion`.
pub(super) fn completion_change(
    given: Patch<CompletionInput>,
) -> Result<Option<Completion>, Invalid> {
    match given {
        Patch::Keep => Ok(None),
        Patch::Clear => Ok(Some(Completion::default())),
        Patch::Set(given) => given.read().map(Some),
    }
}

/// When a course is done, and what it takes to pass it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CompletionView {
    /// What it is done by.
    #[schema(schema_with = shapes::word::<CompletionRule>)]
    pub rule: String,
    /// With `share`: how much of the course it takes.
    #[schema(required)]
    pub percent: Option<u8>,
    /// The per cent it takes to pass; null where it is the average of what the quizzes take.
    #[schema(required)]
    pub passing_percent: Option<u8>,
}

impl Default for CompletionView {
    fn default() -> Self {
        Completion::default().into()
    }
}

impl From<Completion> for CompletionView {
    fn from(completion: Completion) -> Self {
        Self {
            rule: completion.done.rule().to_string(),
            percent: completion.done.percent(),
            passing_percent: completion.passing_percent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_that_does_not_say_is_done_by_everything() {
        let view = CompletionView::default();
        assert_eq!(
            (view.rule.as_str(), view.percent, view.passing_percent),
            ("everything", None, None)
        );
        let (percent, mark) = (Some(80), Some(60));
        let given = CompletionInput {
            rule: Some("share".to_owned()),
            percent,
            passing_percent: mark,
        };
        let read = completion(Some(given)).unwrap();
        assert_eq!(CompletionView::from(read).percent, Some(80));
        assert_eq!(completion_change(Patch::Keep).unwrap(), None);
        assert_eq!(
            completion_change(Patch::Clear).unwrap(),
            Some(Completion::default())
        );
    }
}
