//! Which paths answer with something that can be expanded.

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
