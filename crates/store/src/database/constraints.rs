//! Which field a broken uniqueness rule is about.

/// The field of a unique index, by the index's name (PostgreSQL) or its columns (SQLite cannot name the
/// constraint it broke, only the columns).
pub fn field_of(message: &str, constraint: Option<&str>) -> Option<&'static str> {
    const RULES: &[(&str, &str, &str)] = &[
        (
            "workspaces_platform_code",
            "workspaces.platform_code",
            "code",
        ),
        ("people_email", "people.email", "email"),
        ("sso_domains_pkey", "sso_domains.domain", "domain"),
        (
            "users_person",
            "users.workspace_id, users.person_id",
            "email",
        ),
        (
            "enrollments_of_cohort",
            "enrollments.workspace_id, enrollments.cohort_id, enrollments.user_id",
            "user_id",
        ),
        (
            "due_overrides_for_cohort",
            "due_overrides.workspace_id, due_overrides.assignment_id, due_overrides.cohort_id",
            "cohort_id",
        ),
        (
            "due_overrides_for_user",
            "due_overrides.workspace_id, due_overrides.assignment_id, due_overrides.user_id",
            "user_id",
        ),
        (
            "submissions_attempt",
            "submissions.workspace_id, submissions.assignment_id, submissions.user_id, submissions.attempt",
            "assignment_id",
        ),
        (
            "grades_run",
            "grades.workspace_id, grades.submission_id, grades.run",
            "run",
        ),
        (
            "grades_sequence",
            "grades.workspace_id, grades.submission_id, grades.sequence",
            "sequence",
        ),
        (
            "batches_one_busy",
            "batches.workspace_id, batches.assignment_id, batches.kind",
            "assignment_id",
        ),
        (
            "certificates_one_open",
            "certificates.workspace_id, certificates.assignment_id",
            "assignment_id",
        ),
        (
            "certificate_records_pkey",
            "certificate_records.workspace_id, certificate_records.id",
            "sequence",
        ),
        (
            "certificate_records_sequence",
            "certificate_records.workspace_id, certificate_records.assignment_id, certificate_records.sequence",
            "sequence",
        ),
        (
            "generations_one_pending",
            "generations.workspace_id, generations.target_id",
            "target",
        ),
        (
            "attempts_number",
            "attempts.workspace_id, attempts.activity_id, attempts.user_id, attempts.number",
            "activity_id",
        ),
        (
            "lesson_completions_once",
            "lesson_completions.workspace_id, lesson_completions.user_id, lesson_completions.lesson_id",
            "lesson_id",
        ),
        (
            "scorm_learners_first",
            "scorm_learners.workspace_id, scorm_learners.cohort_id, scorm_learners.identity",
            "learner.id",
        ),
        (
            "scorm_learners_user",
            "scorm_learners.workspace_id, scorm_learners.user_id, scorm_learners.package_id",
            "learner.id",
        ),
        (
            "webhook_deliveries_once",
            "webhook_deliveries.workspace_id, webhook_deliveries.event_id, webhook_deliveries.endpoint_id",
            "event_id",
        ),
    ];
    RULES
        .iter()
        .find(|(index, columns, _)| constraint == Some(*index) || message.ends_with(columns))
        .map(|(_, _, field)| *field)
}
