-- What generations made and people decide about, piece by piece.
CREATE TABLE generation_pieces (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    generation_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    parent_id TEXT,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    course_id TEXT,
    unit_id TEXT,
    lesson_id TEXT,
    activity_id TEXT,
    after_id TEXT,
    model TEXT NOT NULL,
    source_hash TEXT,
    draft TEXT NOT NULL,
    was TEXT NOT NULL,
    checks TEXT NOT NULL,
    status TEXT NOT NULL,
    decided_by TEXT,
    decided_at TEXT,
    result_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, generation_id) REFERENCES generations (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, unit_id) REFERENCES units (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, activity_id) REFERENCES activities (workspace_id, id) ON DELETE CASCADE,
    CHECK ((course_id IS NOT NULL) + (unit_id IS NOT NULL) + (lesson_id IS NOT NULL) + (activity_id IS NOT NULL) = 1),
    CHECK ((status = 'accepted') = (result_id IS NOT NULL)),
    CHECK ((status = 'proposed') = (decided_at IS NULL))
);
CREATE INDEX generation_pieces_of_generation ON generation_pieces (workspace_id, generation_id, position);
CREATE INDEX generation_pieces_of_course ON generation_pieces (workspace_id, course_id);
CREATE INDEX generation_pieces_of_unit ON generation_pieces (workspace_id, unit_id);
CREATE INDEX generation_pieces_of_lesson ON generation_pieces (workspace_id, lesson_id);
CREATE INDEX generation_pieces_of_activity ON generation_pieces (workspace_id, activity_id);
