DROP TABLE login_tokens;
DROP TABLE api_keys;
