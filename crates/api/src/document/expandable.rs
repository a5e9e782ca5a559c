//! Which paths answer with something that can be expanded, or read as a cohort sees it.

/// The kind of object that a path answers with, if it can be expanded.
pub fn expandable(pattern: &str) -> Option<&'static str> {
    let collection = pattern.strip_prefix("/v1/")?.trim_end_matches("/{id}");
    let kinds = [
        ("courses", "course"),
        ("cohorts", "cohort"),
        ("units", "unit"),
        ("lessons", "lesson"),
        ("activities", "activity"),
        ("assignments", "assignment"),
        ("submissions", "submission"),
    ];
    kinds
        .iter()
        .find(|(name, _)| *name == collection)
        .map(|(_, kind)| *kind)
}

/// The parameter that says as which cohort.
pub const READ_AS: &str = "as_cohort";

/// Whether what a path answers with can be read as a cohort sees it: courses, for what is put into them, and what is in courses.
pub fn is_read_as(method: &str, pattern: &str) -> bool {
    let kinds = ["course", "unit", "lesson", "activity", "assignment"];
    method == "GET" && expandable(pattern).is_some_and(|kind| kinds.contains(&kind))
}
