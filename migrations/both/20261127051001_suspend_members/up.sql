-- A directory ends what a member may, and takes nothing of theirs away: null where nobody did.
ALTER TABLE users ADD COLUMN suspension TEXT CHECK (suspension IN ('suspended', 'removed'));
