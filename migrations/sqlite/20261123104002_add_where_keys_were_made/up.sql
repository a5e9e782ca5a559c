-- The workspace through which a key was made: its audit and its events tell of the key, and no other's do.
ALTER TABLE api_keys ADD COLUMN made_in TEXT REFERENCES workspaces (id) ON DELETE SET NULL;
UPDATE api_keys SET made_in = workspace_id WHERE workspace_id IS NOT NULL;
-- A key of somebody who belongs to one workspace alone was made there; of others nobody knows, and nobody is told.
UPDATE api_keys SET made_in = (
    SELECT min(users.workspace_id) FROM users WHERE users.person_id = api_keys.person_id HAVING count(*) = 1
) WHERE workspace_id IS NULL;
-- What a cascade follows must be found without reading the whole table.
CREATE INDEX api_keys_made_in ON api_keys (made_in);
