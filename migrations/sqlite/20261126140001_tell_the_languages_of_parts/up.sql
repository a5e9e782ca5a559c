-- The language of a lesson or an activity, where it is not that of what is around it.
ALTER TABLE lessons ADD COLUMN language TEXT;
ALTER TABLE activities ADD COLUMN language TEXT;
