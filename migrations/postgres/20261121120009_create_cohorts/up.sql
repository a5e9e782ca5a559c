CREATE TABLE cohorts (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    course_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    starts_at timestamptz,
    ends_at timestamptz,
    timezone text COLLATE "C" NOT NULL,
    capacity bigint,
    student_count bigint NOT NULL,
    metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX cohorts_of_course ON cohorts (workspace_id, course_id, id);

CREATE TABLE enrollments (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    cohort_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX enrollments_of_cohort ON enrollments (workspace_id, cohort_id, user_id);
CREATE INDEX enrollments_of_user ON enrollments (workspace_id, user_id, id);
