-- The receipt of an erasure; a person is erased from a workspace once.
CREATE TABLE user_erasures (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    tables TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX user_erasures_user ON user_erasures (workspace_id, user_id);
-- Stands for the texts of a record whose person was erased: see docs/ai-internals.md.
ALTER TABLE grades ADD COLUMN tombstone TEXT;
