DROP TRIGGER api_keys_changed ON api_keys;
DROP TRIGGER api_keys_deleted ON api_keys;
DROP TRIGGER people_changed ON people;
DROP TRIGGER users_changed ON users;
DROP TRIGGER workspaces_changed ON workspaces;
DROP FUNCTION stamp_access_of_person;
DROP FUNCTION stamp_access_of_itself;
DROP FUNCTION stamp_access;
DROP TABLE access_stamps;
