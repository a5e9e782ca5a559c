-- A grading looks for the grades of its assignment: for what people have confirmed, and whether it is among the first.
-- Grades are found by their assignment without a walk over everything that was handed in for it.
ALTER TABLE grades ADD COLUMN assignment_id TEXT NOT NULL DEFAULT '';
UPDATE grades SET assignment_id = (
    SELECT submissions.assignment_id FROM submissions
    WHERE submissions.workspace_id = grades.workspace_id AND submissions.id = grades.submission_id
);
CREATE INDEX grades_of_assignment ON grades (workspace_id, assignment_id, run, status, created_at, id);
