-- Where every table of Lyceum would lie on Citus: by workspace, on every node, or on the coordinator alone.
--
-- This was held against the tables as they are migrated (tests/stores/sharding.rs) and was never run on Citus. Do not run it
-- where people work: Citus takes no table with triggers, these have some, and Lyceum is wrong without them. docs/sharding.md
-- says what stands in the way, and what does the same without Citus.
--
-- Triggers (of distributed and of reference tables Citus takes none, unless `citus.enable_unsafe_triggers` is on):
-- trigger workspaces_changed on workspaces writes access_stamps
-- trigger people_changed on people writes access_stamps
-- trigger users_changed on users writes access_stamps
-- trigger api_keys_changed on api_keys writes access_stamps
-- trigger api_keys_deleted on api_keys writes access_stamps
-- trigger api_keys_moved on api_keys writes access_stamps
-- trigger cohorts_are_shown on cohorts writes courses
-- trigger generations_are_shown on generations writes courses
-- trigger generations_changed_are_shown on generations writes courses
-- trigger submissions_know_their_course on submissions reads assignments
-- trigger audit_entries_stay on audit_entries reads workspaces
-- trigger audit_entries_remain on audit_entries refuses

BEGIN;

-- A unique key of a distributed table has its distribution column in it. These two are looked for by the id or the hash alone,
-- which is then a question to every shard.
ALTER TABLE jobs DROP CONSTRAINT jobs_pkey, ADD PRIMARY KEY (workspace_id, id);
ALTER TABLE login_tokens DROP CONSTRAINT login_tokens_pkey, ADD PRIMARY KEY (workspace_id, hash);

-- Of nobody's workspace, and referred to or read with nearly every request: the same on every node. `workspaces` is here for
-- its codes, uuids and numbers, which are unique over all.
SELECT create_reference_table('workspaces');
SELECT create_reference_table('people');
SELECT create_reference_table('api_keys');
SELECT create_reference_table('sign_in_links');
SELECT create_reference_table('passkeys');
SELECT create_reference_table('passkey_ceremonies');
SELECT create_reference_table('sso_domains');
SELECT create_reference_table('sso_sign_ins');
SELECT create_reference_table('access_stamps');
SELECT create_reference_table('counters');
SELECT create_reference_table('service_secrets');
SELECT create_reference_table('mails');

-- Of nobody's workspace, and written often or read seldom: on the coordinator.
SELECT citus_add_local_table_to_metadata('limit_buckets');
SELECT citus_add_local_table_to_metadata('nodes');
SELECT citus_add_local_table_to_metadata('unwanted_files');
SELECT citus_add_local_table_to_metadata('__diesel_schema_migrations');

-- Of a workspace, and beside all else of it; whatever is referred to comes first.
SELECT create_distributed_table('courses', 'workspace_id', colocate_with => 'none');
SELECT create_distributed_table('ai_budget_turns', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('ai_calls', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('ai_reservations', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('audit_entries', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('events', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('generations', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('idempotency_replies', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('jobs', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('sso_connections', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('sso_identities', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('sso_sessions', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('storage_use', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('trash', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('user_erasures', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('users', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('webhook_endpoints', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('digests', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('cohorts', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('generation_steps', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('login_tokens', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('trash_rows', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('units', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('webhook_deliveries', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('enrollments', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('lessons', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('scorm_learners', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('scorm_packages', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('activities', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('assignments', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('lesson_completions', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('tutor_turns', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('attempts', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('batches', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('certificates', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('versions', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('generation_pieces', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('waiting_changes', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('pinned_contents', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('due_overrides', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('submissions', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('batch_items', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('media_files', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('media_uploads', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('bulk_writes', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('certificate_answers', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('certificate_records', 'workspace_id', colocate_with => 'courses');
SELECT create_distributed_table('grades', 'workspace_id', colocate_with => 'courses');

COMMIT;
