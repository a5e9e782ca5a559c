-- Whether what Studio changes of a published course waits.
ALTER TABLE courses ADD COLUMN changes_wait boolean NOT NULL DEFAULT FALSE;

-- What courses, units, lessons, activities and assignments will be once their changes go live: one row for each, under its id.
CREATE TABLE waiting_changes (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    course_id text COLLATE "C" NOT NULL,
    unit_id text COLLATE "C",
    lesson_id text COLLATE "C",
    activity_id text COLLATE "C",
    assignment_id text COLLATE "C",
    content jsonb NOT NULL,
    base jsonb NOT NULL,
    made_by text COLLATE "C",
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, unit_id) REFERENCES units (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, activity_id) REFERENCES activities (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE,
    CHECK (num_nonnulls(unit_id, lesson_id, activity_id, assignment_id) <= 1)
);
CREATE INDEX waiting_changes_of_course ON waiting_changes (workspace_id, course_id, id);
CREATE INDEX waiting_changes_of_unit ON waiting_changes (workspace_id, unit_id);
CREATE INDEX waiting_changes_of_lesson ON waiting_changes (workspace_id, lesson_id);
CREATE INDEX waiting_changes_of_activity ON waiting_changes (workspace_id, activity_id);
CREATE INDEX waiting_changes_of_assignment ON waiting_changes (workspace_id, assignment_id);
