DROP TABLE ai_calls;
