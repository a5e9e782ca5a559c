-- Invitations are links that let somebody in who is not known yet, and say to what. They go with the workspace that invites; with the
-- membership they are ended, so that nothing of them comes back with it from the trash.
ALTER TABLE sign_in_links ADD COLUMN workspace_id TEXT REFERENCES workspaces (id) ON DELETE CASCADE;
ALTER TABLE sign_in_links ADD COLUMN user_id TEXT;
ALTER TABLE sign_in_links ADD COLUMN mail_id TEXT;
CREATE INDEX sign_in_links_of_member ON sign_in_links (workspace_id, user_id);
