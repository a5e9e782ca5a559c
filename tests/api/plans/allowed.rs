//! What may read more than it gives, and why that is all right.
//!
//! Statements are written as `walk::shape` leaves them: without quotation marks, values as `?`, lists as `(?)`.

/// Statements with all of these words in them.
pub struct Allowed {
    pub words: &'static [&'static str],
    pub because: &'static str,
}

const fn allow(words: &'static [&'static str], because: &'static str) -> Allowed {
    Allowed { words, because }
}

const FEW: &str = "a small table, which does not grow with learners";
const WALK: &str = "a page is read newest first until it is full or has looked at enough; an index for each such filter would cost every write";
const INSIDE: &str = "looks into texts and documents, which no index of ours does: read newest first until the page is full or has looked at enough";
const UNDER_WAY: &str =
    "what is under way, by an index of nothing else: no more than the workers take up at once";
const OF_A_PERSON: &str =
    "a person's data is looked for in all of a workspace, once per export and erasure";
const OF_A_WORKSPACE: &str = "a workspace goes with all that is in it";
const OF_A_LEARNER: &str = "what is in the few courses of one learner";
const FEW_TRIES: &str = "one learner's tries at one thing, which are few";
const ONES_OWN: &str = "what one learner handed in, put in order as it is read";

/// On both databases.
pub const ALLOWED: &[Allowed] = &[
    allow(&["FROM __diesel_schema_migrations"], FEW),
    allow(&["FROM nodes"], FEW),
    allow(
        &["users.consent = ?", "ORDER BY users.id"],
        "a person belongs to few workspaces",
    ),
    allow(&["users.consent != ?", "LIMIT"], WALK),
    allow(
        &["FROM idempotency_replies", "idempotency_replies.subjects"],
        OF_A_PERSON,
    ),
    allow(
        &[
            "DELETE FROM mails",
            "mails.workspace_id = ?",
            "mails.address = ?",
        ],
        OF_A_PERSON,
    ),
    allow(
        &[
            "jobs.state = 'queued'",
            "jobs.updated_at > ?",
            "ORDER BY jobs.run_at DESC",
        ],
        "looked at when a node starts or its clock goes back, among what is queued",
    ),
    allow(
        &["jobs.state = 'dead'", "GROUP BY jobs.kind"],
        "counted by an index of nothing else: jobs of a month whose process was gone each time",
    ),
    allow(
        &["storage_use"],
        "a row per workspace, looked at once a minute and beside everything else",
    ),
    allow(
        &["SUM(", "octet_length(body)"],
        "all that a workspace keeps, measured once an hour and beside everything else",
    ),
    allow(
        &["FROM workspaces LIMIT"],
        "any row at all: whether the database answers",
    ),
    allow(
        &[
            "webhook_endpoints.status = ?",
            "ORDER BY webhook_endpoints.id ASC",
        ],
        FEW,
    ),
    allow(
        &["FROM sso_domains", "sso_domains.workspace_id = ?"],
        "domains that the operator gave to a workspace, a handful",
    ),
    allow(
        &["limit_buckets.full_at <= ?", "LIMIT"],
        "a row per caller of the last minutes; swept once an hour",
    ),
    allow(&["jobs.state = 'running'"], UNDER_WAY),
    allow(&["bulk_writes.done_at IS NULL"], UNDER_WAY),
    allow(
        &["FROM bulk_writes", "bulk_writes.asked_by = ?"],
        OF_A_PERSON,
    ),
    allow(&["FROM generation_pieces", "decided_by = "], OF_A_PERSON),
    allow(
        &["generation_pieces.generation_id = ?", "LIMIT"],
        "as many as a course has things",
    ),
    allow(
        &["enrollments.cohort_id = ?", "AS named", "LIMIT"],
        "the students of one cohort, who are put in order as they are read",
    ),
    allow(
        &[
            "webhook_deliveries.status = 'pending'",
            "webhook_deliveries.lease_until",
        ],
        UNDER_WAY,
    ),
    allow(
        &["mails.status = 'pending'", "mails.lease_until"],
        UNDER_WAY,
    ),
    allow(
        &["mails.status = 'pending'", "mails.updated_at > ?"],
        "looked at when a node starts or its clock goes back, among what waits",
    ),
    allow(&[".created_at >", "LIMIT"], WALK),
    allow(
        &["submissions.graded_at >= ?", "ORDER BY submissions.id DESC"],
        WALK,
    ),
    allow(
        &["submissions.graded_at < ?", "ORDER BY submissions.id DESC"],
        WALK,
    ),
    allow(&["substr(submissions.grader", "LIMIT"], WALK),
    allow(&["submissions.grader IN (?)", "LIMIT"], WALK),
    allow(
        &[
            "submissions.user_id = ?",
            "submissions.graded_at IS NOT NULL",
            "LIMIT",
        ],
        ONES_OWN,
    ),
    allow(
        &[
            "submissions.user_id = ?",
            "submissions.score IS NOT NULL",
            "LIMIT",
        ],
        ONES_OWN,
    ),
    allow(&["trash.restorable_until > ?", "LIMIT"], WALK),
    allow(&["courses.status = ?", "LIMIT"], WALK),
    allow(&["courses.language = ?", "LIMIT"], WALK),
    allow(&["cohorts.status = ?", "LIMIT"], WALK),
    allow(&["activities.kind = ?", "LIMIT"], WALK),
    allow(&["users.kind = ?", "LIMIT"], WALK),
    allow(&["generations.status = ?", "LIMIT"], WALK),
    allow(&["scorm_packages.status = ?", "LIMIT"], WALK),
    allow(&["media_files.status = ?", "LIMIT"], WALK),
    allow(&["audit_entries.action = ?", "LIMIT"], WALK),
    allow(&["audit_entries.actor = ?", "LIMIT"], WALK),
    allow(&["audit_entries.api_key_id = ?", "LIMIT"], WALK),
    allow(&["audit_entries.subject_object = ?", "LIMIT"], WALK),
    allow(&["ai_calls.feature = ?", "LIMIT"], WALK),
    allow(&["ai_calls.outcome = ?", "LIMIT"], WALK),
    allow(&["lower(", "LIKE ?", "LIMIT"], INSIDE),
    allow(&["course_id IN (?)", "LIMIT"], OF_A_LEARNER),
    allow(
        &["attempts.activity_id = ?", "attempts.user_id = ?", "LIMIT"],
        FEW_TRIES,
    ),
    allow(
        &[
            "submissions.assignment_id = ?",
            "submissions.user_id = ?",
            "LIMIT",
        ],
        FEW_TRIES,
    ),
    allow(&["generation_steps.task_hash = ?", "LIMIT"], FEW_TRIES),
    allow(
        &["workspace_id = 'wsp_", "ORDER BY created_at"],
        OF_A_PERSON,
    ),
    allow(&["events.object_id IN (?)", "events.body"], OF_A_PERSON),
    allow(&["DELETE FROM workspaces"], OF_A_WORKSPACE),
    allow(
        &["scorm_packages.origin_id FROM scorm_packages WHERE (scorm_packages.workspace_id = ?)"],
        OF_A_WORKSPACE,
    ),
    allow(&["generation_steps.key LIKE ?"], OF_A_WORKSPACE),
    allow(
        &["media_files.id FROM media_files WHERE (media_files.workspace_id = ?)"],
        OF_A_WORKSPACE,
    ),
    allow(
        &["media_uploads.document FROM media_uploads WHERE (media_uploads.workspace_id = ?)"],
        OF_A_WORKSPACE,
    ),
    allow(
        &["SUM(size_bytes) FROM media_files"],
        "a library is summed up when something is uploaded, with what of it lies in the trash",
    ),
    allow(&["jobs.kind = ?", "jobs.state != ?"], OF_A_WORKSPACE),
];

