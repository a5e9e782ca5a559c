DROP INDEX unwanted_files_due;
CREATE INDEX unwanted_files_due ON unwanted_files (due_at);
DROP INDEX users_email;
CREATE INDEX users_email ON users (workspace_id, email);
DROP INDEX api_keys_of_workspace;
CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id);
CREATE INDEX tutor_turns_of_lesson ON tutor_turns (workspace_id, lesson_id);
