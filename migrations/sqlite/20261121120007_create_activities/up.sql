CREATE TABLE activities (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    lesson_id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    position INTEGER NOT NULL,
    origin TEXT NOT NULL,
    model TEXT,
    generation_id TEXT,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX activities_of_lesson ON activities (workspace_id, lesson_id, position, id);
CREATE INDEX activities_of_course ON activities (workspace_id, course_id, id);
