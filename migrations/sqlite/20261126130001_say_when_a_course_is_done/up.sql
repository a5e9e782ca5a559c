-- When a course is done, and what it takes to pass it; where nobody says, with all of it and by its quizzes' own marks.
ALTER TABLE courses ADD COLUMN completion TEXT NOT NULL DEFAULT '{}';
