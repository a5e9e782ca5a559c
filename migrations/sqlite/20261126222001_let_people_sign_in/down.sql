DROP TABLE sign_in_links;
DELETE FROM api_keys WHERE kind = 'web';
DROP TRIGGER api_keys_changed;
CREATE TRIGGER api_keys_changed AFTER UPDATE OF id, person_id, workspace_id, made_in, issued_by, package_id, kind, name, lookup, hash, scopes,
    expires_at, revoked_at ON api_keys
BEGIN
    INSERT INTO access_stamps (id, value) VALUES (OLD.person_id, random()) ON CONFLICT (id) DO UPDATE SET value = excluded.value;
END;
ALTER TABLE api_keys DROP COLUMN signed_in_at;
ALTER TABLE api_keys DROP COLUMN signed_in_by;
