-- What lessons, activities and assignments were before somebody changed them.
CREATE TABLE versions (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    lesson_id TEXT,
    activity_id TEXT,
    assignment_id TEXT,
    number INTEGER NOT NULL,
    content TEXT NOT NULL,
    made_by TEXT,
    created_at TEXT NOT NULL,
    replaced_by TEXT,
    replaced_at TEXT NOT NULL,
    may_go BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, activity_id) REFERENCES activities (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE,
    CHECK ((lesson_id IS NOT NULL) + (activity_id IS NOT NULL) + (assignment_id IS NOT NULL) = 1)
);
CREATE INDEX versions_of_lesson ON versions (workspace_id, lesson_id, id);
CREATE INDEX versions_of_activity ON versions (workspace_id, activity_id, id);
CREATE INDEX versions_of_assignment ON versions (workspace_id, assignment_id, id);
-- Those that are not among the newest of theirs, and go when they are old.
CREATE INDEX versions_by_end ON versions (replaced_at) WHERE may_go;

-- Which version of its assignment a submission was handed in to.
ALTER TABLE submissions ADD COLUMN assignment_version INTEGER;
