-- Mails to be sent, and for a while what came of them. What one says may be a link that opens something: it lies here encrypted, and
-- no longer than until the mail is sent or given up. `party` is whose turn it is: the workspace, or `-`.
CREATE TABLE mails (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" REFERENCES workspaces (id) ON DELETE CASCADE,
    party text COLLATE "C" NOT NULL,
    address text COLLATE "C" NOT NULL,
    language text COLLATE "C" NOT NULL,
    template text COLLATE "C" NOT NULL,
    content text COLLATE "C",
    withheld boolean NOT NULL,
    status text COLLATE "C" NOT NULL,
    attempts bigint NOT NULL,
    next_attempt_at timestamptz,
    lease_until timestamptz,
    node_id text COLLATE "C",
    last_error text COLLATE "C",
    not_after timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL
);
CREATE INDEX mails_waiting ON mails (party, next_attempt_at, id) WHERE status = 'pending';
CREATE INDEX mails_leased ON mails (party, lease_until) WHERE status = 'pending' AND lease_until IS NOT NULL;
CREATE INDEX mails_to ON mails (address, template, created_at);
CREATE INDEX mails_of_workspace ON mails (workspace_id) WHERE workspace_id IS NOT NULL;
CREATE INDEX mails_by_age ON mails (created_at);
