CREATE TABLE lessons (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    unit_id text COLLATE "C" NOT NULL,
    course_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    summary text COLLATE "C" NOT NULL,
    objectives jsonb NOT NULL,
    content text COLLATE "C" NOT NULL,
    duration_minutes bigint NOT NULL,
    position bigint NOT NULL,
    origin text COLLATE "C" NOT NULL,
    model text COLLATE "C",
    generation_id text COLLATE "C",
    metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, unit_id) REFERENCES units (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX lessons_of_unit ON lessons (workspace_id, unit_id, position, id);
CREATE INDEX lessons_of_course ON lessons (workspace_id, course_id, id);
