-- Runs where the workspace is, called by move-workspace.sh: holds all of it, sends it to the database that it moves to, and
-- removes it here once it is there. One transaction here, one there.

\set ON_ERROR_STOP on
-- Each statement sees what was committed before it: whoever was writing when the lock was asked for is waited for, and seen.
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL lock_timeout = '30s';
SET LOCAL statement_timeout = 0;
SET LOCAL synchronous_commit = on;

-- From here on nothing can be added.
\ir find-workspace.sql

-- Keys that open it: its own, those of its people, and whichever handed one of these out.
CREATE TEMP TABLE going_keys ON COMMIT DROP AS
WITH RECURSIVE going (id, person_id, issued_by) AS (
    SELECT id, person_id, issued_by FROM api_keys
    WHERE workspace_id = :'workspace'
        OR workspace_id IS NULL AND person_id IN (SELECT person_id FROM users WHERE workspace_id = :'workspace')
        OR id IN (SELECT issued_by FROM login_tokens WHERE workspace_id = :'workspace')
    UNION
    SELECT k.id, k.person_id, k.issued_by FROM api_keys AS k JOIN going ON k.id = going.issued_by
)
SELECT id, person_id FROM going;

CREATE TEMP TABLE going_people ON COMMIT DROP AS
SELECT person_id AS id FROM users WHERE workspace_id = :'workspace'
UNION SELECT person_id FROM going_keys
UNION SELECT person_id FROM trash WHERE workspace_id = :'workspace'
UNION SELECT body ->> 'person_id' FROM trash_rows WHERE workspace_id = :'workspace'
UNION SELECT person_id FROM idempotency_replies WHERE workspace_id = :'workspace';

-- What goes: every table that has the workspace in it, and of the others the rows that it needs or is held against.
CREATE TEMP TABLE going (name text, has text) ON COMMIT DROP;
INSERT INTO going
SELECT relname, format('workspace_id = %L', :'workspace') FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND attname = 'workspace_id' AND relname <> 'api_keys';
-- Nothing of it can be changed or removed either, so that what is read one table after the other belongs together.
\o /dev/null
SELECT format('SELECT count(*) FROM (SELECT FROM %I WHERE %s FOR UPDATE) AS held', name, has) FROM going ORDER BY name
\gexec
\o
INSERT INTO going VALUES
    ('workspaces', format('id = %L', :'workspace')),
    ('people', 'id IN (SELECT id FROM going_people)'),
    ('api_keys', 'id IN (SELECT id FROM going_keys)'),
    ('service_secrets', $$name IN ('download', 'draw', 'launch')$$),
    ('__diesel_schema_migrations', 'true');

\ir files-of-workspace.sql

-- Without its COMMIT, which comes last, nothing of what was sent is kept.
\o | psql -X -q -v ON_ERROR_STOP=1 "$MOVE_TO" >/dev/null && touch "$MOVE_COMMITTED"
\qecho 'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL synchronous_commit = on;'
SELECT step FROM going,
LATERAL (
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
    WHERE attrelid = to_regclass(quote_ident(name)) AND attnum > 0 AND NOT attisdropped
) AS listed,
LATERAL (VALUES
    (1, format('SELECT %L', format('CREATE TEMP TABLE %I (LIKE %I) ON COMMIT DROP;', 'arriving_' || name, name))),
    (2, format('SELECT %L', format('COPY %I (%s) FROM stdin;', 'arriving_' || name, columns))),
    (3, format('COPY (SELECT %s FROM %I WHERE %s) TO STDOUT', columns, name, has)),
    (4, $$SELECT '\.'$$)
) AS steps (place, step)
ORDER BY name, place
\gexec
\qecho :place
\qecho 'COMMIT;'
\o
\copy (SELECT) TO PROGRAM 'cat >/dev/null; test -e "$MOVE_COMMITTED" '

\ir remove-workspace.sql
-- A key that opens nothing here any more lies in one place only.
DELETE FROM api_keys AS k USING going_keys WHERE k.id = going_keys.id
    AND NOT EXISTS (SELECT FROM users WHERE users.person_id = k.person_id)
    AND NOT EXISTS (SELECT FROM api_keys AS issued WHERE issued.issued_by = k.id)
    AND NOT EXISTS (SELECT FROM login_tokens WHERE login_tokens.issued_by = k.id);
COMMIT;
