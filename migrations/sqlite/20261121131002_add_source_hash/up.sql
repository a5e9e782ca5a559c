-- Of the text that something was drafted from.
ALTER TABLE units ADD COLUMN source_hash TEXT;
ALTER TABLE lessons ADD COLUMN source_hash TEXT;
ALTER TABLE activities ADD COLUMN source_hash TEXT;
