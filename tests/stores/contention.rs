//! On PostgreSQL many write at the same time, on several nodes. However many want the same thing at once, each gets its
//! turn, and nobody is sent away.

use std::collections::BTreeSet;
use std::sync::{Arc, Barrier};
use std::time::Duration;

use futures_util::future::join_all;
use lyceum_ports::store::{Line, Store, StoreError, Tx};
use support::fakes::id;
use support::sample;
use support::sample::{content, people};
use support::stores::{Database, TestStore, reopen};
use support::tampering::tamper;

const AT_ONCE: u64 = 60;

/// Two nodes on one database, with workspace 1 and course 2 in it.
async fn two_nodes() -> (TestStore, [Arc<dyn Store>; 2]) {
    let store = TestStore::open(Database::Postgres);
    store
        .write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.courses().insert(&sample::course(id(1), 2))
        })
        .await
        .unwrap();
    let nodes = [Arc::clone(&store.store), reopen(&store.url)];
    (store, nodes)
}

/// What comes of this many pieces of work at once, by turns on both nodes.
async fn at_once<T: Send + 'static>(
    nodes: &[Arc<dyn Store>; 2],
    times: u64,
    work: impl Fn(u64, &mut dyn Tx) -> Result<T, StoreError> + Clone + Send + 'static,
) -> Vec<Result<T, StoreError>> {
    let running = (0..times).map(|number| {
        let node = Arc::clone(&nodes[usize::try_from(number % 2).unwrap()]);
        let work = work.clone();
        tokio::spawn(async move { node.write(move |tx| work(number, tx)).await })
    });
    let ended = join_all(running).await;
    ended.into_iter().map(Result::unwrap).collect()
}

fn none_refused<T: std::fmt::Debug>(ended: &[Result<T, StoreError>]) {
    let refused: Vec<_> = ended.iter().filter(|ended| ended.is_err()).collect();
    assert!(refused.is_empty(), "{} refused: {refused:?}", refused.len());
}

fn touch(tx: &mut dyn Tx) -> Result<(), StoreError> {
    let mut course = tx.courses().find(id(1), id(2))?.ok_or(StoreError::Stale)?;
    course.stamp.touch(sample::now());
    tx.courses().update(&course)
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_changes_the_same_row_at_once_changes_it() {
    let (store, nodes) = two_nodes().await;
    let before = store.read(|tx| tx.courses().find(id(1), id(2))).await;
    none_refused(&at_once(&nodes, AT_ONCE, |_, tx| touch(tx)).await);
    let after = store.read(|tx| tx.courses().find(id(1), id(2))).await;
    let version = |course: Result<Option<_>, _>| -> i64 {
        let course: lyceum_domain::authoring::courses::Course = course.unwrap().unwrap();
        course.stamp.version
    };
    let changes = version(after) - version(before);
    assert_eq!(changes, i64::try_from(AT_ONCE).unwrap());
}

/// A course is shown with its cohorts, so who makes one changes it: that is no reason to send anybody away, nor to lose one.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_makes_cohorts_of_a_course_at_once_makes_them_and_all_are_shown() {
    let (store, nodes) = two_nodes().await;
    let made = at_once(&nodes, AT_ONCE, |number, tx| {
        tx.cohorts()
            .insert(&people::cohort(id(1), id(2), 100 + number))
    });
    none_refused(&made.await);
    let shown = store.read(|tx| tx.courses().shown(id(1), &[id(2)]));
    let newest: Vec<_> = (100..100 + AT_ONCE).rev().map(id).collect();
    assert_eq!(shown.await.unwrap()[0].cohorts, newest);
}

