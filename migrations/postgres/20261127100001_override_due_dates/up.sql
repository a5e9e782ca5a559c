-- What is taken off what comes late.
ALTER TABLE assignments ADD COLUMN late_policy jsonb;
-- By which due date a submission is judged, and at what price.
ALTER TABLE submissions ADD COLUMN due_terms jsonb;

-- Other due dates: for a cohort, or for one learner.
CREATE TABLE due_overrides (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    assignment_id text COLLATE "C" NOT NULL,
    cohort_id text COLLATE "C",
    user_id text COLLATE "C",
    due_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE,
    CHECK ((cohort_id IS NULL) <> (user_id IS NULL))
);
CREATE INDEX due_overrides_of_assignment ON due_overrides (workspace_id, assignment_id, id);
CREATE UNIQUE INDEX due_overrides_for_cohort ON due_overrides (workspace_id, assignment_id, cohort_id);
CREATE UNIQUE INDEX due_overrides_for_user ON due_overrides (workspace_id, assignment_id, user_id);
CREATE INDEX due_overrides_of_cohort ON due_overrides (workspace_id, cohort_id);
CREATE INDEX due_overrides_of_user ON due_overrides (workspace_id, user_id);
-- Those that came late, for when a due date becomes better for them.
CREATE INDEX submissions_late ON submissions (workspace_id, assignment_id, id) WHERE late;
