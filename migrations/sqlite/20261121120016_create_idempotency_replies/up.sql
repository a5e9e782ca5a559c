CREATE TABLE idempotency_replies (
    person_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    reply TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (person_id, workspace_id, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_replies_age ON idempotency_replies (created_at);
