CREATE TABLE generations (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    target_object text COLLATE "C" NOT NULL,
    target_id text COLLATE "C" NOT NULL,
    request jsonb NOT NULL,
    status text COLLATE "C" NOT NULL,
    estimated_ready_at timestamptz,
    result jsonb,
    error_code text COLLATE "C",
    error_message text COLLATE "C",
    completed bigint NOT NULL,
    total bigint NOT NULL,
    tokens_in bigint NOT NULL,
    tokens_out bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX generations_of_target ON generations (workspace_id, target_id, id);
CREATE UNIQUE INDEX generations_one_pending ON generations (workspace_id, target_id, kind) WHERE status = 'pending';
