-- What generations made and people decide about, piece by piece.
CREATE TABLE generation_pieces (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    generation_id text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    parent_id text COLLATE "C",
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    course_id text COLLATE "C",
    unit_id text COLLATE "C",
    lesson_id text COLLATE "C",
    activity_id text COLLATE "C",
    after_id text COLLATE "C",
    model text COLLATE "C" NOT NULL,
    source_hash text COLLATE "C",
    draft jsonb NOT NULL,
    was jsonb NOT NULL,
    checks jsonb NOT NULL,
    status text COLLATE "C" NOT NULL,
    decided_by text COLLATE "C",
    decided_at timestamptz,
    result_id text COLLATE "C",
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, generation_id) REFERENCES generations (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, unit_id) REFERENCES units (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, activity_id) REFERENCES activities (workspace_id, id) ON DELETE CASCADE,
    CHECK (num_nonnulls(course_id, unit_id, lesson_id, activity_id) = 1),
    CHECK ((status = 'accepted') = (result_id IS NOT NULL)),
    CHECK ((status = 'proposed') = (decided_at IS NULL))
);
CREATE INDEX generation_pieces_of_generation ON generation_pieces (workspace_id, generation_id, position);
CREATE INDEX generation_pieces_of_course ON generation_pieces (workspace_id, course_id);
CREATE INDEX generation_pieces_of_unit ON generation_pieces (workspace_id, unit_id);
CREATE INDEX generation_pieces_of_lesson ON generation_pieces (workspace_id, lesson_id);
CREATE INDEX generation_pieces_of_activity ON generation_pieces (workspace_id, activity_id);
