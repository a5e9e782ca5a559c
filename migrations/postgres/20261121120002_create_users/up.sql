CREATE TABLE people (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    email text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX people_email ON people (email);

CREATE TABLE users (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    person_id text COLLATE "C" NOT NULL REFERENCES people (id),
    email text COLLATE "C" NOT NULL,
    name text COLLATE "C",
    role text COLLATE "C" NOT NULL,
    language text COLLATE "C",
    external_id text COLLATE "C",
    metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX users_person ON users (workspace_id, person_id);
CREATE INDEX users_of_person ON users (person_id);
CREATE INDEX users_email ON users (workspace_id, email);
