-- A key may be made for a member of a workspace: whom it acts as there, and who made it. It opens that workspace alone
-- (`workspace_id`), and ends with the membership. Neither column decides who may come in.
ALTER TABLE api_keys ADD COLUMN user_id TEXT;
ALTER TABLE api_keys ADD COLUMN made_by TEXT;
