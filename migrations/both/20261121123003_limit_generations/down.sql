DROP INDEX generations_one_pending;
CREATE UNIQUE INDEX generations_one_pending ON generations (workspace_id, target_id, kind) WHERE status = 'pending';
