-- Sessions of people in browsers are keys that know how and when their holder proved who they are. That proof decides what they may do, so
-- whoever remembers callers hears of its change.
ALTER TABLE api_keys ADD COLUMN signed_in_by text COLLATE "C";
ALTER TABLE api_keys ADD COLUMN signed_in_at timestamptz;
DROP TRIGGER api_keys_changed ON api_keys;
CREATE TRIGGER api_keys_changed AFTER UPDATE OF id, person_id, workspace_id, made_in, issued_by, package_id, kind, name, lookup, hash, scopes,
    expires_at, revoked_at, signed_in_by, signed_in_at ON api_keys FOR EACH ROW EXECUTE FUNCTION stamp_access_of_person();

-- Links that let people in, once. Whoever asks for an address that nobody has leaves a row of nobody, so that nothing tells the two apart.
CREATE TABLE sign_in_links (
    hash text COLLATE "C" NOT NULL PRIMARY KEY,
    person_id text COLLATE "C" REFERENCES people (id) ON DELETE CASCADE,
    email text COLLATE "C" NOT NULL,
    browser text COLLATE "C",
    method text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);
CREATE INDEX sign_in_links_of_person ON sign_in_links (person_id);
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);
