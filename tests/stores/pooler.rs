//! A pooler in transaction mode (pgbouncer) in front of PostgreSQL: many connections share two sessions of the server, and everything is
//! as without it.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use lyceum_domain::authoring::courses::Course;
use lyceum_ports::authoring::courses::CourseFilter;
use lyceum_ports::page::PageRequest;
use lyceum_ports::running::shared_limits::SharedQuota;
use lyceum_ports::store::{Store, StoreError, Tx};
use lyceum_store::upkeep::pooler_diagnosis::diagnose_pooler;
use lyceum_store::{DatabaseUrl, OpenError, PostgresUrl};
use support::fakes::id;
use support::own_postgres::free_port;
use support::pooler::Pooler;
use support::sample;
use support::sample::{content, people};
use support::stores::{Database, TestDatabase, open_behind, reopen_behind};
use support::tampering::tamper;
use tokio::time::{sleep, timeout};

/// More than there are sessions by far.
const AT_ONCE: u64 = 60;
const SOON: Duration = Duration::from_mins(1);

/// A database with workspace 1 and course 100, a pooler with two sessions in front of it, and two nodes that go through it.
struct Pooled {
    url: String,
    pooler: Pooler,
    nodes: [Arc<dyn Store>; 2],
    _database: TestDatabase,
}

impl Pooled {
    async fn new() -> Self {
        let database = TestDatabase::migrated(Database::Postgres);
        let pooler = Pooler::before(&database.url, 2);
        let behind = pooler.url_of(&database.url);
        let nodes = [0, 1].map(|_| reopen_behind(&database.url, &behind));
        let made = nodes[0].write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.courses().insert(&sample::course(id(1), 100))
        });
        let made: Result<(), StoreError> = made.await;
        made.unwrap();
        Self {
            url: database.url.clone(),
            pooler,
            nodes,
            _database: database,
        }
    }

    /// What comes of this much work at once, by turns on both nodes.
    async fn at_once<T: Send + 'static>(
        &self,
        work: impl Fn(u64, &mut dyn Tx) -> Result<T, StoreError> + Clone + Send + 'static,
    ) -> Vec<Result<T, StoreError>> {
        let running = (0..AT_ONCE).map(|number| {
            let node = Arc::clone(&self.nodes[usize::try_from(number % 2).unwrap()]);
            let work = work.clone();
            tokio::spawn(async move { node.write(move |tx| work(number, tx)).await })
        });
        let ended = timeout(SOON, join_all(running)).await.unwrap();
        ended.into_iter().map(Result::unwrap).collect()
    }
}

fn course(tx: &mut dyn Tx, number: u64) -> Result<Course, StoreError> {
    Ok(tx.courses().find(id(1), id(number))?.unwrap())
}

