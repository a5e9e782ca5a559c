DROP TRIGGER api_keys_moved;
ALTER TABLE api_keys DROP COLUMN last_used_from;
-- A key without its networks would open from anywhere.
DELETE FROM api_keys WHERE allowed_addresses <> '';
ALTER TABLE api_keys DROP COLUMN allowed_addresses;
