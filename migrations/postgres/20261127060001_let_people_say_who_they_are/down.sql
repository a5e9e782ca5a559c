ALTER TABLE sso_sign_ins DROP COLUMN fresh;
ALTER TABLE users DROP COLUMN sessions_ended_at;
ALTER TABLE users DROP COLUMN timezone;
