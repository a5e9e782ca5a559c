-- Stamps what changes of who may come in and where, in whatever process, so that readers know whether what they remember is still so: of a
-- person, with their keys and memberships, and of a workspace. The note of a key's use decides nothing. A stamp is a lot and no
-- number that goes up: what was remembered before a backup came back is not taken for true after it.
CREATE TABLE access_stamps (
    id TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;
DROP TRIGGER api_keys_changed;
DROP TRIGGER api_keys_deleted;
DROP TRIGGER people_changed;
DROP TRIGGER people_deleted;
DROP TRIGGER users_changed;
DROP TRIGGER users_deleted;
DROP TRIGGER workspaces_changed;
DROP TRIGGER workspaces_deleted;
DELETE FROM counters WHERE name = 'access';
CREATE TRIGGER api_keys_changed AFTER UPDATE OF id, person_id, workspace_id, made_in, issued_by, package_id, kind, name, lookup, hash, scopes,
    expires_at, revoked_at ON api_keys
BEGIN
    INSERT INTO access_stamps (id, value) VALUES (OLD.person_id, random()) ON CONFLICT (id) DO UPDATE SET value = excluded.value;
END;
CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys BEGIN
    INSERT INTO access_stamps (id, value) VALUES (OLD.person_id, random()) ON CONFLICT (id) DO UPDATE SET value = excluded.value;
END;
CREATE TRIGGER people_changed AFTER UPDATE ON people BEGIN
    INSERT INTO access_stamps (id, value) VALUES (OLD.id, random()) ON CONFLICT (id) DO UPDATE SET value = excluded.value;
END;
CREATE TRIGGER people_deleted AFTER DELETE ON people BEGIN
    INSERT INTO access_stamps (id, value) VALUES (OLD.id, random()) ON CONFLICT (id) DO UPDATE SET value = excluded.value;
END;
CREATE TRIGGER users_changed AFTER UPDATE ON users BEGIN
    INSERT INTO access_stamps (id, value) VALUES (OLD.person_id, random()) ON CONFLICT (id) DO UPDATE SET value = excluded.value;
END;
CREATE TRIGGER users_deleted AFTER DELETE ON users BEGIN
    INSERT INTO access_stamps (id, value) VALUES (OLD.person_id, random()) ON CONFLICT (id) DO UPDATE SET value = excluded.value;
END;
CREATE TRIGGER workspaces_changed AFTER UPDATE ON workspaces BEGIN
    INSERT INTO access_stamps (id, value) VALUES (OLD.id, random()) ON CONFLICT (id) DO UPDATE SET value = excluded.value;
END;
CREATE TRIGGER workspaces_deleted AFTER DELETE ON workspaces BEGIN
    INSERT INTO access_stamps (id, value) VALUES (OLD.id, random()) ON CONFLICT (id) DO UPDATE SET value = excluded.value;
END;
