-- Uploads to the media library that come in pieces, each of which is a file beside the database until all of them came.
CREATE TABLE media_uploads (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    uploaded_by text COLLATE "C" NOT NULL,
    size_bytes bigint NOT NULL,
    media_id text COLLATE "C",
    document jsonb NOT NULL,
    metadata jsonb NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX media_uploads_by_end ON media_uploads (expires_at);
CREATE INDEX media_uploads_under_way ON media_uploads (workspace_id, expires_at, size_bytes) WHERE media_id IS NULL;
