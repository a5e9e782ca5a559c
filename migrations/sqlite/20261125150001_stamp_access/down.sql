DROP TRIGGER api_keys_changed;
DROP TRIGGER api_keys_deleted;
DROP TRIGGER people_changed;
DROP TRIGGER people_deleted;
DROP TRIGGER users_changed;
DROP TRIGGER users_deleted;
DROP TRIGGER workspaces_changed;
DROP TRIGGER workspaces_deleted;
DROP TABLE access_stamps;
INSERT INTO counters (name, value) VALUES ('access', 0);
CREATE TRIGGER api_keys_changed AFTER UPDATE ON api_keys BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER people_changed AFTER UPDATE ON people BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER people_deleted AFTER DELETE ON people BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER users_changed AFTER UPDATE ON users BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER users_deleted AFTER DELETE ON users BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER workspaces_changed AFTER UPDATE ON workspaces BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER workspaces_deleted AFTER DELETE ON workspaces BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
