//! Every table, and what in it is about a person: the list that exports are made from.
//!
//! A table that is not named here either way fails a test: whoever adds one decides.

/// A table with rows about people.
pub struct Table {
    pub name: &'static str,
    /// Which rows are about the person: `{w}` is the workspace, `{u}` the user, `{p}` the person.
    pub about: &'static str,
    /// What of them is shown. Ciphertexts and hashes of secrets are not.
    pub columns: &'static [Column],
}

/// A column, and how it is written as JSON.
pub struct Column(pub &'static str, pub Kind);

#[derive(Clone, Copy)]
pub enum Kind {
    /// A text or a number.
    Plain,
    /// A JSON document.
    Document,
    /// A moment.
    Moment,
    /// Yes or no.
    Bool,
}

use Kind::{Bool, Document, Moment, Plain};

/// The person's submissions.
const THEIRS: &str = "workspace_id = {w} AND user_id = {u}";

pub const TABLES: &[Table] = &[
    Table {
        name: "people",
        about: "id = {p}",
        // Since when, and as whom, a person is known elsewhere is nothing of this workspace.
        columns: &[Column("email", Plain)],
    },
    Table {
        name: "users",
        about: "workspace_id = {w} AND id = {u}",
        columns: &[
            Column("id", Plain),
            Column("kind", Plain),
            Column("email", Plain),
            Column("name", Plain),
            Column("role", Plain),
            Column("language", Plain),
            Column("timezone", Plain),
            Column("external_id", Plain),
            Column("metadata", Document),
            Column("invited_by", Plain),
            Column("suspension", Plain),
            Column("sessions_ended_at", Moment),
            Column("created_at", Moment),
            Column("updated_at", Moment),
            // Not what they said to the invitation: a no is theirs, a yes stands beside the data.
        ],
    },
    Table {
        name: "digests",
        about: THEIRS,
        columns: &[Column("next_at", Moment), Column("last_on", Plain)],
    },
    Table {
        name: "enrollments",
        about: THEIRS,
        columns: &[
            Column("id", Plain),
            Column("cohort_id", Plain),
            Column("status", Plain),
            Column("created_at", Moment),
            Column("updated_at", Moment),
        ],
    },
    Table {
        name: "versions",
        about: "workspace_id = {w} AND (made_by = {u} OR replaced_by = {u})",
        // What they wrote is the course's, as the course itself is.
        columns: &[
            Column("id", Plain),
            Column("lesson_id", Plain),
            Column("activity_id", Plain),
            Column("assignment_id", Plain),
            Column("number", Plain),
            Column("created_at", Moment),
            Column("replaced_at", Moment),
        ],
    },
    Table {
        name: "generation_pieces",
        about: "workspace_id = {w} AND decided_by = {u}",
        // What they decided about is the course's.
        columns: &[
            Column("id", Plain),
            Column("generation_id", Plain),
            Column("kind", Plain),
            Column("status", Plain),
            Column("decided_at", Moment),
            Column("result_id", Plain),
        ],
    },
    Table {
        name: "waiting_changes",
        about: "workspace_id = {w} AND made_by = {u}",
        // What they wrote is the course's, as the course itself is.
        columns: &[
            Column("id", Plain),
            Column("course_id", Plain),
            Column("created_at", Moment),
            Column("updated_at", Moment),
        ],
    },
    Table {
        name: "due_overrides",
        about: THEIRS,
        columns: &[
            Column("id", Plain),
            Column("assignment_id", Plain),
            Column("due_at", Moment),
            Column("created_at", Moment),
            Column("updated_at", Moment),
        ],
    },
    Table {
        name: "submissions",
        about: THEIRS,
        columns: &[
            Column("id", Plain),
            Column("assignment_id", Plain),
            Column("course_id", Plain),
            Column("cohort_id", Plain),
            Column("attempt", Plain),
            Column("status", Plain),
            Column("content_type", Plain),
            Column("content", Plain),
            Column("submitted_at", Moment),
            Column("late", Bool),
            Column("due_terms", Document),
            Column("assignment_version", Plain),
            Column("max_score", Plain),
            Column("grade", Document),
            Column("score", Plain),
            Column("ai_status", Plain),
            Column("ai", Document),
            Column("review_status", Plain),
            Column("review_reasons", Document),
            Column("metadata", Document),
            Column("grade_sequence", Plain),
            Column("grade_receipt", Plain),
            Column("created_at", Moment),
            Column("updated_at", Moment),
        ],
    },
    Table {
        name: "grades",
        about: "workspace_id = {w} AND submission_id IN \
            (SELECT id FROM submissions WHERE workspace_id = {w} AND user_id = {u})",
        columns: &[
            Column("id", Plain),
            Column("submission_id", Plain),
            Column("run", Plain),
            Column("status", Plain),
            Column("score", Plain),
            Column("max_score", Plain),
            Column("rubric_hash", Plain),
            Column("criteria", Document),
            Column("feedback", Plain),
            Column("grader", Document),
            Column("reason", Plain),
            Column("review_reasons", Document),
            Column("sequence", Plain),
            Column("text_hash", Plain),
            Column("answer_hash", Plain),
            Column("previous", Plain),
            Column("receipt", Plain),
            Column("rubric", Plain),
            Column("answer", Plain),
            Column("tombstone", Plain),
            Column("created_at", Moment),
        ],
    },
    Table {
        name: "batch_items",
        about: "workspace_id = {w} AND submission_id IN \
            (SELECT id FROM submissions WHERE workspace_id = {w} AND user_id = {u})",
        columns: &[
            Column("id", Plain),
            Column("batch_id", Plain),
            Column("submission_id", Plain),
            Column("state", Plain),
            Column("document", Document),
        ],
    },
    Table {
        name: "media_files",
        about: "workspace_id = {w} AND uploaded_by = {u}",
        columns: &[
            Column("id", Plain),
            Column("status", Plain),
            Column("kind", Plain),
            Column("sha256", Plain),
            Column("size_bytes", Plain),
            Column("document", Document),
            Column("metadata", Document),
            Column("created_at", Moment),
            Column("updated_at", Moment),
        ],
    },
    Table {
        name: "media_uploads",
        about: "workspace_id = {w} AND uploaded_by = {u}",
        columns: &[
            Column("id", Plain),
            Column("size_bytes", Plain),
            Column("media_id", Plain),
            Column("document", Document),
            Column("metadata", Document),
            Column("expires_at", Moment),
            Column("created_at", Moment),
            Column("updated_at", Moment),
        ],
    },
    Table {
        name: "bulk_writes",
        about: "workspace_id = {w} AND asked_by = {u}",
        // What is asked of others is theirs, and forgotten when it is done.
        columns: &[
            Column("id", Plain),
            Column("key_id", Plain),
            Column("request_id", Plain),
            Column("operation", Plain),
            Column("size", Plain),
            Column("done_at", Moment),
            Column("created_at", Moment),
            Column("updated_at", Moment),
        ],
    },
    Table {
        name: "attempts",
        about: THEIRS,
        columns: &[
            Column("id", Plain),
            Column("activity_id", Plain),
            Column("course_id", Plain),
            Column("number", Plain),
            Column("answers", Document),
            Column("score", Plain),
            Column("max_score", Plain),
            Column("percent", Plain),
            Column("passed", Bool),
            Column("results", Document),
            Column("created_at", Moment),
        ],
    },
    Table {
        name: "lesson_completions",
        about: THEIRS,
        columns: &[
            Column("id", Plain),
            Column("lesson_id", Plain),
            Column("course_id", Plain),
            Column("created_at", Moment),
        ],
    },
    Table {
        name: "tutor_turns",
        about: THEIRS,
        columns: &[
            Column("id", Plain),
            Column("thread_id", Plain),
            Column("lesson_id", Plain),
            Column("message", Plain),
            Column("reply", Plain),
            Column("hint_level", Plain),
            Column("act", Plain),
            Column("model", Plain),
            Column("citations", Document),
            Column("handoff_to_teacher", Bool),
            Column("created_at", Moment),
        ],
    },
    Table {
        name: "scorm_learners",
        about: THEIRS,
        columns: &[
            Column("id", Plain),
            Column("cohort_id", Plain),
            Column("package_id", Plain),
            Column("identity", Plain),
            Column("claimed_id", Plain),
            Column("lms_origin", Plain),
            Column("lms_title", Plain),
            Column("lms_version", Plain),
            Column("trust", Plain),
            Column("created_at", Moment),
            Column("launched_at", Moment),
        ],
    },
    Table {
        name: "api_keys",
        // Those that were made elsewhere are nothing of this workspace.
        about: "person_id = {p} AND made_in = {w}",
        columns: &[
            Column("id", Plain),
            Column("kind", Plain),
            Column("name", Plain),
            Column("lookup", Plain),
            Column("scopes", Plain),
            Column("made_by", Plain),
            Column("issued_by", Plain),
            Column("package_id", Plain),
            Column("expires_at", Moment),
            Column("revoked_at", Moment),
            Column("last_used_at", Moment),
            Column("signed_in_by", Plain),
            Column("signed_in_at", Moment),
            Column("last_used_from", Plain),
            Column("created_at", Moment),
            Column("updated_at", Moment),
        ],
    },
    Table {
        name: "login_tokens",
        about: THEIRS,
        columns: &[
            Column("email", Plain),
            Column("issued_by", Plain),
            Column("created_at", Moment),
            Column("expires_at", Moment),
            Column("used_at", Moment),
        ],
    },
    Table {
        name: "mails",
        // Those of no workspace, such as links to sign in, are nothing of this one.
        about: "workspace_id = {w} AND address = (SELECT email FROM users WHERE workspace_id = {w} AND id = {u})",
        columns: &[
            Column("id", Plain),
            Column("address", Plain),
            Column("language", Plain),
            Column("template", Plain),
            Column("status", Plain),
            Column("created_at", Moment),
        ],
    },
    Table {
        name: "passkeys",
        // What people do elsewhere is nothing of this workspace: of whoever belongs to another one too, those of this one alone are told.
        about: "person_id = {p} AND (workspace_id = {w} OR workspace_id IS NULL AND NOT EXISTS \
            (SELECT 1 FROM users WHERE users.person_id = {p} AND users.workspace_id <> {w}))",
        columns: &[
            Column("id", Plain),
            Column("name", Plain),
            Column("last_used_at", Moment),
            Column("created_at", Moment),
        ],
    },
    Table {
        name: "passkey_ceremonies",
        about: "person_id = {p} AND NOT EXISTS \
            (SELECT 1 FROM users WHERE users.person_id = {p} AND users.workspace_id <> {w})",
        columns: &[Column("expires_at", Moment)],
    },
    Table {
        name: "sign_in_links",
        // What people do elsewhere is nothing of this workspace: of whoever belongs to another one too, none is told.
        about: "person_id = {p} AND (workspace_id = {w} OR workspace_id IS NULL AND NOT EXISTS \
            (SELECT 1 FROM users WHERE users.person_id = {p} AND users.workspace_id <> {w}))",
        columns: &[
            Column("email", Plain),
            Column("method", Plain),
            Column("created_at", Moment),
            Column("expires_at", Moment),
            Column("used_at", Moment),
        ],
    },
    Table {
        name: "sso_identities",
        about: "workspace_id = {w} AND person_id = {p}",
        columns: &[
            Column("connection_id", Plain),
            Column("subject", Plain),
            Column("created_at", Moment),
        ],
    },
    Table {
        name: "sso_sessions",
        about: "workspace_id = {w} AND key_id IN (SELECT id FROM api_keys WHERE person_id = {p})",
        columns: &[
            Column("connection_id", Plain),
            Column("key_id", Plain),
            Column("subject", Plain),
            Column("sid", Plain),
            Column("created_at", Moment),
        ],
    },
    Table {
        name: "ai_calls",
        about: "workspace_id = {w} AND subject_id IN \
            (SELECT id FROM submissions WHERE workspace_id = {w} AND user_id = {u} UNION ALL \
            SELECT id FROM trash_rows WHERE workspace_id = {w} AND user_id = {u} AND part = 'submissions')",
        columns: &[
            Column("id", Plain),
            Column("feature", Plain),
            Column("subject_id", Plain),
            Column("host", Plain),
            Column("model_asked", Plain),
            Column("model", Plain),
            Column("request_id", Plain),
            Column("tokens_in", Plain),
            Column("tokens_out", Plain),
            Column("spender", Plain),
            Column("outcome", Plain),
            Column("sent", Document),
            Column("created_at", Moment),
        ],
    },
    Table {
        name: "jobs",
        about: "workspace_id = {w} AND subject_id IN \
            (SELECT id FROM submissions WHERE workspace_id = {w} AND user_id = {u})",
        columns: &[
            Column("id", Plain),
            Column("kind", Plain),
            Column("subject_id", Plain),
            Column("payload", Document),
            Column("state", Plain),
            Column("attempt", Plain),
            Column("last_error", Plain),
            Column("created_at", Moment),
        ],
    },
    Table {
        name: "audit_entries",
        about: "workspace_id = {w} AND (user_id = {u} OR subject_id = {u} OR subject_id IN \
            (SELECT id FROM submissions WHERE workspace_id = {w} AND user_id = {u} UNION ALL \
            SELECT id FROM trash_rows WHERE workspace_id = {w} AND user_id = {u} AND part = 'submissions') OR subject_id IN \
            (SELECT id FROM api_keys WHERE person_id = {p}))",
        columns: &[
            Column("id", Plain),
            Column("actor", Plain),
            Column("user_id", Plain),
            Column("api_key_id", Plain),
            Column("request_id", Plain),
            Column("action", Plain),
            Column("subject_object", Plain),
            Column("subject_id", Plain),
            Column("old", Document),
            Column("new", Document),
            Column("created_at", Moment),
        ],
    },
    Table {
        name: "user_erasures",
        about: THEIRS,
        columns: &[
            Column("id", Plain),
            Column("tables", Document),
            Column("created_at", Moment),
        ],
    },
];

/// Tables with rows about people that are found by what is in them, and by no column.
#[cfg(test)]
pub const SEARCHED: &[&str] = &[
    "events",
    "idempotency_replies",
    // Rows of the tables above, found by whose they are.
    "trash_rows",
    "webhook_deliveries",
];

/// Tables in which nothing is about a person.
#[cfg(test)]
pub const IMPERSONAL: &[&str] = &[
    // Ids, which say nothing once what they are of is gone, and lots.
    "access_stamps",
    "activities",
    "ai_reservations",
    "assignments",
    // What is asked and what came of it in figures; what is said of each is in its items.
    "batches",
    // Points, receipts and ids of submissions, as their grades have them; they stay as these stay.
    "certificate_answers",
    "certificate_records",
    "certificates",
    "cohorts",
    "counters",
    "courses",
    "generation_steps",
    "generations",
    "lessons",
    // Ids alone, for a minute.
    "limit_buckets",
    "nodes",
    // What a course said.
    "pinned_contents",
    "scorm_packages",
    "service_secrets",
    "sso_connections",
    "sso_domains",
    // Of nobody yet, for ten minutes.
    "sso_sign_ins",
    "storage_use",
    // Of a person's own thing the item goes with what it holds.
    "trash",
    "units",
    "unwanted_files",
    "webhook_endpoints",
    "workspaces",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_table_is_decided_about() {
        let schema = include_str!("../../mapping/schema.rs");
        let tables: BTreeSet<&str> = schema
            .lines()
            .filter_map(|line| line.strip_suffix(") {")?.trim().split_once(" ("))
            .map(|(name, _)| name)
            .collect();
        let personal = TABLES.iter().map(|table| table.name);
        let all: Vec<&str> = personal
            .chain(SEARCHED.iter().copied())
            .chain(IMPERSONAL.iter().copied())
            .collect();
        assert_eq!(tables, all.iter().copied().collect::<BTreeSet<_>>());
        assert_eq!(tables.len(), all.len(), "a table is named twice");
    }
}
