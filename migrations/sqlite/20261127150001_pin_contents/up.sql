-- How what changes of a course reaches its cohorts under way.
ALTER TABLE cohorts ADD COLUMN updates TEXT NOT NULL DEFAULT 'automatic';

-- What units, lessons, activities and assignments are for cohorts that are updated by choice: one row for each cohort and thing, under its id.
CREATE TABLE pinned_contents (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    cohort_id TEXT NOT NULL,
    id TEXT NOT NULL,
    unit_id TEXT,
    lesson_id TEXT,
    activity_id TEXT,
    assignment_id TEXT,
    content TEXT NOT NULL,
    number INTEGER,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, cohort_id, id),
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, unit_id) REFERENCES units (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, activity_id) REFERENCES activities (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE,
    CHECK ((unit_id IS NOT NULL) + (lesson_id IS NOT NULL) + (activity_id IS NOT NULL) + (assignment_id IS NOT NULL) = 1)
);
CREATE INDEX pinned_contents_of_thing ON pinned_contents (workspace_id, id);
CREATE INDEX pinned_contents_of_unit ON pinned_contents (workspace_id, unit_id);
CREATE INDEX pinned_contents_of_lesson ON pinned_contents (workspace_id, lesson_id);
CREATE INDEX pinned_contents_of_activity ON pinned_contents (workspace_id, activity_id);
CREATE INDEX pinned_contents_of_assignment ON pinned_contents (workspace_id, assignment_id);
