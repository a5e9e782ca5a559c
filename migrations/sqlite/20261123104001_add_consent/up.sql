-- A workspace may hold a record of anybody; a person's own keys open it only after they accepted.
ALTER TABLE users ADD COLUMN consent TEXT NOT NULL DEFAULT 'pending'
    CHECK (consent IN ('pending', 'accepted', 'declined'));
ALTER TABLE users ADD COLUMN answered_at TEXT CHECK ((consent = 'pending') = (answered_at IS NULL));
ALTER TABLE users ADD COLUMN invited_by TEXT;
-- Whoever was a member before there was a choice has made it.
UPDATE users SET consent = 'accepted', answered_at = created_at;
