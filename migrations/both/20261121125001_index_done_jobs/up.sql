CREATE INDEX jobs_done ON jobs (workspace_id, kind, updated_at) WHERE state = 'done';
