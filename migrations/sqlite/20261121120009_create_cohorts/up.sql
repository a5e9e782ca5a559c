CREATE TABLE cohorts (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    starts_at TEXT,
    ends_at TEXT,
    timezone TEXT NOT NULL,
    capacity INTEGER,
    student_count INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX cohorts_of_course ON cohorts (workspace_id, course_id, id);

CREATE TABLE enrollments (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    cohort_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE UNIQUE INDEX enrollments_of_cohort ON enrollments (workspace_id, cohort_id, user_id);
CREATE INDEX enrollments_of_user ON enrollments (workspace_id, user_id, id);
