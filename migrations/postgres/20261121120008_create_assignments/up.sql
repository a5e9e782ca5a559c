CREATE TABLE assignments (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    course_id text COLLATE "C" NOT NULL,
    unit_id text COLLATE "C",
    lesson_id text COLLATE "C",
    name text COLLATE "C" NOT NULL,
    instructions text COLLATE "C" NOT NULL,
    max_score bigint NOT NULL,
    due_at timestamptz,
    max_attempts bigint,
    rubric jsonb,
    ai_enabled boolean NOT NULL,
    ai_model text COLLATE "C" NOT NULL,
    human_review text COLLATE "C" NOT NULL,
    tone text COLLATE "C" NOT NULL,
    verbosity text COLLATE "C" NOT NULL,
    feedback_language text COLLATE "C" NOT NULL,
    metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, unit_id) REFERENCES units (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX assignments_of_course ON assignments (workspace_id, course_id, id);
CREATE INDEX assignments_of_unit ON assignments (workspace_id, unit_id, id);
CREATE INDEX assignments_of_lesson ON assignments (workspace_id, lesson_id, id);
