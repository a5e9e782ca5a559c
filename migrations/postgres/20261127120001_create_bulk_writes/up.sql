-- Writes that are asked for by the hundred and done in the background: what is asked until it is done, and then what came of it.
CREATE TABLE bulk_writes (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    asked_by text COLLATE "C" NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    request_id text COLLATE "C",
    operation text NOT NULL,
    is_dry_run boolean NOT NULL,
    is_strict boolean NOT NULL,
    size bigint NOT NULL,
    asked text NOT NULL,
    results text NOT NULL,
    done_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX bulk_writes_by_age ON bulk_writes (created_at);
CREATE INDEX bulk_writes_under_way ON bulk_writes (workspace_id, asked_by) WHERE done_at IS NULL;
