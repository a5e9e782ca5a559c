CREATE TABLE scorm_packages (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    cohort_id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    edition TEXT NOT NULL,
    runtime_base_url TEXT NOT NULL,
    status TEXT NOT NULL,
    estimated_ready_at TEXT,
    file TEXT,
    error_code TEXT,
    error_message TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX scorm_packages_of_cohort ON scorm_packages (workspace_id, cohort_id, id);
-- A download is found by its signed id alone.
CREATE INDEX scorm_packages_signed ON scorm_packages (id);
