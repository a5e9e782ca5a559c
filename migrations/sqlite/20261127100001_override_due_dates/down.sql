DROP INDEX submissions_late;
DROP TABLE due_overrides;
ALTER TABLE submissions DROP COLUMN due_terms;
ALTER TABLE assignments DROP COLUMN late_policy;
