-- What is set aside of a workspace's AI budget for calls that are being made.
CREATE TABLE ai_reservations (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
-- Whoever sets something aside changes this row first, so that all of a workspace do it one after the other.
CREATE TABLE ai_budget_turns (
    workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    turn INTEGER NOT NULL
) WITHOUT ROWID;
-- Counts of requests that nodes share; full_at is in microseconds since 1970.
CREATE TABLE limit_buckets (
    name TEXT PRIMARY KEY,
    full_at INTEGER NOT NULL
) WITHOUT ROWID;
