ALTER TABLE api_keys DROP COLUMN package_id;
