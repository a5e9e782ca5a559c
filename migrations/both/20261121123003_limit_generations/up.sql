-- A lesson is the target of two kinds of generation, of which only one may be under way.
DROP INDEX generations_one_pending;
CREATE UNIQUE INDEX generations_one_pending ON generations (workspace_id, target_id) WHERE status = 'pending';
