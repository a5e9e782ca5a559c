//! On PostgreSQL a transaction waits only for what it reads: what it puts there goes out with the next question or the COMMIT, and
//! what comes of that is told all the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lyceum_ports::store::{Store, StoreError, Tx};
use rstest::rstest;
use support::fakes::id;
use support::sample;
use support::sample::{content, people};
use support::stores::{Database, TestStore, reopen};
use support::tampering::tamper;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

const SOON: Duration = Duration::from_secs(20);

/// Somebody between a store and its server, who counts how often the store waits for the server, and may hang up.
struct Between {
    trips: AtomicUsize,
    /// After how many trips the next answer does not arrive, and the connection is gone.
    hangs_up_after: AtomicUsize,
}

impl Between {
    /// In front of the server of this address; gives the address to ask instead.
    async fn before(url: &str) -> (Arc<Self>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let here = listener.local_addr().unwrap();
        let server = url.split_once('@').unwrap().1.split('/').next().unwrap();
        let server = server.to_owned();
        let address = url.replace(&server, &here.to_string());
        let between = Arc::new(Self {
            trips: AtomicUsize::new(0),
            hangs_up_after: AtomicUsize::new(usize::MAX),
        });
        let counting = Arc::clone(&between);
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let (from_client, to_client) = client.into_split();
                let server = TcpStream::connect(&server).await.unwrap();
                let (from_server, to_server) = server.into_split();
                // Of this connection: one that the pool opens beside it must not hide a trip of it.
                let answered = Arc::new(AtomicBool::new(true));
                let asks =
                    Arc::clone(&counting).asks(from_client, to_server, Arc::clone(&answered));
                tokio::spawn(asks);
                tokio::spawn(Arc::clone(&counting).answers(from_server, to_client, answered));
            }
        });
        (between, address)
    }

    async fn asks(
        self: Arc<Self>,
        mut from: OwnedReadHalf,
        mut to: OwnedWriteHalf,
        answered: Arc<AtomicBool>,
    ) {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(read @ 1..) = from.read(&mut bytes).await {
            if answered.swap(false, Ordering::SeqCst) {
                self.trips.fetch_add(1, Ordering::SeqCst);
            }
            if to.write_all(&bytes[..read]).await.is_err() {
                return;
            }
        }
    }

    async fn answers(
        self: Arc<Self>,
        mut from: OwnedReadHalf,
        mut to: OwnedWriteHalf,
        answered: Arc<AtomicBool>,
    ) {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(read @ 1..) = from.read(&mut bytes).await {
            answered.store(true, Ordering::SeqCst);
            if self.hangs_up() || to.write_all(&bytes[..read]).await.is_err() {
                return;
            }
        }
    }

    /// Once.
    fn hangs_up(&self) -> bool {
        let is_due = self.trips.load(Ordering::SeqCst) > self.hangs_up_after.load(Ordering::SeqCst);
        if is_due {
            self.hangs_up_after.store(usize::MAX, Ordering::SeqCst);
        }
        is_due
    }

    /// The fewest that a write took, which is what one takes whose statements are prepared, and that no other connection is made beside.
    async fn fewest(
        &self,
        store: &Arc<dyn Store>,
        from: u64,
        write: fn(&mut dyn Tx, u64) -> Result<(), StoreError>,
    ) -> usize {
        let mut fewest = usize::MAX;
        for n in from..from + 8 {
            self.trips.store(0, Ordering::SeqCst);
            let written: Result<(), StoreError> = store.write(move |tx| write(tx, n)).await;
            written.unwrap();
            fewest = fewest.min(self.trips.load(Ordering::SeqCst));
        }
        fewest
    }
}

/// A course, what is told of it, and to whom: what every request that makes one does.
fn make(tx: &mut dyn Tx, n: u64) -> Result<(), StoreError> {
    tx.courses().insert(&sample::course(id(1), n))?;
    tx.events().append(&people::event(id(1), n))?;
    let told = tx.webhooks().enabled(id(1))?;
    assert!(told.is_empty());
    let key = people::reply_key(id(n), None);
    tx.idempotency().remember(&key, &people::reply("made"))
}

async fn store() -> TestStore {
    let store = TestStore::open(Database::Postgres);
    let made = store.write(|tx| tx.workspaces().insert(&sample::workspace(1)));
    made.await.unwrap();
    store
}

/// Connections that wait for what is read only, and libpq's, which wait for everything: this setting it alone knows.
const OURS: &str = "";
const LIBPQ_S: &str = "?keepalives_count=3";

/// The same store by connections of one kind.
fn by(store: &TestStore, kind: &str) -> Arc<dyn Store> {
    reopen(&format!("{}{kind}", store.url))
}

/// A store behind somebody who counts, after it has prepared what it says; and what it stands on.
async fn counted() -> (TestStore, Arc<Between>, Arc<dyn Store>) {
    let behind = store().await;
    let (between, url) = Between::before(&behind.url).await;
    let store = reopen(&url);
    // Who is told; and the end.
    assert_eq!(between.fewest(&store, 1, make).await, 2);
    between.trips.store(0, Ordering::SeqCst);
    (behind, between, store)
}

