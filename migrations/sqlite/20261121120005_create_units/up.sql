CREATE TABLE units (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    objectives TEXT NOT NULL,
    position INTEGER NOT NULL,
    origin TEXT NOT NULL,
    model TEXT,
    generation_id TEXT,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX units_of_course ON units (workspace_id, course_id, position, id);
