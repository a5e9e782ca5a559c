//! On PostgreSQL a standby may answer what callers read: what it answers has all that anybody was told is kept, and whatever becomes of
//! it is nobody's error.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use lyceum_domain::authoring::courses::Course;
use lyceum_domain::text::Name;
use lyceum_ports::identity::callers::Introduction;
use lyceum_ports::store::{Store, StoreError, Tx};
use lyceum_store::running::metrics::StoreMetrics;
use lyceum_store::upkeep::replica_diagnosis::diagnose_replica;
use lyceum_store::{DatabaseUrl, PostgresUrl};
use support::fakes::id;
use support::own_postgres::{OwnPostgres, free_port};
use support::sample;
use support::sample::people;
use support::stores::{reopen, reopen_beside};
use support::tampering::tamper;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

const SOON: Duration = Duration::from_mins(1);
/// Somebody who may do no more than a service needs.
const USER: &str = "lyceum";

/// A primary with workspace 1, course 100 and key 30 of person 10; a standby of it, and two nodes that serve both.
struct Pair {
    primary: OwnPostgres,
    standby: OwnPostgres,
    here: Node,
    there: Node,
}

/// What one node has: a store, and what it measures.
struct Node {
    store: Arc<dyn Store>,
    metrics: StoreMetrics,
}

/// The ways in which callers read.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// One thing, in one trip.
    One,
    /// Several in one snapshot, behind a caller.
    Several,
    /// The same where there are no pipelines.
    Alone,
    /// What may take long.
    AtLength,
}

const WAYS: [Way; 4] = [Way::One, Way::Several, Way::Alone, Way::AtLength];

impl Pair {
    /// With these settings of the servers.
    async fn set(settings: &[&str]) -> Self {
        let primary = tokio::task::block_in_place(OwnPostgres::start);
        tamper(&primary.url(), &format!("CREATE ROLE {USER} LOGIN"));
        tamper(
            &primary.url(),
            &format!("CREATE DATABASE {USER} OWNER {USER}"),
        );
        for setting in settings {
            tamper(&primary.url(), &format!("ALTER SYSTEM SET {setting}"));
        }
        let url = primary.url_of(USER, USER);
        let store = reopen(&url);
        let made = store.write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.courses().insert(&sample::course(id(1), 100))?;
            tx.users().insert_person(&people::person(10))?;
            tx.users().insert(&people::user(id(1), 10))?;
            tx.keys().insert(&people::key(id(10), 30))
        });
        let made: Result<(), StoreError> = made.await;
        made.unwrap();
        let standby = tokio::task::block_in_place(|| primary.standby());
        let there = standby.url_of(USER, USER);
        Self {
            here: Node::on(&url, &there).await,
            there: Node::on(&url, &there).await,
            primary,
            standby,
        }
    }

    async fn new() -> Self {
        Self::set(&[]).await
    }

    /// What was written is no longer replayed.
    fn stop_replaying(&self) {
        tamper(&self.standby.url(), "SELECT pg_wal_replay_pause()");
    }

    fn go_on_replaying(&self) {
        tamper(&self.standby.url(), "SELECT pg_wal_replay_resume()");
    }
}

impl Node {
    async fn on(url: &str, replica: &str) -> Self {
        let metrics = StoreMetrics::new().unwrap();
        let store = reopen_beside(url, replica, Some(metrics.clone()));
        let node = Self { store, metrics };
        let known = node
            .store
            .read(|tx| tx.callers().find(&introduction()))
            .await;
        assert!(known.unwrap().is_some());
        node
    }

    /// Reads that the standby was to answer, and of which this came.
    fn reads(&self, outcome: &str) -> u64 {
        let collectors = self.metrics.collectors();
        let families = collectors.iter().flat_map(|one| one.collect());
        let reads = families.filter(|it| it.name() == "lyceum_store_replica_reads_total");
        let metrics = reads.flat_map(|family| family.get_metric().to_vec());
        let of_it = metrics.filter(|it| it.get_label()[0].value() == outcome);
        let said = of_it.map(|it| it.get_counter().get_value().to_string());
        said.map(|number| number.parse::<u64>().unwrap()).sum()
    }

    async fn rename(&self, name: &str) {
        let name = sample::name(name);
        let written = self.store.write(move |tx| {
            let mut course = course(tx)?;
            course.name = name.clone();
            course.stamp.touch(sample::now());
            tx.courses().update(&course)
        });
        written.await.unwrap();
    }

