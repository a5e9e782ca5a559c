-- Runs where a workspace moves to, inside the transaction that move-workspace.sql begins and ends: what has arrived, in a
-- temporary table for each of its tables, is put where it belongs.

DO $$
BEGIN
    IF EXISTS (SELECT FROM arriving_workspaces JOIN workspaces USING (id)) THEN
        RAISE EXCEPTION 'the workspace is here already';
    END IF;
    IF EXISTS (
        SELECT FROM arriving___diesel_schema_migrations FULL JOIN __diesel_schema_migrations AS here USING (version)
        WHERE num_nulls(arriving___diesel_schema_migrations.version, here.version) > 0
    ) THEN
        RAISE EXCEPTION 'the two databases are not of one version: bring both up to date first';
    END IF;
    -- What is sealed under another master key, or signed with another key, would open nothing here.
    IF EXISTS (
        SELECT FROM arriving_service_secrets AS arriving
        FULL JOIN (SELECT * FROM service_secrets WHERE name IN ('download', 'draw', 'launch')) AS here USING (name)
        WHERE arriving.sealed IS DISTINCT FROM here.sealed
    ) THEN
        RAISE EXCEPTION 'the two databases have different keys for packages, downloads and draws';
    END IF;
    -- It would be given out a second time, and no workspace could be made here any more.
    IF EXISTS (
        SELECT FROM arriving_workspaces, counters
        WHERE counters.name = 'platform_number' AND platform_number > value AND platform_number / 1000000 = value / 1000000
    ) THEN
        RAISE EXCEPTION 'the platform has a number that this database has yet to give out: each needs a range of its own';
    END IF;
END
$$;

-- A person is who an address belongs to: whoever is known here keeps the id that they have here.
INSERT INTO people SELECT * FROM arriving_people AS arriving
WHERE NOT EXISTS (SELECT FROM people WHERE people.email = arriving.email);
CREATE TEMP TABLE whose ON COMMIT DROP AS
SELECT arriving_people.id AS there, people.id AS here FROM arriving_people JOIN people USING (email);

SELECT format('UPDATE %1$I SET person_id = here FROM whose WHERE person_id = there AND there <> here', relname)
FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = pg_my_temp_schema() AND relname LIKE 'arriving\_%' AND attname = 'person_id'
\gexec
UPDATE arriving_trash_rows SET body = jsonb_set(body, '{person_id}', to_jsonb(here))
FROM whose WHERE body ->> 'person_id' = there AND there <> here;

UPDATE arriving_api_keys SET made_in = NULL WHERE made_in NOT IN (
    SELECT id FROM arriving_workspaces UNION ALL SELECT id FROM workspaces
);

-- What was put off before it was sent is due again as it was.
SELECT id AS workspace FROM arriving_workspaces \gset
\set jobs arriving_jobs
\set deliveries arriving_webhook_deliveries
\set mails arriving_mails
\set by '-365000 days'
\ir put-off.sql

-- Whatever is referred to first. A key that is here already has come with another workspace: revoked in one place, it stays so.
WITH RECURSIVE arriving (name, place) AS (
    SELECT substr(relname, 10), 0 FROM pg_class
    WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r' AND relname LIKE 'arriving\_%'
        AND relname NOT IN ('arriving_people', 'arriving_service_secrets', 'arriving___diesel_schema_migrations')
    UNION
    SELECT conrelid::regclass::text, place + 1 FROM arriving
    JOIN pg_constraint ON contype = 'f' AND confrelid = to_regclass(quote_ident(name)) AND conrelid <> confrelid
)
SELECT format('INSERT INTO %I SELECT * FROM %I %s', name, 'arriving_' || name, CASE name WHEN 'api_keys' THEN
    'ON CONFLICT (id) DO UPDATE SET revoked_at = least(api_keys.revoked_at, excluded.revoked_at)' END)
FROM arriving GROUP BY name ORDER BY max(place), name
\gexec
