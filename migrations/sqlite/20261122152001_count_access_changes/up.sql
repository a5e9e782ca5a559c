-- Counts what changes of who may come in and where, in whatever process, so that readers know whether what they
-- remember is still so. Nothing new needs to be counted: readers do not remember what is not there.
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
