-- What was deleted, for as long as it may come back.
CREATE TABLE trash (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    object_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    counts jsonb NOT NULL,
    -- Whose membership it was; with no reference, because whoever is erased elsewhere is looked for here first.
    person_id text COLLATE "C",
    deleted_by text COLLATE "C",
    restorable_until timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX trash_of_object ON trash (workspace_id, object_id, id);
CREATE INDEX trash_ending ON trash (restorable_until);
CREATE INDEX trash_of_person ON trash (person_id) WHERE person_id IS NOT NULL;

-- The rows that went, as the database writes them: out of every other query's sight.
CREATE TABLE trash_rows (
    workspace_id text COLLATE "C" NOT NULL,
    trash_id text COLLATE "C" NOT NULL,
    part text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    -- Whose work it is.
    user_id text COLLATE "C",
    -- The file that belongs to it: an archive by the id of its origin, a recording by its name.
    file text COLLATE "C",
    body jsonb NOT NULL,
    PRIMARY KEY (workspace_id, trash_id, part, id),
    FOREIGN KEY (workspace_id, trash_id) REFERENCES trash (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX trash_rows_by_id ON trash_rows (workspace_id, id);
CREATE INDEX trash_rows_of_user ON trash_rows (workspace_id, user_id, part, id) WHERE user_id IS NOT NULL;
CREATE INDEX trash_rows_of_file ON trash_rows (workspace_id, file) WHERE file IS NOT NULL;
