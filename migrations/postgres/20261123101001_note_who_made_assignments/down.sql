ALTER TABLE assignments DROP COLUMN source_hash;
ALTER TABLE assignments DROP COLUMN generation_id;
ALTER TABLE assignments DROP COLUMN model;
ALTER TABLE assignments DROP COLUMN origin;
