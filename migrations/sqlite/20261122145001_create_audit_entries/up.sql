CREATE TABLE audit_entries (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    actor TEXT NOT NULL,
    user_id TEXT,
    api_key_id TEXT,
    request_id TEXT,
    action TEXT NOT NULL,
    subject_object TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    old TEXT NOT NULL,
    new TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE INDEX audit_entries_of_subject ON audit_entries (workspace_id, subject_id, id);
CREATE INDEX audit_entries_of_user ON audit_entries (workspace_id, user_id, id);
CREATE INDEX audit_entries_of_time ON audit_entries (workspace_id, created_at, id);
-- Append-only: nobody changes an entry, and none goes but with its whole workspace.
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries
BEGIN
    SELECT RAISE(ABORT, 'audit entries are never changed');
END;
CREATE TRIGGER audit_entries_remain BEFORE DELETE ON audit_entries
WHEN EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id)
BEGIN
    SELECT RAISE(ABORT, 'audit entries are never removed');
END;
