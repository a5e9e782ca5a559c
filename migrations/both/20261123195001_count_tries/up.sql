-- How often a job asked an AI provider in vain: what it was not let through for does not count.
ALTER TABLE jobs ADD COLUMN tries BIGINT NOT NULL DEFAULT 0;
