-- Passkeys of people. One that was made in a session that opens a single workspace opens no more itself, and goes with it.
CREATE TABLE passkeys (
    id TEXT NOT NULL PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    workspace_id TEXT REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id TEXT,
    credential_id TEXT NOT NULL,
    name TEXT NOT NULL,
    credential TEXT NOT NULL,
    last_used_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
CREATE INDEX passkeys_of_person ON passkeys (person_id, id);
CREATE INDEX passkeys_of_member ON passkeys (workspace_id, user_id);

-- What devices were asked and have not answered yet.
CREATE TABLE passkey_ceremonies (
    hash TEXT NOT NULL PRIMARY KEY,
    person_id TEXT REFERENCES people (id) ON DELETE CASCADE,
    browser TEXT NOT NULL,
    state TEXT NOT NULL,
    expires_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX passkey_ceremonies_of_person ON passkey_ceremonies (person_id);
CREATE INDEX passkey_ceremonies_expiry ON passkey_ceremonies (expires_at);
