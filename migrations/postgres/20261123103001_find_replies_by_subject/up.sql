-- Whom a remembered reply may tell of, in short hashes, so that a search need not open all of them. Absent on replies
-- of before, which are forgotten within a day.
ALTER TABLE idempotency_replies ADD COLUMN subjects text COLLATE "C";
