DROP INDEX activities_by_recording;
ALTER TABLE activities DROP COLUMN recording;
