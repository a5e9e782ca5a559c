-- Files of workspaces that are gone: of no workspace, because theirs is gone.
CREATE TABLE unwanted_files (
    key TEXT NOT NULL,
    due_at TEXT NOT NULL,
    PRIMARY KEY (key, due_at)
) WITHOUT ROWID;
CREATE INDEX unwanted_files_due ON unwanted_files (due_at);
