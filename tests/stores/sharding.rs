//! Where tables would lie on Citus (`packaging/postgres/citus.sql`), held against the tables as they are migrated. Citus is not
//! here: what it asks of tables is asked of the catalogs, and its functions only note what they are told.

use std::collections::BTreeSet;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl};
use support::stores::{Database, TestDatabase};

const PLACEMENT: &str = include_str!("../../packaging/postgres/citus.sql");

/// The functions of Citus that the file calls. `serial` tells what was placed before what.
const STAND_INS: &str = "\
    CREATE SCHEMA citus; \
    CREATE TABLE citus.placed (serial serial, name regclass, kind text, by text, beside text); \
    CREATE FUNCTION create_distributed_table(name regclass, by text, colocate_with text) RETURNS void LANGUAGE sql AS \
        $$INSERT INTO citus.placed (name, kind, by, beside) VALUES ($1, 'distributed', $2, $3)$$; \
    CREATE FUNCTION create_reference_table(name regclass) RETURNS void LANGUAGE sql AS \
        $$INSERT INTO citus.placed (name, kind) VALUES ($1, 'reference')$$; \
    CREATE FUNCTION citus_add_local_table_to_metadata(name regclass) RETURNS void LANGUAGE sql AS \
        $$INSERT INTO citus.placed (name, kind) VALUES ($1, 'local')$$;";

/// Tables that are not placed exactly once.
const NOT_PLACED_ONCE: &str = "\
    SELECT pg_class.oid::regclass::text AS text FROM pg_class LEFT JOIN citus.placed ON name = pg_class.oid \
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace \
    GROUP BY pg_class.oid HAVING count(name) <> 1 ORDER BY 1";

/// Distributed tables whose distribution column is not there, may be empty, or is of another kind than that of the first.
const OTHER_COLUMN: &str = "\
    SELECT name::text AS text FROM citus.placed \
    JOIN pg_attribute AS first ON first.attrelid = 'courses'::regclass AND first.attname = 'workspace_id' \
    LEFT JOIN pg_attribute AS own ON own.attrelid = name AND own.attname = by AND own.attnotnull \
        AND own.atttypid = first.atttypid AND own.attcollation = first.attcollation \
    WHERE kind = 'distributed' AND own.attname IS NULL ORDER BY 1";

/// Distributed tables that are beside another table than all others.
const ELSEWHERE: &str = "\
    SELECT name::text AS text FROM citus.placed WHERE kind = 'distributed' \
    AND beside <> CASE name WHEN 'courses'::regclass THEN 'none' ELSE 'courses' END ORDER BY 1";

/// Unique keys of distributed tables that do not have the distribution column in them, primary keys among them.
const KEYS_WITHOUT_IT: &str = "\
    SELECT indexrelid::regclass::text AS text FROM pg_index JOIN citus.placed ON name = indrelid \
    WHERE kind = 'distributed' AND indisunique AND NOT EXISTS ( \
        SELECT FROM pg_attribute WHERE attrelid = indrelid AND attname = by AND attnum = ANY (indkey)) \
    UNION ALL \
    SELECT 'no primary key: ' || name::text FROM citus.placed WHERE kind = 'distributed' \
    AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = name AND indisprimary) ORDER BY 1";

/// Foreign keys that Citus would refuse: between distributed tables without the distribution column at the same place on both
/// sides; from a table that is everywhere to one that is not; and what refers to a table that was not placed before it.
const FOREIGN_KEYS: &str = "\
    SELECT conrelid::regclass || ' ' || conname AS text FROM pg_constraint \
    JOIN citus.placed AS child ON child.name = conrelid JOIN citus.placed AS parent ON parent.name = confrelid \
    WHERE contype = 'f' AND NOT CASE \
        WHEN child.kind = 'distributed' AND parent.kind = 'distributed' THEN child.serial > parent.serial AND EXISTS ( \
            SELECT FROM unnest(conkey, confkey) AS pair (of_child, of_parent) \
            JOIN pg_attribute AS c ON c.attrelid = conrelid AND c.attnum = of_child AND c.attname = child.by \
            JOIN pg_attribute AS p ON p.attrelid = confrelid AND p.attnum = of_parent AND p.attname = parent.by) \
        WHEN child.kind = 'distributed' THEN parent.kind = 'reference' \
        ELSE parent.kind = child.kind END \
    ORDER BY 1";