    /// What the course is called, for the caller.
    async fn ask(&self, way: Way) -> Result<Name, StoreError> {
        match way {
            Way::One => self.ask_behind_a_caller(|tx| Ok(course(tx)?.name)).await,
            Way::Several => self.ask_behind_a_caller(names).await,
            Way::Alone => self.store.read_on(&mut None, names).await,
            Way::AtLength => self.store.read_at_length(names).await,
        }
    }

    /// As a request does: the caller is taken at their word, and proven before anything is told.
    async fn ask_behind_a_caller(
        &self,
        work: impl FnMut(&mut dyn Tx) -> Result<Name, StoreError> + Send + 'static,
    ) -> Result<Name, StoreError> {
        let since = Instant::now();
        let mut view = self.store.view()?;
        while view.is_none() {
            assert!(since.elapsed() < SOON, "there is no pipeline");
            sleep(Duration::from_millis(5)).await;
            view = self.store.view()?;
        }
        let trust = view.as_ref().and_then(|view| view.trust()).unwrap();
        let finding = self
            .store
            .read_one_in(&mut view, |tx| tx.callers().find(&introduction()));
        let found: Result<_, StoreError> = finding.await;
        assert!(found?.is_some());
        let read = self.store.read_one_in(&mut view, work).await;
        trust.prove().await?;
        read
    }

    /// Asks until the standby answers, and says what it answered.
    async fn answer_of_the_standby(&self, way: Way) -> Name {
        let since = Instant::now();
        loop {
            let before = self.reads("answered");
            let name = self.ask(way).await.unwrap();
            if self.reads("answered") > before {
                return name;
            }
            assert!(
                since.elapsed() < SOON,
                "{way:?}: the standby does not answer"
            );
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Asks until this came of it, and is always told this name.
    async fn is_told_until(&self, name: &str, outcome: &str) {
        let (since, before) = (Instant::now(), self.reads(outcome));
        while self.reads(outcome) == before {
            for way in WAYS {
                assert_eq!(self.ask(way).await.unwrap(), sample::name(name), "{way:?}");
            }
            assert!(since.elapsed() < SOON, "nothing was {outcome}");
        }
    }
}

/// What lies between two machines, and at times carries nothing.
struct Distance {
    address: SocketAddr,
    is_open: Arc<AtomicBool>,
}

impl Distance {
    /// To this address.
    async fn to(there: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let is_open = Arc::new(AtomicBool::new(true));
        let carries = Arc::clone(&is_open);
        tokio::spawn(async move {
            while let Ok((here, _)) = listener.accept().await {
                let Ok(there) = TcpStream::connect(there).await else {
                    continue;
                };
                let ((from, to), (back, home)) = (here.into_split(), there.into_split());
                tokio::spawn(carry(from, home, Arc::clone(&carries)));
                tokio::spawn(carry(back, to, Arc::clone(&carries)));
            }
        });
        Self { address, is_open }
    }
}

/// Carries bytes while it is open, and keeps them meanwhile.
async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, is_open: Arc<AtomicBool>) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        while !is_open.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(5)).await;
        }
        if to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}

fn introduction() -> Introduction {
    Introduction {
        lookup: people::key(id(10), 30).lookup,
        platform: None,
    }
}

fn course(tx: &mut dyn Tx) -> Result<Course, StoreError> {
    Ok(tx.courses().find(id(1), id(100))?.unwrap())
}

