ALTER TABLE courses DROP COLUMN completion;
