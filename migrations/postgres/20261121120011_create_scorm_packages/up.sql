CREATE TABLE scorm_packages (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    cohort_id text COLLATE "C" NOT NULL,
    course_id text COLLATE "C" NOT NULL,
    edition text COLLATE "C" NOT NULL,
    runtime_base_url text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    estimated_ready_at timestamptz,
    file jsonb,
    error_code text COLLATE "C",
    error_message text COLLATE "C",
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX scorm_packages_of_cohort ON scorm_packages (workspace_id, cohort_id, id);
-- A download is found by its signed id alone.
CREATE INDEX scorm_packages_signed ON scorm_packages (id);
