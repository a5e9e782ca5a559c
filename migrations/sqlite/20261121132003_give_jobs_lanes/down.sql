DROP INDEX jobs_running;
DROP INDEX jobs_leased;
DROP INDEX jobs_queued;
CREATE INDEX jobs_queued ON jobs (run_at, id) WHERE state = 'queued';
CREATE INDEX jobs_leased ON jobs (lease_until) WHERE state = 'running';
ALTER TABLE jobs DROP COLUMN begun_at;
ALTER TABLE jobs DROP COLUMN lane;
