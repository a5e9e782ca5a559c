-- Uploads to the media library that come in pieces, each of which is a file beside the database until all of them came.
CREATE TABLE media_uploads (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    uploaded_by TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    media_id TEXT,
    document TEXT NOT NULL,
    metadata TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX media_uploads_by_end ON media_uploads (expires_at);
CREATE INDEX media_uploads_under_way ON media_uploads (workspace_id, expires_at, size_bytes) WHERE media_id IS NULL;
