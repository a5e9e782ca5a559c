CREATE TABLE ai_calls (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    feature text COLLATE "C" NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    host text COLLATE "C" NOT NULL,
    model_asked text COLLATE "C" NOT NULL,
    model text COLLATE "C",
    request_id text COLLATE "C",
    tokens_in bigint NOT NULL,
    tokens_out bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    estimated bigint NOT NULL,
    cost bigint,
    latency_ms bigint NOT NULL,
    outcome text COLLATE "C" NOT NULL,
    sent jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
-- What a month took is asked before every call: this answers it alone.
CREATE INDEX ai_calls_of_time ON ai_calls (workspace_id, created_at, tokens_in, tokens_out, tokens_cached, estimated, cost);
CREATE INDEX ai_calls_of_subject ON ai_calls (workspace_id, subject_id, id);
