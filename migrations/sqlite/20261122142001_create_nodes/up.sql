-- The processes that serve: a row each, renewed every few seconds, gone after a clean stop.
CREATE TABLE nodes (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at TEXT NOT NULL,
    seen_at TEXT NOT NULL
) WITHOUT ROWID;
-- Who holds the lease.
ALTER TABLE jobs ADD COLUMN node_id TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN node_id TEXT;
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (lease_until)
    WHERE status = 'pending' AND lease_until IS NOT NULL;
