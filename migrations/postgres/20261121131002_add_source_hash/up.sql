-- Of the text that something was drafted from.
ALTER TABLE units ADD COLUMN source_hash text COLLATE "C";
ALTER TABLE lessons ADD COLUMN source_hash text COLLATE "C";
ALTER TABLE activities ADD COLUMN source_hash text COLLATE "C";
