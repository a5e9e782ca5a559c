-- The recording of a podcast, as its content names it; copies of the activity share it.
ALTER TABLE activities ADD COLUMN recording text COLLATE "C";
CREATE INDEX activities_by_recording ON activities (workspace_id, recording) WHERE recording IS NOT NULL;
