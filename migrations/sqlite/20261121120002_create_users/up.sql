CREATE TABLE people (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX people_email ON people (email);

CREATE TABLE users (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id),
    email TEXT NOT NULL,
    name TEXT,
    role TEXT NOT NULL,
    language TEXT,
    external_id TEXT,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX users_person ON users (workspace_id, person_id);
CREATE INDEX users_of_person ON users (person_id);
CREATE INDEX users_email ON users (workspace_id, email);
