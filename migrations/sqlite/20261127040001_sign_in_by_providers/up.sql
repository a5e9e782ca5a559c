-- Connections of workspaces to identity providers. The client's secret lies here encrypted.
CREATE TABLE sso_connections (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    client_secret TEXT NOT NULL,
    role_claim TEXT,
    roles TEXT NOT NULL,
    default_role TEXT NOT NULL,
    greatest_role TEXT NOT NULL,
    just_in_time INTEGER NOT NULL,
    trusts_addresses INTEGER NOT NULL,
    enabled INTEGER NOT NULL,
    last_signed_in_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE INDEX sso_connections_by_id ON sso_connections (id);

-- Domains of addresses: the operator gives each to one workspace, whose admins have its people sign in by one of their connections.
CREATE TABLE sso_domains (
    domain TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    connection_id TEXT,
    created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sso_domains_of_workspace ON sso_domains (workspace_id);
CREATE INDEX sso_domains_connected ON sso_domains (connection_id) WHERE connection_id IS NOT NULL;

-- Who went to a provider and is not back yet. Neither nonce nor verifier lies here: both are made of the state, of which this is the hash, and of
-- what the browser holds.
CREATE TABLE sso_sign_ins (
    hash TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    connection_id TEXT NOT NULL,
    browser TEXT NOT NULL,
    place TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sso_sign_ins_expiry ON sso_sign_ins (expires_at);
CREATE INDEX sso_sign_ins_of_workspace ON sso_sign_ins (workspace_id);

-- Who somebody at a provider is here.
CREATE TABLE sso_identities (
    workspace_id TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, connection_id, subject),
    FOREIGN KEY (workspace_id, connection_id) REFERENCES sso_connections (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX sso_identities_of_person ON sso_identities (person_id);

-- Sessions that began by a connection, and what the provider calls its own: so that it can end them.
CREATE TABLE sso_sessions (
    workspace_id TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    key_id TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    subject TEXT NOT NULL,
    sid TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, connection_id, key_id),
    FOREIGN KEY (workspace_id, connection_id) REFERENCES sso_connections (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX sso_sessions_of_key ON sso_sessions (key_id);
CREATE INDEX sso_sessions_of_subject ON sso_sessions (workspace_id, connection_id, subject);
CREATE INDEX sso_sessions_by_sid ON sso_sessions (workspace_id, connection_id, sid) WHERE sid IS NOT NULL;