/// Foreign keys that would change a distribution column, and so move a row to another shard.
const MOVING_KEYS: &str = "\
    SELECT conrelid::regclass || ' ' || conname AS text FROM pg_constraint JOIN citus.placed ON name = conrelid \
    WHERE contype = 'f' AND kind = 'distributed' AND (confdeltype IN ('n', 'd') OR confupdtype <> 'a') ORDER BY 1";

const TRIGGERS: &str = "\
    SELECT tgname || ' on ' || tgrelid::regclass::text AS text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1";

const SEQUENCES: &str = "\
    SELECT relname::text AS text FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace";

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = diesel::sql_types::Text)]
    text: String,
}

/// A migrated database in which a file placed the tables.
struct Placed {
    connection: PgConnection,
    _database: TestDatabase,
}

impl Placed {
    #[allow(
        clippy::disallowed_methods,
        reason = "a connection beside the store's, to ask what is there"
    )]
    fn by(placement: &str) -> Self {
        let database = TestDatabase::migrated(Database::Postgres);
        let mut connection = PgConnection::establish(&database.url).unwrap();
        connection.batch_execute(STAND_INS).unwrap();
        connection.batch_execute(placement).unwrap();
        Self {
            connection,
            _database: database,
        }
    }

    fn find(&mut self, query: &str) -> Vec<String> {
        let found: Vec<Found> = diesel::sql_query(query).load(&mut self.connection).unwrap();
        found.into_iter().map(|found| found.text).collect()
    }
}

/// The file without its lines that begin so.
fn without(start: &str) -> String {
    let lines = PLACEMENT.lines().filter(|line| !line.starts_with(start));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_table_has_one_place_and_every_key_fits_it() {
    let mut placed = Placed::by(PLACEMENT);
    for rule in [
        NOT_PLACED_ONCE,
        OTHER_COLUMN,
        ELSEWHERE,
        KEYS_WITHOUT_IT,
        FOREIGN_KEYS,
        MOVING_KEYS,
    ] {
        assert_eq!(placed.find(rule), Vec::<String>::new(), "{rule}");
    }
    let count =
        "SELECT kind || ' ' || count(*) AS text FROM citus.placed GROUP BY kind ORDER BY kind";
    assert_eq!(
        placed.find(count),
        ["distributed 48", "local 4", "reference 12"]
    );
}

#[test]
fn the_keys_that_the_file_changes_are_those_that_do_not_fit() {
    let mut as_migrated = Placed::by(&without("ALTER TABLE"));
    assert_eq!(
        as_migrated.find(KEYS_WITHOUT_IT),
        ["jobs_pkey", "login_tokens_pkey"]
    );
    let mut keys_apart = Placed::by(&without("ALTER TABLE").replace(
        "create_distributed_table('login_tokens', 'workspace_id', colocate_with => 'courses')",
        "create_reference_table('login_tokens')",
    ));
    assert_eq!(
        keys_apart.find(FOREIGN_KEYS),
        ["login_tokens login_tokens_workspace_id_user_id_fkey"]
    );
}

#[test]
fn a_table_that_nobody_placed_is_found() {
    let mut placed = Placed::by(&without("SELECT create_distributed_table('grades'"));
    assert_eq!(placed.find(NOT_PLACED_ONCE), ["grades"]);
}

#[test]
fn the_file_names_every_trigger() {
    let mut placed = Placed::by(PLACEMENT);
    let lines = PLACEMENT
        .lines()
        .filter_map(|line| line.strip_prefix("-- trigger "));
    let named: BTreeSet<String> = lines
        .map(|line| line.split(' ').take(3).collect::<Vec<_>>().join(" "))
        .collect();
    let there: BTreeSet<String> = placed.find(TRIGGERS).into_iter().collect();
    assert_eq!(named, there);
    assert_eq!(placed.find(SEQUENCES), Vec::<String>::new());
}