async fn courses(store: &Arc<dyn Store>) -> usize {
    let all: Result<usize, StoreError> = store
        .read(|tx| {
            let found = (1..100).filter_map(|n| tx.courses().find(id(1), id(n)).transpose());
            Ok(found.collect::<Result<Vec<_>, _>>()?.len())
        })
        .await;
    all.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_waits_for_its_questions_and_its_end_only() {
    let (behind, between, store) = counted().await;
    let put = |tx: &mut dyn Tx, n| tx.courses().insert(&sample::course(id(1), n));
    assert_eq!(between.fewest(&store, 11, put).await, 1);
    assert_eq!(courses(&behind.store).await, 16);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_libpq_is_asked_for_everything_is_waited_for() {
    let behind = store().await;
    let (between, url) = Between::before(&behind.url).await;
    let store = reopen(&format!("{url}{LIBPQ_S}"));
    // That it begins; the course, its event, who is told, the reply; and the end.
    assert_eq!(between.fewest(&store, 1, make).await, 6);
    assert_eq!(courses(&behind.store).await, 8);
}

#[rstest]
#[tokio::test]
async fn what_the_database_refuses_is_told_by_the_next_question_or_by_the_end(
    #[values(OURS, LIBPQ_S)] kind: &str,
) {
    let behind = store().await;
    let store = by(&behind, kind);
    store.write(|tx| make(tx, 1)).await.unwrap();
    for asks_more in [false, true] {
        let refused: Result<(), StoreError> = store
            .write(move |tx| {
                tx.courses().insert(&sample::course(id(1), 2))?;
                // There is one of this id.
                tx.courses().insert(&sample::course(id(1), 1))?;
                if asks_more {
                    tx.courses().find(id(1), id(2))?;
                }
                Ok(())
            })
            .await;
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
        assert_eq!(courses(&store).await, 1);
    }
    // Of a unit that is not there.
    let dangling = store.write(|tx| tx.lessons().insert(&content::lesson(id(1), 50)));
    let dangling: Result<(), StoreError> = dangling.await;
    assert!(
        matches!(dangling, Err(StoreError::Dangling)),
        "{dangling:?}"
    );
    // And nobody after them is told anything of it.
    store.write(|tx| make(tx, 3)).await.unwrap();
    assert_eq!(courses(&store).await, 2);
}

#[rstest]
#[tokio::test]
async fn as_many_rows_are_put_there_as_anybody_likes(#[values(OURS, LIBPQ_S)] kind: &str) {
    let behind = store().await;
    let store = by(&behind, kind);
    let many = |taken: Option<u64>| {
        store.write(move |tx| {
            let rows = (1..100).chain(taken);
            rows.into_iter()
                .try_for_each(|n| tx.courses().insert(&sample::course(id(1), n)))
        })
    };
    let refused: Result<(), StoreError> = many(Some(1)).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(courses(&store).await, 0);
    many(None).await.unwrap();
    assert_eq!(courses(&store).await, 99);
}

#[rstest]
#[tokio::test]
async fn a_panic_while_a_row_is_put_there_leaves_nothing_to_the_next(
    #[values(OURS, LIBPQ_S)] kind: &str,
) {
    let behind = store().await;
    let store = by(&behind, kind);
    let panicked: Result<(), StoreError> = store
        .write(|tx| {
            tx.courses().insert(&sample::course(id(1), 1))?;
            panic!("of a use case")
        })
        .await;
    assert!(
        matches!(panicked, Err(StoreError::Failed(_))),
        "{panicked:?}"
    );
    assert_eq!(courses(&store).await, 0);
    store.write(|tx| make(tx, 2)).await.unwrap();
    assert_eq!(courses(&store).await, 1);
}

#[rstest]
#[tokio::test]
async fn what_is_put_there_is_seen_by_the_next_question(#[values(OURS, LIBPQ_S)] kind: &str) {
    let behind = store().await;
    let store = by(&behind, kind);
    let found = store.write(|tx| {
        tx.courses().insert(&sample::course(id(1), 1))?;
        tx.courses().find(id(1), id(1))
    });
    let found: Result<_, StoreError> = found.await;
    assert_eq!(found.unwrap().map(|course| course.id), Some(id(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_that_is_never_answered_is_unknown_and_not_taken_for_either() {
    let (behind, between, store) = counted().await;
    // The end is the second.
    between.hangs_up_after.store(1, Ordering::SeqCst);
    let unknown: Result<(), StoreError> = store.write(|tx| make(tx, 9)).await;
    assert!(
        matches!(unknown, Err(StoreError::Unknown(_))),
        "{unknown:?}"
    );
    // The server is at the end still when whoever waits for it is cut off.
    let since = Instant::now();
    while courses(&behind.store).await < 9 {
        assert!(since.elapsed() < SOON, "what was sent is not kept");
        tokio::task::yield_now().await;
    }
    assert_eq!(courses(&behind.store).await, 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_cut_before_the_end_was_not_kept_and_is_run_again() {
    let (behind, between, store) = counted().await;
    between.hangs_up_after.store(0, Ordering::SeqCst);
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let written: Result<(), StoreError> = store
        .write(move |tx| {
            counted.fetch_add(1, Ordering::SeqCst);
            make(tx, 9)
        })
        .await;
    written.unwrap();
    assert_eq!(runs.load(Ordering::SeqCst), 2);
    assert_eq!(courses(&behind.store).await, 9);
}

#[tokio::test]
async fn a_value_that_the_tables_refuse_is_an_error_of_its_own_transaction() {
    let store = store().await;
    tamper(
        &store.url,
        "ALTER TABLE courses ADD CONSTRAINT short CHECK (hours < 1000)",
    );
    let long = store.write(|tx| {
        let mut course = sample::course(id(1), 1);
        course.hours = lyceum_domain::authoring::courses::Hours::parse(1000).unwrap();
        tx.courses().insert(&course)
    });
    let long: Result<(), StoreError> = long.await;
    assert!(matches!(long, Err(StoreError::Failed(_))), "{long:?}");
    store.write(|tx| make(tx, 2)).await.unwrap();
}
