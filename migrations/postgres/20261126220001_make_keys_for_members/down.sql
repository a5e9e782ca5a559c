-- What was made for a member would open everything of theirs without these.
DELETE FROM api_keys WHERE user_id IS NOT NULL;
ALTER TABLE api_keys DROP COLUMN made_by;
ALTER TABLE api_keys DROP COLUMN user_id;
