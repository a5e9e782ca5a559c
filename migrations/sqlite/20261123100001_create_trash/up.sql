-- What was deleted, for as long as it may come back.
CREATE TABLE trash (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    object_id TEXT NOT NULL,
    name TEXT NOT NULL,
    counts TEXT NOT NULL,
    -- Whose membership it was; with no reference, because whoever is erased elsewhere is looked for here first.
    person_id TEXT,
    deleted_by TEXT,
    restorable_until TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE INDEX trash_of_object ON trash (workspace_id, object_id, id);
CREATE INDEX trash_ending ON trash (restorable_until);
CREATE INDEX trash_of_person ON trash (person_id) WHERE person_id IS NOT NULL;

-- The rows that went, as the database writes them: out of every other query's sight.
CREATE TABLE trash_rows (
    workspace_id TEXT NOT NULL,
    trash_id TEXT NOT NULL,
    part TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Whose work it is.
    user_id TEXT,
    -- The file that belongs to it: an archive by the id of its origin, a recording by its name.
    file TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (workspace_id, trash_id, part, id),
    FOREIGN KEY (workspace_id, trash_id) REFERENCES trash (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX trash_rows_by_id ON trash_rows (workspace_id, id);
CREATE INDEX trash_rows_of_user ON trash_rows (workspace_id, user_id, part, id) WHERE user_id IS NOT NULL;
CREATE INDEX trash_rows_of_file ON trash_rows (workspace_id, file) WHERE file IS NOT NULL;
