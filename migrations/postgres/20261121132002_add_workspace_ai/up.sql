ALTER TABLE workspaces ADD COLUMN ai jsonb NOT NULL DEFAULT '{}';
