DROP INDEX ai_calls_of_time;
CREATE INDEX ai_calls_of_time ON ai_calls (workspace_id, created_at, tokens_in, tokens_out, tokens_cached, estimated, cost);
ALTER TABLE ai_calls DROP COLUMN spender;