fn touch(tx: &mut dyn Tx) -> Result<(), StoreError> {
    let mut course = course(tx, 100)?;
    course.stamp.touch(sample::now());
    tx.courses().update(&course)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_changes_one_row_at_once_on_two_nodes_changes_it() {
    let pooled = Pooled::new().await;
    let before = pooled.nodes[0].read(|tx| course(tx, 100)).await.unwrap();
    let ended = pooled.at_once(|_, tx| touch(tx)).await;
    let refused: Vec<_> = ended.iter().filter(|it| it.is_err()).collect();
    assert!(refused.is_empty(), "{refused:?}");
    let after = pooled.nodes[1].read(|tx| course(tx, 100)).await.unwrap();
    assert_eq!(
        after.stamp.version,
        before.stamp.version + i64::try_from(AT_ONCE).unwrap()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn rows_whose_answers_nobody_reads_are_all_there() {
    let pooled = Pooled::new().await;
    let ended = pooled
        .at_once(|number, tx| {
            for one in 0..3 {
                let event = people::event(id(1), 1_000 + number * 3 + one);
                tx.events().append(&event)?;
            }
            Ok(())
        })
        .await;
    assert!(ended.iter().all(Result::is_ok), "{ended:?}");
    let there = pooled.nodes[1].read(|tx| {
        let mut there = 0;
        for number in 0..AT_ONCE * 3 {
            there += u64::from(tx.events().find(id(1), id(1_000 + number))?.is_some());
        }
        Ok::<_, StoreError>(there)
    });
    assert_eq!(there.await.unwrap(), AT_ONCE * 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_counts_at_another_isolation_counts_everybody() {
    let pooled = Pooled::new().await;
    let quota = SharedQuota {
        amount: NonZeroU32::new(40).unwrap(),
        window: Duration::from_hours(1),
    };
    let ended =
        pooled.at_once(move |_, tx| tx.shared_limits().take("bucket", quota, 1, sample::now()));
    let taken = ended.await.into_iter().map(Result::unwrap);
    assert_eq!(taken.filter(|standing| standing.taken.is_ok()).count(), 40);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn reads_of_every_kind_are_answered_and_each_gets_its_own_answer() {
    let pooled = Pooled::new().await;
    let made = pooled.nodes[0].write(|tx| {
        (101..120).try_for_each(|number| tx.courses().insert(&sample::course(id(1), number)))
    });
    made.await.unwrap();
    let reading = (0..200_u64).map(|number| {
        let node = Arc::clone(&pooled.nodes[usize::try_from(number % 2).unwrap()]);
        tokio::spawn(async move {
            let wanted = 100 + number % 20;
            // In one trip where there is a pipeline, which the first who come have begun.
            let mut view = node.view()?;
            let one = node.read_one_in(&mut view, move |tx| course(tx, wanted));
            let one: Result<_, StoreError> = one.await;
            assert_eq!(one?.id, id(wanted));
            let both = node.read_at_length(move |tx| {
                let all =
                    tx.courses()
                        .page(id(1), &CourseFilter::default(), &PageRequest::first(50))?;
                Ok((all.items.len(), course(tx, wanted)?.id))
            });
            let both: Result<_, StoreError> = both.await;
            assert_eq!(both?, (20, id(wanted)));
            Ok::<_, StoreError>(())
        })
    });
    for read in timeout(SOON, join_all(reading)).await.unwrap() {
        read.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_only_reads_cannot_write() {
    let pooled = Pooled::new().await;
    let insert = |tx: &mut dyn Tx| tx.units().insert(&content::unit(id(1), 500));
    let several = pooled.nodes[0].read(insert).await;
    let one = pooled.nodes[0].read_one_in(&mut None, insert).await;
    assert!(several.is_err() && one.is_err());
    for _ in 0..20 {
        let mut view = pooled.nodes[0].view().unwrap();
        assert!(
            pooled.nodes[0]
                .read_one_in(&mut view, insert)
                .await
                .is_err()
        );
        sleep(Duration::from_millis(5)).await;
    }
}

/// What looks, at the COMMIT, whether that waits for the disk; the server of the tests says that it does not.
const ON_DISK: &str = "CREATE FUNCTION on_disk() RETURNS trigger LANGUAGE plpgsql AS \
     'BEGIN IF current_setting(''synchronous_commit'') = ''off'' THEN RAISE EXCEPTION ''not on disk''; END IF; RETURN NULL; END'; \
     CREATE CONSTRAINT TRIGGER on_disk AFTER UPDATE ON courses DEFERRABLE INITIALLY DEFERRED \
     FOR EACH ROW EXECUTE FUNCTION on_disk()";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_waits_for_the_disk_whatever_the_server_is_set_to() {
    let pooled = Pooled::new().await;
    tamper(&pooled.url, ON_DISK);
    pooled.nodes[0].write(touch).await.unwrap();
}

/// As a rule that is held only at the COMMIT does.
const NO_COMMIT: &str = "CREATE FUNCTION no_commit() RETURNS trigger LANGUAGE plpgsql AS \
     'BEGIN RAISE EXCEPTION ''not kept''; END'; \
     CREATE CONSTRAINT TRIGGER no_commit AFTER UPDATE ON courses DEFERRABLE INITIALLY DEFERRED \
     FOR EACH ROW EXECUTE FUNCTION no_commit()";

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_could_not_commit_stands_in_nobody_s_way() {
    let pooled = Pooled::new().await;
    tamper(&pooled.url, NO_COMMIT);
    let stands = |tx: &mut dyn Tx| {
        tx.stand_in_line(lyceum_ports::store::Line::at("here"))?;
        touch(tx)
    };
    let refused = timeout(SOON, pooled.nodes[0].write(stands)).await.unwrap();
    assert!(refused.is_err());
    tamper(&pooled.url, "DROP TRIGGER no_commit ON courses");
    // Somebody has the session in which that was, and whoever stands there next another: of one session both could be first.
    let (is_there, is_over) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicBool::new(false)),
    );
    let (there, over) = (Arc::clone(&is_there), Arc::clone(&is_over));
    let node = Arc::clone(&pooled.nodes[1]);
    let having = tokio::spawn(async move {
        let work = move |tx: &mut dyn Tx| {
            course(tx, 100)?;
            there.store(true, Ordering::SeqCst);
            while !over.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok::<_, StoreError>(())
        };
        node.read(work).await
    });
    while !is_there.load(Ordering::SeqCst) {
        sleep(Duration::from_millis(5)).await;
    }
    // Sooner than anybody gives up waiting for a lock.
    let kept = timeout(Duration::from_secs(10), pooled.nodes[0].write(stands)).await;
    is_over.store(true, Ordering::SeqCst);
    having.await.unwrap().unwrap();
    kept.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_that_leads_elsewhere_or_nowhere_is_refused() {
    let pooled = Pooled::new().await;
    let other = TestDatabase::migrated(Database::Postgres);
    let nowhere = format!("postgres://postgres@127.0.0.1:{}/lyceum", free_port());
    for unusable in [pooled.pooler.url_of(&other.url), nowhere] {
        let opened = open_behind(&pooled.url, &unusable);
        assert!(matches!(opened, Err(OpenError::Pooler(_))));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_operator_is_told_of_a_pooler_is_so() {
    let mut pooled = Pooled::new().await;
    let other = TestDatabase::migrated(Database::Postgres);
    let database = DatabaseUrl::parse(&pooled.url).unwrap();
    let told = |at: &str| {
        let named = PostgresUrl::parse(at, &database).unwrap();
        tokio::task::block_in_place(|| diagnose_pooler(&database, &named))
    };
    let behind = pooled.pooler.url_of(&pooled.url);
    assert_eq!(told(&behind), Ok(()));
    let elsewhere = pooled.pooler.url_of(&other.url);
    assert_eq!(told(&elsewhere), Err("it leads to another database"));
    pooled.pooler.kill();
    assert_eq!(told(&behind), Err("it cannot be reached"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_pooler_that_dies_under_a_write_is_as_a_server_that_dies() {
    let mut pooled = Pooled::new().await;
    for _ in 0..3 {
        let runs = Arc::new(AtomicU32::new(0));
        let (run, node) = (Arc::clone(&runs), Arc::clone(&pooled.nodes[0]));
        let writing = tokio::spawn(async move {
            node.write(move |tx| {
                let course = course(tx, 100)?;
                run.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(300));
                let mut course = course;
                course.stamp.touch(sample::now());
                tx.courses().update(&course)
            })
            .await
        });
        while runs.load(Ordering::SeqCst) == 0 {
            sleep(Duration::from_millis(5)).await;
        }
        let before = pooled.url.clone();
        tokio::task::block_in_place(|| {
            pooled.pooler.kill();
            pooled.pooler.restart();
        });
        // Nothing had been kept: it is run again, on a connection through the new one.
        let written: Result<(), StoreError> = timeout(SOON, writing).await.unwrap().unwrap();
        written.unwrap();
        assert!(runs.load(Ordering::SeqCst) > 1, "{before}");
    }
    for node in &pooled.nodes {
        node.write(touch).await.unwrap();
    }
}
