ALTER TABLE submissions DROP COLUMN assignment_version;
DROP TABLE versions;
