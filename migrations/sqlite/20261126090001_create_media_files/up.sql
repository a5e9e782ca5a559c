-- The media library. Files lie beside the database, by the id of their row; what came is told by its hash, so that what comes
-- twice is kept once.
CREATE TABLE media_files (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    kind TEXT,
    sha256 TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    uploaded_by TEXT NOT NULL,
    document TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX media_files_by_upload ON media_files (workspace_id, sha256, id);
CREATE INDEX media_files_of_kind ON media_files (workspace_id, kind, id);
CREATE INDEX media_files_sizes ON media_files (workspace_id, size_bytes);
