-- Stamps what changes of who may come in and where, so that nodes know whether what they remember is still so: of a person, with their keys
-- and memberships, and of a workspace. The note of a key's use decides nothing. A stamp is a lot and no number that goes up: what
-- was remembered before a backup came back is not taken for true after it.
CREATE TABLE access_stamps (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    value bigint NOT NULL
);
CREATE FUNCTION stamp_access(whom text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO access_stamps (id, value) VALUES (whom, hashtextextended(gen_random_uuid()::text, 0))
    ON CONFLICT (id) DO UPDATE SET value = excluded.value;
$$;
CREATE FUNCTION stamp_access_of_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM stamp_access(OLD.person_id);
    RETURN NULL;
END
$$;
CREATE FUNCTION stamp_access_of_itself() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM stamp_access(OLD.id);
    RETURN NULL;
END
$$;
CREATE TRIGGER api_keys_changed AFTER UPDATE OF id, person_id, workspace_id, made_in, issued_by, package_id, kind, name, lookup, hash, scopes,
    expires_at, revoked_at ON api_keys FOR EACH ROW EXECUTE FUNCTION stamp_access_of_person();
CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION stamp_access_of_person();
CREATE TRIGGER people_changed AFTER UPDATE OR DELETE ON people FOR EACH ROW EXECUTE FUNCTION stamp_access_of_itself();
CREATE TRIGGER users_changed AFTER UPDATE OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION stamp_access_of_person();
CREATE TRIGGER workspaces_changed AFTER UPDATE OR DELETE ON workspaces FOR EACH ROW EXECUTE FUNCTION stamp_access_of_itself();
