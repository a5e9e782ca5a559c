CREATE TABLE webhook_endpoints (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    url text COLLATE "C" NOT NULL,
    enabled_events jsonb NOT NULL,
    description text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    secret text COLLATE "C" NOT NULL,
    previous_secret text COLLATE "C",
    previous_secret_until timestamptz,
    failing_since timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);

CREATE TABLE webhook_deliveries (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    endpoint_id text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    attempts bigint NOT NULL,
    next_attempt_at timestamptz,
    lease_until timestamptz,
    last_status bigint,
    last_error text COLLATE "C",
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, event_id) REFERENCES events (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (workspace_id, event_id, endpoint_id);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (workspace_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
