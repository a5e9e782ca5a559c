CREATE TABLE idempotency_replies (
    person_id text COLLATE "C" NOT NULL,
    workspace_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    reply text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (person_id, workspace_id, key)
);
CREATE INDEX idempotency_replies_age ON idempotency_replies (created_at);
