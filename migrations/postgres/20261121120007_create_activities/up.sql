CREATE TABLE activities (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    lesson_id text COLLATE "C" NOT NULL,
    course_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    content jsonb NOT NULL,
    position bigint NOT NULL,
    origin text COLLATE "C" NOT NULL,
    model text COLLATE "C",
    generation_id text COLLATE "C",
    metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX activities_of_lesson ON activities (workspace_id, lesson_id, position, id);
CREATE INDEX activities_of_course ON activities (workspace_id, course_id, id);
