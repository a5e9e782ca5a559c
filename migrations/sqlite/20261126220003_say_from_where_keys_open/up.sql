-- From where a key may be used: networks with a space between, from anywhere when there is none. That decides who may come in; from where a key
-- was used last decides nothing.
ALTER TABLE api_keys ADD COLUMN allowed_addresses TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN last_used_from TEXT;
CREATE TRIGGER api_keys_moved AFTER UPDATE OF allowed_addresses ON api_keys
BEGIN
    INSERT INTO access_stamps (id, value) VALUES (OLD.person_id, random()) ON CONFLICT (id) DO UPDATE SET value = excluded.value;
END;
