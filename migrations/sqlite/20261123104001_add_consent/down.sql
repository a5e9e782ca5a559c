ALTER TABLE users DROP COLUMN invited_by;
ALTER TABLE users DROP COLUMN answered_at;
ALTER TABLE users DROP COLUMN consent;
