-- Passkeys of people. One that was made in a session that opens a single workspace opens no more itself, and goes with it.
CREATE TABLE passkeys (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    person_id text COLLATE "C" NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    workspace_id text COLLATE "C" REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id text COLLATE "C",
    credential_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    credential text COLLATE "C" NOT NULL,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
CREATE INDEX passkeys_of_person ON passkeys (person_id, id);
CREATE INDEX passkeys_of_member ON passkeys (workspace_id, user_id);

-- What devices were asked and have not answered yet.
CREATE TABLE passkey_ceremonies (
    hash text COLLATE "C" NOT NULL PRIMARY KEY,
    person_id text COLLATE "C" REFERENCES people (id) ON DELETE CASCADE,
    browser text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_ceremonies_of_person ON passkey_ceremonies (person_id);
CREATE INDEX passkey_ceremonies_expiry ON passkey_ceremonies (expires_at);
