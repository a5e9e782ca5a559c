-- Sessions of people in browsers are keys that know how and when their holder proved who they are. That proof decides what they may do, so
-- whoever remembers callers hears of its change.
ALTER TABLE api_keys ADD COLUMN signed_in_by TEXT;
ALTER TABLE api_keys ADD COLUMN signed_in_at TEXT;
DROP TRIGGER api_keys_changed;
CREATE TRIGGER api_keys_changed AFTER UPDATE OF id, person_id, workspace_id, made_in, issued_by, package_id, kind, name, lookup, hash, scopes,
    expires_at, revoked_at, signed_in_by, signed_in_at ON api_keys
BEGIN
    INSERT INTO access_stamps (id, value) VALUES (OLD.person_id, random()) ON CONFLICT (id) DO UPDATE SET value = excluded.value;
END;

-- Links that let people in, once. Whoever asks for an address that nobody has leaves a row of nobody, so that nothing tells the two apart.
CREATE TABLE sign_in_links (
    hash TEXT NOT NULL PRIMARY KEY,
    person_id TEXT REFERENCES people (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    browser TEXT,
    method TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT
) WITHOUT ROWID;
CREATE INDEX sign_in_links_of_person ON sign_in_links (person_id);
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);
