-- How a course is weighed; where nobody says, all tasks are together.
ALTER TABLE courses ADD COLUMN gradebook TEXT NOT NULL DEFAULT '{}';
