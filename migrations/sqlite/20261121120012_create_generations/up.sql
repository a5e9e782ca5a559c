CREATE TABLE generations (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    target_object TEXT NOT NULL,
    target_id TEXT NOT NULL,
    request TEXT NOT NULL,
    status TEXT NOT NULL,
    estimated_ready_at TEXT,
    result TEXT,
    error_code TEXT,
    error_message TEXT,
    completed INTEGER NOT NULL,
    total INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE INDEX generations_of_target ON generations (workspace_id, target_id, id);
CREATE UNIQUE INDEX generations_one_pending ON generations (workspace_id, target_id, kind) WHERE status = 'pending';
