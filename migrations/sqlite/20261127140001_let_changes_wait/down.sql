DROP TABLE waiting_changes;
ALTER TABLE courses DROP COLUMN changes_wait;
