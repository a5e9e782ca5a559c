-- Readers of PostgreSQL remember nothing: a counter that every sign-in changes would be a queue.
SELECT 1;