/// On SQLite, whose metadata is text.
pub const ALLOWED_ON_SQLITE: &[Allowed] = &[
    allow(&["json_each("], INSIDE),
    allow(&["FROM pragma_table_info("], FEW),
    allow(
        &["SELECT trash_rows.id FROM", "trash_rows.part = ?"],
        OF_A_WORKSPACE,
    ),
];

/// On PostgreSQL.
pub const ALLOWED_ON_POSTGRES: &[Allowed] = &[
    allow(
        &[
            "FROM sso_domains",
            "sso_domains.connection_id IS NOT NULL",
            "LIMIT",
        ],
        "any domain at all: whether people sign in by a provider here",
    ),
    allow(
        &[
            "FROM sso_sessions",
            "sso_sessions.connection_id = ?",
            "ORDER BY sso_sessions.key_id",
        ],
        "sessions of a connection, all of which end with it",
    ),
    allow(
        &[
            "api_keys.person_id = ?",
            "api_keys.revoked_at IS NULL",
            "ORDER BY api_keys.id",
        ],
        "a person has twenty live sessions at most",
    ),
    allow(
        &["api_keys.workspace_id = ?", "ORDER BY api_keys.id"],
        "a member has few keys of one platform",
    ),
    allow(
        &["SELECT id, name FROM", ") > 0", "ORDER BY id LIMIT"],
        "every text of a workspace is looked through when a media file is deleted",
    ),
    allow(&["metadata -> ?"], INSIDE),
    allow(&["submissions.review_reasons @> ?", "LIMIT"], INSIDE),
    allow(&["activities.recording IS NOT NULL"], OF_A_WORKSPACE),
    allow(&["trash_rows.file IS NOT NULL"], OF_A_WORKSPACE),
    allow(
        &["trash_rows AS r CROSS JOIN generations AS g"],
        "an item of the trash beside what is pending in a workspace, which are few: of a page of rows either order is the same",
    ),
    allow(
        &[
            "batch_items.state = ?",
            "ORDER BY batch_items.submission_id DESC",
        ],
        "two items are sorted sooner than an index is walked; of many it is batch_items_by_submission",
    ),
];

/// Indexes that the walk has no use for, and who has.
pub const WAITING: &[(&str, &str)] = &[
    (
        "grades_result",
        "an answer that was graded before, of AI that is asked over the network",
    ),
    ("sso_connections_by_id", LOGGED_OUT),
    ("sso_sessions_by_sid", LOGGED_OUT),
    ("sso_sessions_of_subject", LOGGED_OUT),
];

const LOGGED_OUT: &str = "what an identity provider tells of somebody who signed out there";
