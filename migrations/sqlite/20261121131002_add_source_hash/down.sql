ALTER TABLE units DROP COLUMN source_hash;
ALTER TABLE lessons DROP COLUMN source_hash;
ALTER TABLE activities DROP COLUMN source_hash;
