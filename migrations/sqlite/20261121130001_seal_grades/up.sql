-- Receipts: see docs/ai.md. Records that were made before have none.
ALTER TABLE grades ADD COLUMN review_reasons TEXT;
ALTER TABLE grades ADD COLUMN sequence INTEGER;
ALTER TABLE grades ADD COLUMN text_hash TEXT;
ALTER TABLE grades ADD COLUMN answer_hash TEXT;
ALTER TABLE grades ADD COLUMN previous TEXT;
ALTER TABLE grades ADD COLUMN receipt TEXT;
-- The rubric and the answer as texts, byte for byte, because hashes are taken of them.
ALTER TABLE grades ADD COLUMN rubric TEXT;
ALTER TABLE grades ADD COLUMN answer TEXT;
ALTER TABLE grades ADD COLUMN result_key TEXT;
CREATE UNIQUE INDEX grades_sequence ON grades (workspace_id, submission_id, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX grades_result ON grades (workspace_id, result_key, id) WHERE result_key IS NOT NULL;
-- The newest receipt of a submission, so that a history whose end was cut off shows.
ALTER TABLE submissions ADD COLUMN grade_sequence INTEGER NOT NULL DEFAULT 0;
ALTER TABLE submissions ADD COLUMN grade_receipt TEXT;
