CREATE TABLE lessons (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    unit_id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    name TEXT NOT NULL,
    summary TEXT NOT NULL,
    objectives TEXT NOT NULL,
    content TEXT NOT NULL,
    duration_minutes INTEGER NOT NULL,
    position INTEGER NOT NULL,
    origin TEXT NOT NULL,
    model TEXT,
    generation_id TEXT,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, unit_id) REFERENCES units (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX lessons_of_unit ON lessons (workspace_id, unit_id, position, id);
CREATE INDEX lessons_of_course ON lessons (workspace_id, course_id, id);
