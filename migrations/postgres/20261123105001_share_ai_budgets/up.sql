-- From whose share of a budget a call was paid: `staff`, `learners`, or a SCORM package. Nobody knows it of calls before.
ALTER TABLE ai_calls ADD COLUMN spender text COLLATE "C" NOT NULL DEFAULT 'staff';
-- What a month took, and who took it, is asked before every call: this answers it alone.
DROP INDEX ai_calls_of_time;
CREATE INDEX ai_calls_of_time ON ai_calls (workspace_id, created_at, tokens_in, tokens_out, tokens_cached, estimated, cost, spender);
