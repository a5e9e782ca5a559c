-- Which grades of AI are older than what AI grades by: when that last changed, and when the grade landed that stands.
ALTER TABLE assignments ADD COLUMN grader_changed_at timestamptz;
ALTER TABLE submissions ADD COLUMN ai_graded_at timestamptz;
UPDATE submissions SET ai_graded_at = (grade ->> 'at')::timestamptz
    WHERE grade IS NOT NULL AND grade ->> 'by' = 'ai' AND blind <> 'awaited'
    AND (review_status IS NULL OR review_status <> 'done');
CREATE INDEX submissions_ai_graded ON submissions (workspace_id, assignment_id, id, ai_graded_at)
    WHERE ai_graded_at IS NOT NULL;
-- As every other id: compared with one of another collation it would not be looked up in its index.
ALTER TABLE grades ALTER COLUMN assignment_id TYPE text COLLATE "C";
