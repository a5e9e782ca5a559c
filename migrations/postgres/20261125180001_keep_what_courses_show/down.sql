DROP TRIGGER cohorts_are_shown ON cohorts;
DROP TRIGGER generations_inserted_are_shown ON generations;
DROP TRIGGER generations_changed_are_shown ON generations;
DROP TRIGGER generations_deleted_are_not_shown ON generations;
DROP FUNCTION show_cohorts_of_course;
DROP FUNCTION show_generation_of_course;
DROP VIEW courses_show;
ALTER TABLE courses DROP COLUMN shown_cohorts, DROP COLUMN shown_generation;
