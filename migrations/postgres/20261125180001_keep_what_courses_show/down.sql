DROP TRIGGER cohorts_are_shown ON cohorts;
DROP TRIGGER generations_are_shown ON generations;
DROP TRIGGER generations_changed_are_shown ON generations;
DROP FUNCTION show_course_of_cohort;
DROP FUNCTION show_course_of_generation;
DROP FUNCTION show_course;
DROP VIEW courses_show;
ALTER TABLE courses DROP COLUMN shown_cohorts, DROP COLUMN shown_generation;
