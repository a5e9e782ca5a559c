-- What is set aside of a workspace's AI budget for calls that are being made.
CREATE TABLE ai_reservations (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    tokens bigint NOT NULL,
    cost bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
-- Whoever sets something aside changes this row first, so that all of a workspace do it one after the other.
CREATE TABLE ai_budget_turns (
    workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    turn bigint NOT NULL
);
-- Counts of requests that nodes share; full_at is in microseconds since 1970.
CREATE TABLE limit_buckets (
    name text COLLATE "C" PRIMARY KEY,
    full_at bigint NOT NULL
);
