DROP TABLE sign_in_links;
DELETE FROM api_keys WHERE kind = 'web';
DROP TRIGGER api_keys_changed ON api_keys;
CREATE TRIGGER api_keys_changed AFTER UPDATE OF id, person_id, workspace_id, made_in, issued_by, package_id, kind, name, lookup, hash, scopes,
    expires_at, revoked_at ON api_keys FOR EACH ROW EXECUTE FUNCTION stamp_access_of_person();
ALTER TABLE api_keys DROP COLUMN signed_in_at;
ALTER TABLE api_keys DROP COLUMN signed_in_by;
