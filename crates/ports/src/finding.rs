//! What lists are searched in and sorted by: one row for each kind of thing that is listed, for whoever reads a request and
//! for whoever keeps the things.

/// What the lists of a kind of thing can be searched in and sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// What `q` is looked for in, in words for the documentation; nothing where there is no text of people.
    pub searched: Option<&'static str>,
    /// The words that `sort` may be.
    pub sorts: &'static [&'static str],
}

/// By age alone.
const BY_AGE: &[&str] = &["created_at", "-created_at"];
/// By what it is called, too.
const BY_NAME: &[&str] = &["created_at", "-created_at", "name", "-name"];
/// By the last change, too: what people work on.
const BY_ALL: &[&str] = &[
    "created_at",
    "-created_at",
    "updated_at",
    "-updated_at",
    "name",
    "-name",
];

/// By the grade that stands, too.
const BY_GRADE: &[&str] = &[
    "created_at",
    "-created_at",
    "graded_at",
    "-graded_at",
    "decided_at",
    "-decided_at",
    "score",
    "-score",
];

const IN_NAME: &str = "With this text in the name. The case of ASCII letters does not matter.";
const IN_NAME_OR_ADDRESS: &str =
    "With this text in the name or the address. The case of ASCII letters does not matter.";
const IN_LEARNER: &str = "Of people with this text in their name or address. The case of ASCII letters does not matter. Finds \
                          nothing for a key that may not read students.";

/// The row of a kind of thing, by what it is called in `object`. What stands in no row goes by age alone.
pub fn of(object: &str) -> Finding {
    let (searched, sorts) = match object {
        "course" | "cohort" | "unit" | "lesson" | "activity" | "assignment" => {
            (Some(IN_NAME), BY_ALL)
        }
        "user" => (Some(IN_NAME_OR_ADDRESS), BY_ALL),
        "enrollment" => (Some(IN_NAME_OR_ADDRESS), BY_NAME),
        "media_file" => (
            Some(
                "With this text in the name of the file, the title or the alternative text. The case of ASCII letters does not \
                 matter.",
            ),
            BY_AGE,
        ),
        "submission" => (Some(IN_LEARNER), BY_GRADE),
        "attempt" | "scorm_learner" | "batch_item" => (Some(IN_LEARNER), BY_AGE),
        "api_key" | "passkey" | "sso_connection" | "trash_item" | "workspace" | "invitation" => {
            (Some(IN_NAME), BY_AGE)
        }
        "webhook_endpoint" => (
            Some(
                "With this text in the address or the description. The case of ASCII letters does not matter.",
            ),
            BY_AGE,
        ),
        _ => (None, BY_AGE),
    };
    Finding { searched, sorts }
}
