-- Sets `workspace` to the id of a workspace (`platform`: its uuid), and holds it: whatever is added to it has to lock its row
-- first. Where there is none, this fails.
SELECT id AS workspace FROM workspaces WHERE platform_uuid = :'platform' FOR UPDATE \gset
