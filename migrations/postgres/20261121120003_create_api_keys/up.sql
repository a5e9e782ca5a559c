CREATE TABLE api_keys (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    person_id text COLLATE "C" NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    workspace_id text COLLATE "C" REFERENCES workspaces (id) ON DELETE CASCADE,
    issued_by text COLLATE "C" REFERENCES api_keys (id) ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    lookup text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    scopes text COLLATE "C" NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL
);
CREATE UNIQUE INDEX api_keys_lookup ON api_keys (lookup);
CREATE INDEX api_keys_of_person ON api_keys (person_id, id);
CREATE INDEX api_keys_issued_by ON api_keys (issued_by);
-- What a cascade follows must be found without reading the whole table.
CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id);

CREATE TABLE login_tokens (
    hash text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    email text COLLATE "C" NOT NULL,
    issued_by text COLLATE "C" NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX login_tokens_user ON login_tokens (workspace_id, user_id);
CREATE INDEX login_tokens_issued_by ON login_tokens (issued_by);
CREATE INDEX login_tokens_expiry ON login_tokens (expires_at);
