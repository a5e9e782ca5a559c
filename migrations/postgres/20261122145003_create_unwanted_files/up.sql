-- Files of workspaces that are gone: of no workspace, because theirs is gone.
CREATE TABLE unwanted_files (
    key text COLLATE "C" NOT NULL,
    due_at timestamptz NOT NULL,
    PRIMARY KEY (key, due_at)
);
CREATE INDEX unwanted_files_due ON unwanted_files (due_at);
