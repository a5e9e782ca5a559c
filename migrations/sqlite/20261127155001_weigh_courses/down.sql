ALTER TABLE courses DROP COLUMN gradebook;
