-- How many jobs of each kind a workspace has that were given up.
CREATE INDEX jobs_given_up ON jobs (workspace_id, kind) WHERE state = 'dead';
