ALTER TABLE activities DROP COLUMN language;
ALTER TABLE lessons DROP COLUMN language;
