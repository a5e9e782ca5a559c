-- Which grades of AI are older than what AI grades by: when that last changed, and when the grade landed that stands.
ALTER TABLE assignments ADD COLUMN grader_changed_at TEXT;
ALTER TABLE submissions ADD COLUMN ai_graded_at TEXT;
UPDATE submissions SET ai_graded_at = json_extract(grade, '$.at')
    WHERE grade IS NOT NULL AND json_extract(grade, '$.by') = 'ai' AND blind <> 'awaited'
    AND (review_status IS NULL OR review_status <> 'done');
CREATE INDEX submissions_ai_graded ON submissions (workspace_id, assignment_id, id, ai_graded_at)
    WHERE ai_graded_at IS NOT NULL;
