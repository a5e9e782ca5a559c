DROP INDEX api_keys_made_in;
ALTER TABLE api_keys DROP COLUMN made_in;
