-- Mails to be sent, and for a while what came of them. What one says may be a link that opens something: it lies here encrypted, and
-- no longer than until the mail is sent or given up. `party` is whose turn it is: the workspace, or `-`.
CREATE TABLE mails (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT REFERENCES workspaces (id) ON DELETE CASCADE,
    party TEXT NOT NULL,
    address TEXT NOT NULL,
    language TEXT NOT NULL,
    template TEXT NOT NULL,
    content TEXT,
    withheld INTEGER NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_attempt_at TEXT,
    lease_until TEXT,
    node_id TEXT,
    last_error TEXT,
    not_after TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL
);
CREATE INDEX mails_waiting ON mails (party, next_attempt_at, id) WHERE status = 'pending';
CREATE INDEX mails_leased ON mails (party, lease_until) WHERE status = 'pending' AND lease_until IS NOT NULL;
CREATE INDEX mails_to ON mails (address, template, created_at);
CREATE INDEX mails_of_workspace ON mails (workspace_id) WHERE workspace_id IS NOT NULL;
CREATE INDEX mails_by_age ON mails (created_at);
