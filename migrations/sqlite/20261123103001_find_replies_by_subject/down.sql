ALTER TABLE idempotency_replies DROP COLUMN subjects;
