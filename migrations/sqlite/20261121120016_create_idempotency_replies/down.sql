DROP TABLE idempotency_replies;
