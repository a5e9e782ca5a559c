//! A start that dies while it brings the tables up to date.

use lyceum_store::{DatabaseUrl, MasterKey, OpenError, StoreSettings};
use rstest::rstest;
use support::postgres;
use support::stores::{Database, TestStore, reopen};
use support::tampering::tamper;
use tempfile::TempDir;

use crate::deeds::{Deed, in_a_process_that_dies_at};
use crate::folder::{assert_whole, count};

/// After the first missing migration, and before the second.
const BETWEEN: usize = 2;
/// Before the first.
const BEFORE: usize = 1;

fn migrations(url: &str) -> i64 {
    count(url, "SELECT count(*) AS n FROM __diesel_schema_migrations")
}

fn empty(database: Database) -> (String, TempDir) {
    let folder = TempDir::new().unwrap();
    let url = match database {
        Database::Sqlite => format!("sqlite://{}/lyceum.db", folder.path().display()),
        Database::Postgres => postgres::cluster().create_database(),
    };
    (url, folder)
}

#[rstest]
fn each_migration_is_whole_and_the_next_start_goes_on(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (url, _folder) = empty(database);
    let all = migrations(&TestStore::open(database).url);
    assert!(!in_a_process_that_dies_at(BEFORE, Deed::Open, &url).success());
    assert_eq!(migrations(&url), 0);
    for done in 1..=all {
        assert!(!in_a_process_that_dies_at(BETWEEN, Deed::Open, &url).success());
        assert_eq!(migrations(&url), done);
        assert_whole(&url);
    }
    drop(reopen(&url));
    assert_eq!(migrations(&url), all);
}

fn open(url: &str) -> Result<(), OpenError> {
    lyceum_store::open(StoreSettings {
        url: DatabaseUrl::parse(url).unwrap(),
        pooler: None,
        replica: None,
        master_key: MasterKey::from_bytes([7; 32]),
        connections: 2,
    })
    .map(drop)
}

#[rstest]
fn a_database_of_a_newer_version_is_refused_by_name(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
    tamper(
        &store.url,
        "INSERT INTO __diesel_schema_migrations (version) VALUES ('29990101000000')",
    );
    let refused = open(&store.url).unwrap_err().to_string();
    assert!(refused.contains("newer than this program"), "{refused}");
    assert!(refused.contains("29990101000000"), "{refused}");
}

#[test]
fn nodes_that_start_at_once_migrate_once() {
    let (url, _folder) = empty(Database::Postgres);
    let starting: Vec<_> = (0..4)
        .map(|_| {
            let url = url.clone();
            std::thread::spawn(move || open(&url))
        })
        .collect();
    for one in starting {
        one.join().unwrap().unwrap();
    }
    assert_eq!(
        migrations(&url),
        migrations(&TestStore::open(Database::Postgres).url)
    );
}
