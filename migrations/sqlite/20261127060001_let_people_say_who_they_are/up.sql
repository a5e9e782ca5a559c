-- Where somebody lives, as the IANA database of time zones calls it; and when those who run the workspace ended their sessions: one that
-- began before opens the workspace no more.
ALTER TABLE users ADD COLUMN timezone TEXT;
ALTER TABLE users ADD COLUMN sessions_ended_at TEXT;

-- Whether whoever went to a provider is to prove anew who they are: so that what they bring back is held against it.
ALTER TABLE sso_sign_ins ADD COLUMN fresh BOOLEAN NOT NULL DEFAULT FALSE;
