CREATE INDEX events_by_time ON events (workspace_id, created_at);
