CREATE TABLE audit_entries (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    actor text COLLATE "C" NOT NULL,
    user_id text COLLATE "C",
    api_key_id text COLLATE "C",
    request_id text COLLATE "C",
    action text COLLATE "C" NOT NULL,
    subject_object text COLLATE "C" NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    old jsonb NOT NULL,
    new jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_entries_of_subject ON audit_entries (workspace_id, subject_id, id);
CREATE INDEX audit_entries_of_user ON audit_entries (workspace_id, user_id, id);
CREATE INDEX audit_entries_of_time ON audit_entries (workspace_id, created_at, id);
-- Append-only: nobody changes an entry, and none goes but with its whole workspace.
CREATE FUNCTION audit_entries_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit entries are never changed or removed';
END $$;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION audit_entries_refuse();
CREATE TRIGGER audit_entries_remain BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse();
