CREATE TABLE courses (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    description TEXT NOT NULL,
    hours INTEGER NOT NULL,
    minutes_generated INTEGER NOT NULL,
    status TEXT NOT NULL,
    ai_instructions TEXT NOT NULL,
    ai_evaluator TEXT NOT NULL,
    tutor TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
