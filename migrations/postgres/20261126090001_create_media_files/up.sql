-- The media library. Files lie beside the database, by the id of their row; what came is told by its hash, so that what comes
-- twice is kept once.
CREATE TABLE media_files (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    kind text COLLATE "C",
    sha256 text COLLATE "C" NOT NULL,
    size_bytes bigint NOT NULL,
    uploaded_by text COLLATE "C" NOT NULL,
    document jsonb NOT NULL,
    metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX media_files_by_upload ON media_files (workspace_id, sha256, id);
CREATE INDEX media_files_of_kind ON media_files (workspace_id, kind, id);
CREATE INDEX media_files_sizes ON media_files (workspace_id, size_bytes);
