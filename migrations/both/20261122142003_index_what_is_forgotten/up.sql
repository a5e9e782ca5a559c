-- Whatever a sweep looks for is found without reading the rest.
CREATE INDEX jobs_dead ON jobs (updated_at) WHERE state = 'dead';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (created_at) WHERE status <> 'pending';
CREATE INDEX api_keys_expiring ON api_keys (kind, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX generation_steps_kept ON generation_steps (updated_at) WHERE result IS NOT NULL;
