-- Receipts: see docs/ai.md. Records that were made before have none.
ALTER TABLE grades
    ADD COLUMN review_reasons jsonb,
    ADD COLUMN sequence bigint,
    ADD COLUMN text_hash text COLLATE "C",
    ADD COLUMN answer_hash text COLLATE "C",
    ADD COLUMN previous text COLLATE "C",
    ADD COLUMN receipt text COLLATE "C",
    -- The rubric and the answer as texts, byte for byte, because hashes are taken of them.
    ADD COLUMN rubric text COLLATE "C",
    ADD COLUMN answer text COLLATE "C",
    ADD COLUMN result_key text COLLATE "C";
CREATE UNIQUE INDEX grades_sequence ON grades (workspace_id, submission_id, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX grades_result ON grades (workspace_id, result_key, id) WHERE result_key IS NOT NULL;
-- The newest receipt of a submission, so that a history whose end was cut off shows.
ALTER TABLE submissions
    ADD COLUMN grade_sequence bigint NOT NULL DEFAULT 0,
    ADD COLUMN grade_receipt text COLLATE "C";
