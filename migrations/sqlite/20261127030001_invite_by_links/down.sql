DELETE FROM sign_in_links WHERE user_id IS NOT NULL;
DROP INDEX sign_in_links_of_member;
ALTER TABLE sign_in_links DROP COLUMN mail_id;
ALTER TABLE sign_in_links DROP COLUMN user_id;
ALTER TABLE sign_in_links DROP COLUMN workspace_id;
