//! Nodes of one PostgreSQL database tell each other of new work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use lyceum_ports::running::nodes::NodeId;
use lyceum_store::{DatabaseUrl, Notices};
use support::stores::{Database, TestStore};
use support::tampering::tamper;
use uuid::Uuid;

const SOON: Duration = Duration::from_secs(30);

/// A node that counts how often it was rung.
struct Listener {
    to_tell: Arc<AtomicBool>,
    rung: Arc<AtomicUsize>,
    _notices: Notices,
}

impl Listener {
    /// It rings once when it begins to listen.
    fn start(url: &str, n: u128) -> Self {
        let (to_tell, rung) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let (flag, counter) = (Arc::clone(&to_tell), Arc::clone(&rung));
        let count = move || {
            counter.fetch_add(1, Ordering::SeqCst);
        };
        let me = NodeId(Uuid::from_u128(n));
        let url = DatabaseUrl::parse(url).unwrap();
        let notices = Notices::open(&url, me, flag, count).unwrap().unwrap();
        let listener = Self {
            to_tell,
            rung,
            _notices: notices,
        };
        listener.until_rung(1);
        listener
    }

    fn rung(&self) -> usize {
        self.rung.load(Ordering::SeqCst)
    }

    fn until_rung(&self, times: usize) {
        let deadline = Instant::now() + SOON;
        while self.rung() < times {
            assert!(Instant::now() < deadline, "rung {} times", self.rung());
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn tell(&self) {
        self.to_tell.store(true, Ordering::SeqCst);
    }
}

#[test]
fn what_one_node_queues_rings_at_the_others_and_not_at_itself() {
    let store = TestStore::open(Database::Postgres);
    let (one, other) = (
        Listener::start(&store.url, 1),
        Listener::start(&store.url, 2),
    );
    one.tell();
    other.until_rung(2);
    other.tell();
    one.until_rung(2);
    assert_eq!((one.rung(), other.rung()), (2, 2));
}

#[test]
fn a_lost_connection_is_made_again_and_rings_for_what_was_missed() {
    let store = TestStore::open(Database::Postgres);
    let (one, other) = (
        Listener::start(&store.url, 1),
        Listener::start(&store.url, 2),
    );
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND query LIKE '%lyceum_queued%' AND pid <> pg_backend_pid()";
    tamper(&store.url, cut);
    one.until_rung(2);
    other.until_rung(2);
    one.tell();
    other.until_rung(3);
}

#[test]
fn alone_there_is_nobody_to_tell() {
    let url = DatabaseUrl::parse("sqlite:///nowhere/lyceum.db").unwrap();
    let notices = Notices::open(&url, NodeId(Uuid::nil()), Arc::default(), || ());
    assert!(notices.unwrap().is_none());
}
