DROP TRIGGER api_keys_changed;
DROP TRIGGER api_keys_deleted;
DROP TRIGGER people_changed;
DROP TRIGGER people_deleted;
DROP TRIGGER users_changed;
DROP TRIGGER users_deleted;
DROP TRIGGER workspaces_changed;
DROP TRIGGER workspaces_deleted;
DELETE FROM counters WHERE name = 'access';
