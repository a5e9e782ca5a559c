-- What lessons, activities and assignments were before somebody changed them.
CREATE TABLE versions (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    lesson_id text COLLATE "C",
    activity_id text COLLATE "C",
    assignment_id text COLLATE "C",
    number bigint NOT NULL,
    content jsonb NOT NULL,
    made_by text COLLATE "C",
    created_at timestamptz NOT NULL,
    replaced_by text COLLATE "C",
    replaced_at timestamptz NOT NULL,
    may_go boolean NOT NULL DEFAULT FALSE,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, activity_id) REFERENCES activities (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE,
    CHECK (num_nonnulls(lesson_id, activity_id, assignment_id) = 1)
);
CREATE INDEX versions_of_lesson ON versions (workspace_id, lesson_id, id);
CREATE INDEX versions_of_activity ON versions (workspace_id, activity_id, id);
CREATE INDEX versions_of_assignment ON versions (workspace_id, assignment_id, id);
-- Those that are not among the newest of theirs, and go when they are old.
CREATE INDEX versions_by_end ON versions (replaced_at) WHERE may_go;

-- Which version of its assignment a submission was handed in to.
ALTER TABLE submissions ADD COLUMN assignment_version bigint;
