CREATE TABLE submissions (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    assignment_id text COLLATE "C" NOT NULL,
    cohort_id text COLLATE "C",
    user_id text COLLATE "C" NOT NULL,
    attempt bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    content_type text COLLATE "C" NOT NULL,
    content text COLLATE "C" NOT NULL,
    submitted_at timestamptz,
    late boolean NOT NULL,
    max_score bigint NOT NULL,
    grade jsonb,
    ai_status text COLLATE "C",
    ai jsonb NOT NULL,
    run bigint NOT NULL,
    review_status text COLLATE "C",
    review_reasons jsonb NOT NULL,
    metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX submissions_attempt ON submissions (workspace_id, assignment_id, user_id, attempt);
CREATE INDEX submissions_of_assignment ON submissions (workspace_id, assignment_id, id);
CREATE INDEX submissions_of_user ON submissions (workspace_id, user_id, id);
CREATE INDEX submissions_of_cohort ON submissions (workspace_id, cohort_id, id);

CREATE TABLE grades (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    submission_id text COLLATE "C" NOT NULL,
    run bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    score bigint NOT NULL,
    max_score bigint NOT NULL,
    rubric_hash text COLLATE "C" NOT NULL,
    criteria jsonb NOT NULL,
    feedback text COLLATE "C" NOT NULL,
    grader jsonb NOT NULL,
    reason text COLLATE "C",
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, submission_id) REFERENCES submissions (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX grades_of_submission ON grades (workspace_id, submission_id, id);
CREATE UNIQUE INDEX grades_run ON grades (workspace_id, submission_id, run) WHERE run > 0;
