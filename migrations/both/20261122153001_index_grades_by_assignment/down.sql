DROP INDEX grades_of_assignment;
ALTER TABLE grades DROP COLUMN assignment_id;
