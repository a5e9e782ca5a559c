//! When a course is done, and what it takes to pass it.

use serde_json::{Value, json};

use crate::Invalid;
use crate::json::JsonObject;
use crate::words::words;

words!(
    /// What a course is done by.
    CompletionRule {
        /// Every step of it.
        Everything = "everything",
        /// A share of its steps.
        Share = "share",
        /// Every quiz that is scored, passed.
        Quizzes = "quizzes",
        /// Every assignment, handed in; graded, where a package waits for grades.
        Assignments = "assignments",
    }
);

/// When a course is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Done {
    /// When every step is.
    #[default]
    Everything,
    /// When this per cent of the steps is: 1 to 100.
    Share(u8),
    /// When every scored quiz is passed.
    Quizzes,
    /// When every assignment is handed in.
    Assignments,
}

impl Done {
    /// The rule without its number.
    pub const fn rule(self) -> CompletionRule {
        match self {
            Self::Everything => CompletionRule::Everything,
            Self::Share(_) => CompletionRule::Share,
            Self::Quizzes => CompletionRule::Quizzes,
            Self::Assignments => CompletionRule::Assignments,
        }
    }

    /// The share of the steps, where it is by that.
    pub const fn percent(self) -> Option<u8> {
        match self {
            Self::Share(percent) => Some(percent),
            Self::Everything | Self::Quizzes | Self::Assignments => None,
        }
    }
}

/// When a course is done, and what it takes to pass it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Completion {
    /// When it is done.
    pub done: Done,
    /// The per cent it takes to pass: 0 to 100. Absent, it is the average of what its quizzes take.
    pub passing_percent: Option<u8>,
}

impl Completion {
    /// Reads `{rule, percent, passing_percent}`; what is absent or `null` is as it is where nobody said anything.
    ///
    /// # Errors
    /// [`Invalid`] naming the member behind `completion`.
    pub fn parse(object: &JsonObject) -> Result<Self, Invalid> {
        let rule = match member(object, "rule") {
            None => CompletionRule::Everything,
            Some(word) => word
                .as_str()
                .and_then(|word| CompletionRule::parse(word).ok())
                .ok_or_else(|| {
                    wrong("rule", "must be everything, share, quizzes or assignments")
                })?,
        };
        let percent = percent_at(object, "percent", 1)?;
        let done = match (rule, percent) {
            (CompletionRule::Share, Some(percent)) => Done::Share(percent),
            (CompletionRule::Share, None) => {
                return Err(wrong("percent", "must say how much of the course it takes"));
            }
            (_, Some(_)) => return Err(wrong("percent", "is for the rule share alone")),
            (CompletionRule::Everything, None) => Done::Everything,
            (CompletionRule::Quizzes, None) => Done::Quizzes,
            (CompletionRule::Assignments, None) => Done::Assignments,
        };
        Ok(Self {
            done,
            passing_percent: percent_at(object, "passing_percent", 0)?,
        })
    }

    /// The same as an object, without what nobody said.
    pub fn to_json(&self) -> JsonObject {
        let members = [
            ("rule", json!(self.done.rule().as_str())),
            ("percent", json!(self.done.percent())),
            ("passing_percent", json!(self.passing_percent)),
        ];
        let said = members.into_iter().filter(|(_, value)| !value.is_null());
        said.map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

fn member<'a>(object: &'a JsonObject, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

fn percent_at(object: &JsonObject, name: &str, least: u8) -> Result<Option<u8>, Invalid> {
    let Some(given) = member(object, name) else {
        return Ok(None);
    };
    let percent = given
        .as_u64()
        .and_then(|percent| u8::try_from(percent).ok());
    let percent = percent.filter(|percent| (least..=100).contains(percent));
    percent
        .map(Some)
        .ok_or_else(|| wrong(name, &format!("must be an integer between {least} and 100")))
}

fn wrong(name: &str, problem: &str) -> Invalid {
    Invalid::new(format!("completion.{name}"), problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn parse(given: &Value) -> Result<Completion, String> {
        let read = Completion::parse(given.as_object().unwrap());
        read.map_err(|problem| problem.field)
    }

    #[rstest]
    #[case(json!({"rule": "everything"}))]
    #[case(json!({"rule": "share", "percent": 80, "passing_percent": 60}))]
    #[case(json!({"rule": "quizzes", "passing_percent": 0}))]
    #[case(json!({"rule": "assignments"}))]
    fn what_is_said_is_kept(#[case] given: Value) {
        let read = parse(&given).unwrap();
        assert_eq!(Value::Object(read.to_json()), given);
    }

    #[test]
    fn nothing_said_is_everything_and_the_quizzes_own_marks() {
        assert_eq!(parse(&json!({})), Ok(Completion::default()));
        let nulls = json!({"rule": null, "percent": null, "passing_percent": null});
        assert_eq!(parse(&nulls), Ok(Completion::default()));
    }

    #[rstest]
    #[case(json!({"rule": "luck"}), "rule")]
    #[case(json!({"rule": 7}), "rule")]
    #[case(json!({"rule": "share"}), "percent")]
    #[case(json!({"rule": "share", "percent": 0}), "percent")]
    #[case(json!({"rule": "share", "percent": 101}), "percent")]
    #[case(json!({"rule": "quizzes", "percent": 50}), "percent")]
    #[case(json!({"passing_percent": 101}), "passing_percent")]
    #[case(json!({"passing_percent": 50.5}), "passing_percent")]
    fn what_is_no_rule_is_named(#[case] given: Value, #[case] field: &str) {
        assert_eq!(parse(&given), Err(format!("completion.{field}")));
    }
}