/// A line is what a rule over several rows is kept by, such as that so many and no more are let in.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_stands_in_line_sees_what_those_before_did() {
    const PLACES: u32 = 7;
    let (store, nodes) = two_nodes().await;
    let ended = at_once(&nodes, AT_ONCE, |number, tx| {
        // Read before the line, which must not tell what was so before.
        tx.units().count(id(1), id(2))?;
        tx.stand_in_line(Line::at("places"))?;
        if tx.units().count(id(1), id(2))? >= PLACES {
            return Ok(false);
        }
        let mut unit = content::unit(id(1), 100 + number);
        unit.course_id = id(2);
        tx.units().insert(&unit)?;
        Ok(true)
    })
    .await;
    none_refused(&ended);
    let let_in = ended.iter().filter(|ended| matches!(ended, Ok(true)));
    assert_eq!(let_in.count(), usize::try_from(PLACES).unwrap());
    let there = store.read(|tx| tx.units().count(id(1), id(2))).await;
    assert_eq!(there.unwrap(), PLACES);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_looks_for_a_value_in_vain_and_finds_it_taken_looks_again() {
    let (_store, nodes) = two_nodes().await;
    let ended = at_once(&nodes, 20, |number, tx| {
        let person = tx.users().known_or_new(&people::person(50))?;
        let taken = tx.users().with_email(id(1), &person.email)?.is_some();
        if !taken {
            let mut user = people::user(id(1), 50 + number);
            (user.person_id, user.email) = (person.id, person.email);
            tx.users().insert(&user)?;
        }
        Ok(taken)
    })
    .await;
    none_refused(&ended);
    let found = ended.iter().filter(|ended| matches!(ended, Ok(true)));
    assert_eq!(found.count(), 19);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_was_taken_before_is_told_to_be() {
    let (store, _) = two_nodes().await;
    let insert = |tx: &mut dyn Tx| tx.workspaces().insert(&sample::workspace(1));
    let refused = tokio::time::timeout(Duration::from_secs(10), store.write(insert)).await;
    assert!(matches!(refused, Ok(Err(_))), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn those_who_wait_keep_no_connection_from_others() {
    let (_store, nodes) = two_nodes().await;
    let together = Arc::new(Barrier::new(2));
    let held = {
        let (node, together) = (Arc::clone(&nodes[0]), Arc::clone(&together));
        tokio::spawn(async move {
            node.write(move |tx| {
                tx.stand_in_line(Line::at("one thing"))?;
                together.wait();
                together.wait();
                Ok::<_, StoreError>(())
            })
            .await
        })
    };
    tokio::task::block_in_place(|| together.wait());
    let waiting = {
        let nodes = nodes.clone();
        tokio::spawn(async move {
            at_once(&nodes, AT_ONCE, |_, tx| {
                tx.stand_in_line(Line::at("one thing"))
            })
            .await
        })
    };
    // Far more than the pool has connections wait; whoever wants something else is served beside them.
    for node in &nodes {
        for _ in 0..20 {
            let found: Result<_, StoreError> = node.read(|tx| tx.workspaces().find(id(1))).await;
            assert!(found.unwrap().is_some());
            let other: Result<_, StoreError> = node.write(|tx| touch(tx)).await;
            other.unwrap();
        }
    }
    assert!(!waiting.is_finished());
    tokio::task::block_in_place(|| together.wait());
    held.await.unwrap().unwrap();
    none_refused(&waiting.await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_fails_panics_or_loses_the_connection_leaves_the_line() {
    let (store, nodes) = two_nodes().await;
    let line = || Line::at("one thing");
    let failed: Result<(), StoreError> = store
        .write(move |tx| {
            tx.stand_in_line(line())?;
            Err(StoreError::Failed("the work failed".into()))
        })
        .await;
    assert!(matches!(failed, Err(StoreError::Failed(_))), "{failed:?}");
    let panicked: Result<(), StoreError> = store
        .write(move |tx| {
            tx.stand_in_line(line())?;
            panic!("the work panicked");
        })
        .await;
    assert!(matches!(panicked, Err(StoreError::Failed(_))));
    let url = store.url.clone();
    let mut is_cut = false;
    let cut: Result<(), StoreError> = store
        .write(move |tx| {
            tx.stand_in_line(line())?;
            if !is_cut {
                is_cut = true;
                tamper(
                    &url,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                     WHERE datname = current_database() AND pid <> pg_backend_pid()",
                );
            }
            tx.workspaces().find(id(1)).map(drop)
        })
        .await;
    cut.unwrap();
    none_refused(&at_once(&nodes, 4, move |_, tx| tx.stand_in_line(line())).await);
    assert_eq!(advisory_locks(&store.url), BTreeSet::new());
}

/// What is locked on the server that no transaction holds.
fn advisory_locks(url: &str) -> BTreeSet<String> {
    use diesel::prelude::*;
    #[derive(QueryableByName)]
    struct Held {
        #[diesel(sql_type = diesel::sql_types::Text)]
        held: String,
    }
    #[allow(
        clippy::disallowed_methods,
        reason = "the operator does not ask the store for a connection"
    )]
    let mut operator = diesel::PgConnection::establish(url).unwrap();
    let held = diesel::sql_query(
        "SELECT objid::text AS held FROM pg_locks WHERE locktype = 'advisory' \
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    );
    let held = held.load::<Held>(&mut operator).unwrap();
    held.into_iter().map(|held| held.held).collect()
}
