-- A workspace may hold a record of anybody; a person's own keys open it only after they accepted.
ALTER TABLE users ADD COLUMN consent text COLLATE "C" NOT NULL DEFAULT 'pending'
    CHECK (consent IN ('pending', 'accepted', 'declined'));
ALTER TABLE users ADD COLUMN answered_at timestamptz;
ALTER TABLE users ADD COLUMN invited_by text COLLATE "C";
-- Whoever was a member before there was a choice has made it.
UPDATE users SET consent = 'accepted', answered_at = created_at;
ALTER TABLE users ADD CONSTRAINT users_answered CHECK ((consent = 'pending') = (answered_at IS NULL));
