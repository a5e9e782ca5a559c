-- What waits of each workspace and for each endpoint, so that they take turns whatever the length of the queues.
CREATE INDEX jobs_waiting ON jobs (lane, workspace_id, run_at, id) WHERE state = 'queued';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, next_attempt_at, id) WHERE status = 'pending';
CREATE INDEX webhook_endpoints_by_id ON webhook_endpoints (id);
