-- From where a key may be used: networks with a space between, from anywhere when there is none. That decides who may come in; from where a key
-- was used last decides nothing.
ALTER TABLE api_keys ADD COLUMN allowed_addresses text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN last_used_from text COLLATE "C";
CREATE TRIGGER api_keys_moved AFTER UPDATE OF allowed_addresses ON api_keys FOR EACH ROW EXECUTE FUNCTION stamp_access_of_person();
