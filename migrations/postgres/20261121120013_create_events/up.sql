CREATE TABLE events (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    object_id text COLLATE "C" NOT NULL,
    body text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX events_of_object ON events (workspace_id, object_id, id);
