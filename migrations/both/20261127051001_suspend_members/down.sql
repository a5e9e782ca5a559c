ALTER TABLE users DROP COLUMN suspension;
