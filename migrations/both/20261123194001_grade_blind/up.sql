-- Whether a person grades without knowing what AI says.
ALTER TABLE submissions ADD COLUMN blind TEXT NOT NULL DEFAULT 'not_asked';
