DROP INDEX submissions_by_score;
DROP INDEX submissions_by_grading;
DROP INDEX submissions_of_course;
ALTER TABLE submissions DROP COLUMN score;
ALTER TABLE submissions DROP COLUMN grader;
ALTER TABLE submissions DROP COLUMN graded_at;
ALTER TABLE submissions DROP COLUMN course_id;
