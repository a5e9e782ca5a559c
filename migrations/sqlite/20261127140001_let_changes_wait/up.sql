-- Whether what Studio changes of a published course waits.
ALTER TABLE courses ADD COLUMN changes_wait BOOLEAN NOT NULL DEFAULT FALSE;

-- What courses, units, lessons, activities and assignments will be once their changes go live: one row for each, under its id.
CREATE TABLE waiting_changes (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    unit_id TEXT,
    lesson_id TEXT,
    activity_id TEXT,
    assignment_id TEXT,
    content TEXT NOT NULL,
    base TEXT NOT NULL,
    made_by TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, unit_id) REFERENCES units (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, activity_id) REFERENCES activities (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE,
    CHECK ((unit_id IS NOT NULL) + (lesson_id IS NOT NULL) + (activity_id IS NOT NULL) + (assignment_id IS NOT NULL) <= 1)
);
CREATE INDEX waiting_changes_of_course ON waiting_changes (workspace_id, course_id, id);
CREATE INDEX waiting_changes_of_unit ON waiting_changes (workspace_id, unit_id);
CREATE INDEX waiting_changes_of_lesson ON waiting_changes (workspace_id, lesson_id);
CREATE INDEX waiting_changes_of_activity ON waiting_changes (workspace_id, activity_id);
CREATE INDEX waiting_changes_of_assignment ON waiting_changes (workspace_id, assignment_id);
