DROP TRIGGER cohorts_inserted_are_shown;
DROP TRIGGER cohorts_deleted_are_not_shown;
DROP TRIGGER generations_inserted_are_shown;
DROP TRIGGER generations_changed_are_shown;
DROP TRIGGER generations_deleted_are_not_shown;
DROP VIEW courses_show;
ALTER TABLE courses DROP COLUMN shown_cohorts;
ALTER TABLE courses DROP COLUMN shown_generation;
