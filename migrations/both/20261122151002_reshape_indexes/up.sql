-- Another index begins with the same columns, and every index costs whoever writes.
DROP INDEX tutor_turns_of_lesson;
-- The keys of one person in a workspace are found without reading the others.
DROP INDEX api_keys_of_workspace;
CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id, person_id);
-- In the order in which pages of it are read.
DROP INDEX users_email;
CREATE INDEX users_email ON users (workspace_id, email, id);
DROP INDEX unwanted_files_due;
CREATE INDEX unwanted_files_due ON unwanted_files (due_at, key);
