-- The receipt of an erasure; a person is erased from a workspace once.
CREATE TABLE user_erasures (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    tables jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX user_erasures_user ON user_erasures (workspace_id, user_id);
-- Stands for the texts of a record whose person was erased: see docs/ai-internals.md.
ALTER TABLE grades ADD COLUMN tombstone text COLLATE "C";
