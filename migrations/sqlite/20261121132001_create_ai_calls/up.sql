CREATE TABLE ai_calls (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    feature TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    host TEXT NOT NULL,
    model_asked TEXT NOT NULL,
    model TEXT,
    request_id TEXT,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    tokens_cached INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    cost INTEGER,
    latency_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    sent TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
-- What a month took is asked before every call: this answers it alone.
CREATE INDEX ai_calls_of_time ON ai_calls (workspace_id, created_at, tokens_in, tokens_out, tokens_cached, estimated, cost);
CREATE INDEX ai_calls_of_subject ON ai_calls (workspace_id, subject_id, id);
