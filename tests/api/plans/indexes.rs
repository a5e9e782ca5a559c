//! The list of indexes in the handbook, held against the migrated databases.

use diesel::{Connection, PgConnection, RunQueryDsl, SqliteConnection};
use support::stores::{Database, TestStore};

const HANDBOOK: &str = include_str!("../../../docs/performance-scale.md");

#[derive(diesel::QueryableByName)]
struct Line {
    #[diesel(sql_type = diesel::sql_types::Text)]
    line: String,
}

/// Each index as the handbook writes it, without what it serves; a unique one is starred.
const IN_SQLITE: &str = "\
    SELECT '| `' || lists.name || '`' || CASE lists.\"unique\" WHEN 1 THEN '\\*' ELSE '' END \
        || ' | ' || tables.name || ' (' \
        || (SELECT group_concat(coalesce(name, CASE WHEN made.sql LIKE '%lower(%' THEN 'lower' ELSE 'expr' END), ', ') FROM (SELECT name FROM pragma_index_info(lists.name) ORDER BY seqno)) \
        || ')' || CASE lists.partial WHEN 1 THEN ' …' ELSE '' END || ' | ' AS line \
    FROM sqlite_schema AS tables, pragma_index_list(tables.name) AS lists \
    JOIN sqlite_schema AS made ON made.type = 'index' AND made.name = lists.name \
    WHERE tables.type = 'table' AND lists.origin = 'c' ORDER BY tables.name, lists.name";

const IN_POSTGRES: &str = "\
    SELECT '| `' || names.relname || '`' || CASE WHEN indisunique THEN '\\*' ELSE '' END \
        || ' | ' || tables.relname || ' (' \
        || (SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = indexrelid) \
        || ')' || CASE WHEN indpred IS NULL THEN '' ELSE ' …' END || ' | ' AS line \
    FROM pg_index JOIN pg_class names ON names.oid = indexrelid JOIN pg_class tables ON tables.oid = indrelid \
    WHERE NOT indisprimary AND names.relnamespace = current_schema()::regnamespace \
    ORDER BY tables.relname COLLATE \"C\", names.relname COLLATE \"C\"";

#[allow(
    clippy::disallowed_methods,
    reason = "a connection beside the store's, to ask what is there"
)]
fn indexes(database: Database) -> Vec<String> {
    let store = TestStore::open(database);
    let lines: Vec<Line> = match database {
        Database::Sqlite => {
            let file = store.url.strip_prefix("sqlite://").unwrap();
            let mut connection = SqliteConnection::establish(file).unwrap();
            diesel::sql_query(IN_SQLITE).load(&mut connection).unwrap()
        }
        Database::Postgres => {
            let mut connection = PgConnection::establish(&store.url).unwrap();
            diesel::sql_query(IN_POSTGRES)
                .load(&mut connection)
                .unwrap()
        }
    };
    lines.into_iter().map(|line| line.line).collect()
}

#[test]
fn the_handbook_lists_every_index_and_what_it_serves() {
    let (_, list) = HANDBOOK.split_once("\n## Indexes\n").unwrap();
    let (list, _) = list.split_once("\n## ").unwrap();
    let listed: Vec<&str> = list
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let (sqlite, postgres) = (indexes(Database::Sqlite), indexes(Database::Postgres));
    assert_eq!(sqlite, postgres, "the two databases have the same indexes");
    for index in &sqlite {
        let line = listed
            .iter()
            .find_map(|line| line.strip_prefix(index.as_str()));
        let serves = line.unwrap_or_default().trim_matches([' ', '|']);
        assert!(
            serves.len() > 3,
            "say in docs/performance-scale.md what it serves: {index}"
        );
    }
    let is_there = |line: &&&str| !sqlite.iter().any(|index| line.starts_with(index));
    let gone: Vec<&&str> = listed.iter().filter(is_there).collect();
    assert!(gone.is_empty(), "no such indexes: {gone:#?}");
}
