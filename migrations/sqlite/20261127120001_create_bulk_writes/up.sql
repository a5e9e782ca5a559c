-- Writes that are asked for by the hundred and done in the background: what is asked until it is done, and then what came of it.
CREATE TABLE bulk_writes (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    key_id TEXT NOT NULL,
    request_id TEXT,
    operation TEXT NOT NULL,
    is_dry_run INTEGER NOT NULL,
    is_strict INTEGER NOT NULL,
    size INTEGER NOT NULL,
    asked TEXT NOT NULL,
    results TEXT NOT NULL,
    done_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX bulk_writes_by_age ON bulk_writes (created_at);
CREATE INDEX bulk_writes_under_way ON bulk_writes (workspace_id, asked_by) WHERE done_at IS NULL;
