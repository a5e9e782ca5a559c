ALTER TABLE scorm_packages ADD COLUMN origin_id text COLLATE "C";
ALTER TABLE scorm_packages ADD COLUMN fingerprint text COLLATE "C";
ALTER TABLE scorm_packages ADD COLUMN launch jsonb NOT NULL DEFAULT '{}';
-- Packages that there were before are each the origin of their own archive; nobody knows what is in it.
UPDATE scorm_packages SET origin_id = id WHERE file IS NOT NULL;
-- Of two exports of the same content at once, one is the origin.
CREATE UNIQUE INDEX scorm_packages_fingerprint ON scorm_packages (workspace_id, fingerprint) WHERE status = 'ready' AND origin_id = id;
CREATE INDEX scorm_packages_of_fingerprint ON scorm_packages (workspace_id, fingerprint, id) WHERE status = 'ready';
-- A learner inside an archive is let in by whichever package still shares it.
CREATE INDEX scorm_packages_sharing ON scorm_packages (origin_id, id) WHERE status = 'ready';
