//! On PostgreSQL a plan that was made while a table was almost empty is not kept when the table has grown, also before autovacuum has
//! looked at it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::sql_types::BigInt;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl};
use lyceum_domain::Timestamp;
use lyceum_ports::store::{Store, StoreError};
use rstest::rstest;
use support::fakes::id;
use support::sample;
use support::sample::people;
use support::stores::{Database, TestStore};
use support::tampering::tamper;
use tokio::time::sleep;

const SOON: Duration = Duration::from_secs(30);
/// A session tells what it did once in a second.
const TOLD: Duration = Duration::from_millis(1_100);
/// More than PostgreSQL plans one by one, before it keeps a plan.
const AT_FIRST: u32 = 12;
const LATER: u32 = 32;

const GROW: [&str; 2] = [
    "INSERT INTO idempotency_replies (person_id, workspace_id, key, fingerprint, reply, created_at) \
     SELECT 'psn', '', n::text, '', '', now() FROM generate_series(1, 20000) AS n",
    "INSERT INTO courses SELECT (jsonb_populate_record(c, jsonb_build_object('id', 'crs_' || n))).* \
     FROM courses AS c, generate_series(1, 20000) AS n",
];

/// Where something is looked for by its key.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// On a connection of the pool, among the replies.
    Pool,
    /// On a pipeline, among the courses.
    Pipeline,
}

#[derive(QueryableByName)]
struct Scans {
    #[diesel(sql_type = BigInt)]
    scans: i64,
}

impl Place {
    const fn table(self) -> &'static str {
        match self {
            Self::Pool => "idempotency_replies",
            Self::Pipeline => "courses",
        }
    }

    async fn look(self, store: &Arc<dyn Store>, times: u32) {
        for _ in 0..times {
            let looked: Result<(), StoreError> = match self {
                Self::Pool => {
                    let key = people::reply_key(id(1), None);
                    let look = store.write(move |tx| {
                        let found = tx
                            .idempotency()
                            .find(&key, Timestamp::from_unix_millis(0))?;
                        assert!(found.is_none());
                        Ok(())
                    });
                    look.await
                }
                Self::Pipeline => {
                    let mut view = view(store).await;
                    let look = store.read_one_in(&mut view, |tx| {
                        assert!(tx.courses().find(id(1), id(1))?.is_some());
                        Ok(())
                    });
                    look.await
                }
            };
            looked.unwrap();
        }
    }

    /// How often all of the table was read by then, looking once more.
    #[allow(
        clippy::disallowed_methods,
        reason = "who looks at how PostgreSQL works does not ask the store"
    )]
    async fn scans(self, store: &TestStore) -> i64 {
        sleep(TOLD).await;
        self.look(&store.store, 1).await;
        let asked = format!(
            "SELECT seq_scan AS scans FROM pg_stat_user_tables WHERE relname = '{}'",
            self.table()
        );
        let mut connection = PgConnection::establish(&store.url).unwrap();
        let told: Scans = diesel::sql_query(asked)
            .get_result(&mut connection)
            .unwrap();
        told.scans
    }
}

async fn view(store: &Arc<dyn Store>) -> Option<Box<dyn lyceum_ports::store::View>> {
    let since = Instant::now();
    loop {
        let view = store.view().unwrap();
        if view.is_some() {
            return view;
        }
        assert!(since.elapsed() < SOON, "there is no pipeline");
        sleep(Duration::from_millis(5)).await;
    }
}

#[rstest]
#[tokio::test]
async fn a_plan_is_not_kept_when_its_table_has_grown(
    #[values(Place::Pool, Place::Pipeline)] place: Place,
) {
    let store = TestStore::open(Database::Postgres);
    let made: Result<(), StoreError> = store
        .write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.courses().insert(&sample::course(id(1), 1))
        })
        .await;
    made.unwrap();
    let table = place.table();
    // Nobody but us has it planned anew.
    tamper(
        &store.url,
        &format!("ALTER TABLE {table} SET (autovacuum_enabled = false)"),
    );
    tamper(&store.url, &format!("VACUUM ANALYZE {table}"));
    let before = place.scans(&store).await;
    place.look(&store.store, AT_FIRST).await;
    let small = place.scans(&store).await;
    assert!(small > before, "a small table is read as a whole");
    for grow in GROW {
        tamper(&store.url, grow);
    }
    let (since, mut scans) = (Instant::now(), place.scans(&store).await);
    loop {
        place.look(&store.store, LATER).await;
        let now = place.scans(&store).await;
        if now == scans {
            break;
        }
        assert!(since.elapsed() < SOON, "all of {table} is read each time");
        scans = now;
    }
}
