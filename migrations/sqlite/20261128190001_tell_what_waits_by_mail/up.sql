-- Members who are told by mail each morning what waits for a person: when next, and which day was told last. A table of its own, because a
-- write to `users` makes every node ask anew who its callers are.
CREATE TABLE digests (
    workspace_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    next_at TEXT,
    last_on TEXT,
    PRIMARY KEY (workspace_id, user_id),
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX digests_due ON digests (next_at) WHERE next_at IS NOT NULL;
