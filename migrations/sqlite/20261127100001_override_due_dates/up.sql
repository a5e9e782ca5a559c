-- What is taken off what comes late.
ALTER TABLE assignments ADD COLUMN late_policy TEXT;
-- By which due date a submission is judged, and at what price.
ALTER TABLE submissions ADD COLUMN due_terms TEXT;

-- Other due dates: for a cohort, or for one learner.
CREATE TABLE due_overrides (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    assignment_id TEXT NOT NULL,
    cohort_id TEXT,
    user_id TEXT,
    due_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE,
    CHECK ((cohort_id IS NULL) <> (user_id IS NULL))
) WITHOUT ROWID;
CREATE INDEX due_overrides_of_assignment ON due_overrides (workspace_id, assignment_id, id);
CREATE UNIQUE INDEX due_overrides_for_cohort ON due_overrides (workspace_id, assignment_id, cohort_id);
CREATE UNIQUE INDEX due_overrides_for_user ON due_overrides (workspace_id, assignment_id, user_id);
CREATE INDEX due_overrides_of_cohort ON due_overrides (workspace_id, cohort_id);
CREATE INDEX due_overrides_of_user ON due_overrides (workspace_id, user_id);
-- Those that came late, for when a due date becomes better for them.
CREATE INDEX submissions_late ON submissions (workspace_id, assignment_id, id) WHERE late;