/// The name of the course, asked for twice.
fn names(tx: &mut dyn Tx) -> Result<Name, StoreError> {
    let [first, second] = [course(tx)?.name, course(tx)?.name];
    assert_eq!(first, second);
    Ok(first)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_callers_read_the_standby_answers_and_what_work_rests_on_the_primary() {
    let pair = Pair::new().await;
    for way in WAYS {
        pair.here.answer_of_the_standby(way).await;
    }
    let asked =
        |node: &Node| ["answered", "behind", "busy", "failed", "away"].map(|it| node.reads(it));
    let before = asked(&pair.here);
    pair.here.store.read(names).await.unwrap();
    pair.here.rename("Written").await;
    assert_eq!(asked(&pair.here), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_written_anywhere_is_read_everywhere() {
    let pair = Pair::new().await;
    for way in WAYS {
        pair.there.answer_of_the_standby(way).await;
    }
    for number in 0..50 {
        let name = format!("Number {number}");
        pair.here.rename(&name).await;
        for way in WAYS {
            let told = pair.there.ask(way).await.unwrap();
            assert_eq!(told, sample::name(&name), "{way:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_lags_behind_does_not_answer_for_what_it_has_not_seen() {
    let pair = Pair::new().await;
    for way in WAYS {
        pair.there.answer_of_the_standby(way).await;
    }
    pair.stop_replaying();
    for number in 0..5 {
        let name = format!("Number {number}");
        pair.here.rename(&name).await;
        let answered = pair.there.reads("answered");
        pair.there.is_told_until(&name, "behind").await;
        assert_eq!(pair.there.reads("answered"), answered);
    }
    pair.go_on_replaying();
    let name = pair.there.answer_of_the_standby(Way::One).await;
    assert_eq!(name, sample::name("Number 4"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_was_revoked_is_refused_at_once_although_the_standby_has_not_heard_of_it() {
    for way in [Way::One, Way::Several] {
        let pair = Pair::new().await;
        pair.there.answer_of_the_standby(way).await;
        pair.stop_replaying();
        let revoked = pair.here.store.write(|tx| {
            let mut key = people::key(id(10), 30);
            key.revoke(sample::now());
            tx.keys().update(&key)
        });
        let revoked: Result<(), StoreError> = revoked.await;
        revoked.unwrap();
        let told = pair.there.ask(way).await;
        assert!(matches!(told, Err(StoreError::Outdated)), "{told:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_standby_that_dies_under_reads_costs_nobody_an_error_and_is_used_when_it_is_back() {
    let mut pair = Pair::new().await;
    pair.here.answer_of_the_standby(Way::One).await;
    let node = Arc::new(Node {
        store: Arc::clone(&pair.here.store),
        metrics: pair.here.metrics.clone(),
    });
    let is_over = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..8)
        .map(|number| {
            let (node, is_over) = (Arc::clone(&node), Arc::clone(&is_over));
            tokio::spawn(async move {
                let mut told = 0;
                while !is_over.load(Ordering::Relaxed) {
                    node.ask(WAYS[(number + told) % WAYS.len()]).await?;
                    told += 1;
                }
                Ok::<_, StoreError>(told)
            })
        })
        .collect();
    for _ in 0..3 {
        tokio::task::block_in_place(|| pair.standby.crash());
        let since = Instant::now();
        let before = node.reads("away");
        while node.reads("away") < before + 2 {
            assert!(since.elapsed() < SOON, "nobody found it away");
            sleep(Duration::from_millis(20)).await;
        }
        tokio::task::block_in_place(|| pair.standby.restart());
        pair.here.answer_of_the_standby(Way::Several).await;
    }
    is_over.store(true, Ordering::Relaxed);
    for reader in readers {
        assert!(reader.await.unwrap().unwrap() > 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_standby_that_falls_silent_in_the_middle_of_a_read_costs_nobody_an_error() {
    let pair = Pair::new().await;
    let distance = Distance::to(pair.standby.address()).await;
    let there = format!("postgres://{USER}@{}/{USER}", distance.address);
    let node = Node::on(&pair.primary.url_of(USER, USER), &there).await;
    for way in WAYS {
        node.answer_of_the_standby(way).await;
    }
    let is_open = Arc::clone(&distance.is_open);
    let reading = node.store.read_at_length(move |tx| {
        let first = course(tx)?.name;
        is_open.store(false, Ordering::Relaxed);
        assert_eq!(names(tx)?, first);
        Ok(first)
    });
    let name: Result<_, StoreError> = reading.await;
    assert_eq!(name.unwrap(), sample::course(id(1), 100).name);
    assert!(node.reads("away") > 0);
    distance.is_open.store(true, Ordering::Relaxed);
    for way in WAYS {
        node.answer_of_the_standby(way).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_became_a_primary_is_not_read_from() {
    let pair = Pair::new().await;
    pair.here.rename("Ours").await;
    pair.here.answer_of_the_standby(Way::One).await;
    pair.here.answer_of_the_standby(Way::Several).await;
    tamper(&pair.standby.url(), "SELECT pg_promote()");
    tamper(
        &pair.standby.url_of(USER, USER),
        "UPDATE courses SET name = 'Theirs'",
    );
    let answered = pair.here.reads("answered");
    for _ in 0..3 {
        pair.here.is_told_until("Ours", "away").await;
    }
    assert_eq!(pair.here.reads("answered"), answered);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_of_the_primary_before_is_not_read_from_however_far_it_is() {
    let pair = Pair::new().await;
    tamper(&pair.standby.url(), "SELECT pg_promote()");
    let (before, now) = (
        pair.primary.url_of(USER, USER),
        pair.standby.url_of(USER, USER),
    );
    for _ in 0..50 {
        tamper(&before, "UPDATE courses SET name = 'Before'");
    }
    let left_behind = tokio::task::block_in_place(|| pair.primary.standby());
    let node = Node::on(&now, &left_behind.url_of(USER, USER)).await;
    node.rename("Now").await;
    for _ in 0..2 {
        node.is_told_until("Now", "away").await;
    }
    assert_eq!(node.reads("answered"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_operator_is_told_of_a_replica_is_so() {
    let pair = Pair::new().await;
    let database = DatabaseUrl::parse(&pair.primary.url_of(USER, USER)).unwrap();
    let look = |at: &str| {
        let replica = PostgresUrl::parse(at, &database).unwrap();
        tokio::task::block_in_place(|| diagnose_replica(&database, &replica)).unwrap()
    };
    let there = pair.standby.url_of(USER, USER);
    pair.here.rename("Replayed").await;
    pair.here.answer_of_the_standby(Way::One).await;
    let found = look(&there);
    assert!(
        found.is_standby && found.is_ours && found.is_on_timeline,
        "{found:?}"
    );
    assert!(found.replayed_ago.is_some(), "{found:?}");
    pair.stop_replaying();
    pair.here.rename("Not replayed").await;
    assert!(look(&there).bytes_behind > Some(0));
    assert!(!look(&pair.standby.url()).is_ours);
    pair.go_on_replaying();
    tamper(&pair.standby.url(), "SELECT pg_promote()");
    assert!(!look(&there).is_standby);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_must_go_on_replaying_breaks_a_read_off_and_nobody_is_told() {
    let pair = Pair::set(&["max_standby_streaming_delay = 0"]).await;
    let primary = pair.primary.url_of(USER, USER);
    let since = Instant::now();
    loop {
        pair.here.answer_of_the_standby(Way::AtLength).await;
        let runs = Arc::new(AtomicU32::new(0));
        let (run, at) = (Arc::clone(&runs), primary.clone());
        let reading = pair.here.store.read_at_length(move |tx| {
            course(tx)?;
            if run.fetch_add(1, Ordering::Relaxed) == 0 {
                // What the snapshot still sees goes, at the standby too.
                tamper(&at, "UPDATE courses SET name = 'New'");
                tamper(&at, "VACUUM courses");
                std::thread::sleep(Duration::from_millis(300));
            }
            names(tx)
        });
        let told: Result<_, StoreError> = reading.await;
        let told = told.unwrap();
        if runs.load(Ordering::Relaxed) == 2 {
            assert_eq!(told, sample::name("New"));
            assert!(pair.here.reads("failed") + pair.here.reads("away") > 0);
            return;
        }
        assert!(since.elapsed() < SOON, "nothing was broken off");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_standby_of_this_database_is_not_read_from() {
    let pair = Pair::new().await;
    let url = pair.primary.url_of(USER, USER);
    let others = tokio::task::block_in_place(OwnPostgres::start);
    let theirs = tokio::task::block_in_place(|| others.standby());
    let nobody = format!("postgres://{USER}@127.0.0.1:{}/{USER}", free_port());
    for stranger in [pair.standby.url(), theirs.url(), url.clone(), nobody] {
        let node = Node::on(&url, &stranger).await;
        for _ in 0..2 {
            node.is_told_until(sample::course(id(1), 100).name.as_str(), "away")
                .await;
        }
        assert_eq!(node.reads("answered"), 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_the_replica_lets_nobody_look_the_primary_answers() {
    let pair = Pair::new().await;
    tamper(&pair.primary.url(), "CREATE ROLE stranger LOGIN");
    pair.here.answer_of_the_standby(Way::One).await;
    let url = pair.primary.url_of(USER, USER);
    let node = Node::on(&url, &pair.standby.url_of("stranger", USER)).await;
    let name = sample::course(id(1), 100).name;
    node.is_told_until(name.as_str(), "failed").await;
    assert_eq!(node.reads("answered"), 0);
}
