-- The processes that serve: a row each, renewed every few seconds, gone after a clean stop.
CREATE TABLE nodes (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    name text COLLATE "C",
    host text COLLATE "C" NOT NULL,
    version text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL
);
-- Who holds the lease.
ALTER TABLE jobs ADD COLUMN node_id text COLLATE "C";
ALTER TABLE webhook_deliveries ADD COLUMN node_id text COLLATE "C";
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (lease_until)
    WHERE status = 'pending' AND lease_until IS NOT NULL;
