-- How much a workspace keeps in the database, as it was last measured.
CREATE TABLE storage_use (
    workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    bytes bigint NOT NULL,
    measured_at timestamptz NOT NULL
);
