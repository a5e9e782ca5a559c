ALTER TABLE jobs ADD COLUMN lane TEXT NOT NULL DEFAULT 'ai';
ALTER TABLE jobs ADD COLUMN begun_at TEXT;
UPDATE jobs SET lane = 'work' WHERE kind IN ('export_scorm', 'remove_archive');
DROP INDEX jobs_queued;
DROP INDEX jobs_leased;
CREATE INDEX jobs_queued ON jobs (lane, run_at, id) WHERE state = 'queued';
CREATE INDEX jobs_leased ON jobs (lane, lease_until) WHERE state = 'running';
-- How many of its share each workspace has taken.
CREATE INDEX jobs_running ON jobs (lane, workspace_id) WHERE state = 'running';
