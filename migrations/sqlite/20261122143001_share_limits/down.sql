DROP TABLE limit_buckets;
DROP TABLE ai_budget_turns;
DROP TABLE ai_reservations;
