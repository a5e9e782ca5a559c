-- How much a workspace keeps in the database, as it was last measured.
CREATE TABLE storage_use (
    workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    bytes INTEGER NOT NULL,
    measured_at TEXT NOT NULL
) WITHOUT ROWID;
