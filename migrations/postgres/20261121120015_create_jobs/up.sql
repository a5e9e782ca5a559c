CREATE TABLE jobs (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    payload jsonb NOT NULL,
    state text COLLATE "C" NOT NULL,
    attempt bigint NOT NULL,
    max_attempts bigint NOT NULL,
    run_at timestamptz NOT NULL,
    lease_until timestamptz,
    last_error text COLLATE "C",
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE INDEX jobs_queued ON jobs (run_at, id) WHERE state = 'queued';
CREATE INDEX jobs_leased ON jobs (lease_until) WHERE state = 'running';
CREATE INDEX jobs_of_subject ON jobs (workspace_id, subject_id);
