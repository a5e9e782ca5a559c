-- A user may be a program, with an account of its own. Whoever was a member before there were any is a person.
ALTER TABLE users ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'service'));
