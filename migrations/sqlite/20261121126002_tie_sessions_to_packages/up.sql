ALTER TABLE api_keys ADD COLUMN package_id TEXT;
UPDATE api_keys SET package_id = (
    SELECT scorm_learners.package_id FROM scorm_learners
    JOIN users ON users.workspace_id = scorm_learners.workspace_id AND users.id = scorm_learners.user_id
    WHERE users.workspace_id = api_keys.workspace_id AND users.person_id = api_keys.person_id
) WHERE kind = 'session' AND issued_by IS NULL;
