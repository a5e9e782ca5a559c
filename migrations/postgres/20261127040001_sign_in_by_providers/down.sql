DROP TABLE sso_sessions;
DROP TABLE sso_identities;
DROP TABLE sso_sign_ins;
DROP TABLE sso_domains;
DROP TABLE sso_connections;
