CREATE TABLE api_keys (
    id TEXT NOT NULL PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    workspace_id TEXT REFERENCES workspaces (id) ON DELETE CASCADE,
    issued_by TEXT REFERENCES api_keys (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    lookup TEXT NOT NULL,
    hash TEXT NOT NULL,
    scopes TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT,
    last_used_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX api_keys_lookup ON api_keys (lookup);
CREATE INDEX api_keys_of_person ON api_keys (person_id, id);
CREATE INDEX api_keys_issued_by ON api_keys (issued_by);
-- What a cascade follows must be found without reading the whole table.
CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id);

CREATE TABLE login_tokens (
    hash TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    email TEXT NOT NULL,
    issued_by TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX login_tokens_user ON login_tokens (workspace_id, user_id);
CREATE INDEX login_tokens_issued_by ON login_tokens (issued_by);
CREATE INDEX login_tokens_expiry ON login_tokens (expires_at);
