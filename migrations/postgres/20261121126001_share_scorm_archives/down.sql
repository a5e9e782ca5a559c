DROP INDEX scorm_packages_sharing;
DROP INDEX scorm_packages_of_fingerprint;
DROP INDEX scorm_packages_fingerprint;
ALTER TABLE scorm_packages DROP COLUMN launch;
ALTER TABLE scorm_packages DROP COLUMN fingerprint;
ALTER TABLE scorm_packages DROP COLUMN origin_id;
