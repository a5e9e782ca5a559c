DROP TABLE pinned_contents;
ALTER TABLE cohorts DROP COLUMN updates;
