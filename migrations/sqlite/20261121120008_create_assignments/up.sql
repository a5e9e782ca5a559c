CREATE TABLE assignments (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    unit_id TEXT,
    lesson_id TEXT,
    name TEXT NOT NULL,
    instructions TEXT NOT NULL,
    max_score INTEGER NOT NULL,
    due_at TEXT,
    max_attempts INTEGER,
    rubric TEXT,
    ai_enabled BOOLEAN NOT NULL,
    ai_model TEXT NOT NULL,
    human_review TEXT NOT NULL,
    tone TEXT NOT NULL,
    verbosity TEXT NOT NULL,
    feedback_language TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, unit_id) REFERENCES units (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX assignments_of_course ON assignments (workspace_id, course_id, id);
CREATE INDEX assignments_of_unit ON assignments (workspace_id, unit_id, id);
CREATE INDEX assignments_of_lesson ON assignments (workspace_id, lesson_id, id);
