ALTER TABLE grades DROP COLUMN tombstone;
DROP TABLE user_erasures;
