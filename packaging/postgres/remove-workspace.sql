-- Removes the rows of a workspace (`workspace`: its id). Its files stay: those that it has elsewhere are the same.
DELETE FROM idempotency_replies WHERE workspace_id = :'workspace';
DELETE FROM workspaces WHERE id = :'workspace';
