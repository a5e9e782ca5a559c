ALTER TABLE grades ALTER COLUMN assignment_id TYPE text COLLATE "default";
DROP INDEX submissions_ai_graded;
ALTER TABLE submissions DROP COLUMN ai_graded_at;
ALTER TABLE assignments DROP COLUMN grader_changed_at;
