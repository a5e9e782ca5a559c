CREATE TABLE submissions (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    assignment_id TEXT NOT NULL,
    cohort_id TEXT,
    user_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status TEXT NOT NULL,
    content_type TEXT NOT NULL,
    content TEXT NOT NULL,
    submitted_at TEXT,
    late BOOLEAN NOT NULL,
    max_score INTEGER NOT NULL,
    grade TEXT,
    ai_status TEXT,
    ai TEXT NOT NULL,
    run INTEGER NOT NULL,
    review_status TEXT,
    review_reasons TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE UNIQUE INDEX submissions_attempt ON submissions (workspace_id, assignment_id, user_id, attempt);
CREATE INDEX submissions_of_assignment ON submissions (workspace_id, assignment_id, id);
CREATE INDEX submissions_of_user ON submissions (workspace_id, user_id, id);
CREATE INDEX submissions_of_cohort ON submissions (workspace_id, cohort_id, id);

CREATE TABLE grades (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    run INTEGER NOT NULL,
    status TEXT NOT NULL,
    score INTEGER NOT NULL,
    max_score INTEGER NOT NULL,
    rubric_hash TEXT NOT NULL,
    criteria TEXT NOT NULL,
    feedback TEXT NOT NULL,
    grader TEXT NOT NULL,
    reason TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, submission_id) REFERENCES submissions (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX grades_of_submission ON grades (workspace_id, submission_id, id);
CREATE UNIQUE INDEX grades_run ON grades (workspace_id, submission_id, run) WHERE run > 0;
