//! On PostgreSQL, requests that read one thing share a connection, without a thread that waits; whatever happens to it, each is
//! answered, and with its own answer.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use futures_util::future::join_all;
use lyceum_domain::authoring::courses::Course;
use lyceum_ports::authoring::courses::CourseFilter;
use lyceum_ports::identity::callers::Introduction;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::{Store, StoreError, Trust, View};
use support::fakes::id;
use support::sample;
use support::sample::{content, people};
use support::stores::{Database, TestStore};
use support::tampering::tamper;
use tokio::time::{sleep, timeout};

const SOON: Duration = Duration::from_secs(20);
/// Longer than anything takes that waits for nobody.
const A_WHILE: Duration = Duration::from_millis(300);
const COURSES: u64 = 20;
const END_ALL_OTHERS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                              WHERE datname = current_database() AND pid <> pg_backend_pid()";

/// A store with workspace 1 and courses 100 to 119, each with a name of its own.
async fn store() -> TestStore {
    let store = TestStore::open(Database::Postgres);
    let made = store.write(|tx| {
        tx.workspaces().insert(&sample::workspace(1))?;
        for number in 0..COURSES {
            let mut course = sample::course(id(1), 100 + number);
            course.name = name(number);
            tx.courses().insert(&course)?;
        }
        Ok(())
    });
    made.await.unwrap();
    store
}

fn name(number: u64) -> lyceum_domain::text::Name {
    sample::name(&format!("Course {number}"))
}

/// A view, as soon as there is a pipeline for it.
async fn view(store: &Arc<dyn Store>) -> Option<Box<dyn View>> {
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

async fn course(
    store: &Arc<dyn Store>,
    mut view: Option<Box<dyn View>>,
    number: u64,
) -> Result<Option<Course>, StoreError> {
    let looking = store.read_one_in(&mut view, move |tx| {
        tx.courses().find(id(1), id(100 + number))
    });
    looking.await
}

async fn is_found(store: &Arc<dyn Store>, number: u64) {
    let view = view(store).await;
    let found = course(store, view, number).await.unwrap();
    assert_eq!(found.map(|course| course.name), Some(name(number)));
}

/// Somebody who keeps everybody else from a table for as long as this is there.
struct Keeper(PgConnection);

impl Keeper {
    #[allow(
        clippy::disallowed_methods,
        reason = "whoever is in the way does not ask the store for a connection"
    )]
    fn of(store: &TestStore, table: &str) -> Self {
        let mut connection = PgConnection::establish(&store.url).unwrap();
        let keep = format!("BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE");
        connection.batch_execute(&keep).unwrap();
        Self(connection)
    }

    fn let_go(mut self) {
        self.0.batch_execute("ROLLBACK").unwrap();
    }
}

/// Course 1 is found as soon as nobody keeps it, and not before.
async fn waits_for(
    keeper: Keeper,
    mut course: Pin<&mut impl Future<Output = Result<Option<Course>, StoreError>>>,
) {
    let early = timeout(Duration::from_millis(1), &mut course).await;
    assert!(early.is_err());
    keeper.let_go();
    let found = timeout(SOON, course).await.unwrap().unwrap();
    assert_eq!(found.map(|course| course.name), Some(name(1)));
}

/// Whom a store remembers, and what it takes on trust when they come in.
async fn taken_on_trust(store: &TestStore) -> Arc<dyn Trust> {
    let made = store.write(|tx| {
        tx.users().insert_person(&people::person(10))?;
        tx.users().insert(&people::user(id(1), 10))?;
        tx.keys().insert(&people::key(id(10), 30))
    });
    made.await.unwrap();
    let introduction = Introduction {
        lookup: people::key(id(10), 30).lookup,
        platform: None,
    };
    let again = introduction.clone();
    let known = store.read(move |tx| tx.callers().find(&again)).await;
    assert!(known.unwrap().is_some());
    let mut at_hand = view(&store.store).await;
    let trust = at_hand.as_ref().and_then(|view| view.trust()).unwrap();
    let looking = store
        .store
        .read_one_in(&mut at_hand, move |tx| tx.callers().find(&introduction));
    let found: Result<_, StoreError> = looking.await;
    assert!(found.unwrap().is_some());
    trust
}

async fn revoke(store: &TestStore) {
    let revoked = store.write(|tx| {
        let mut key = people::key(id(10), 30);
        key.revoke(sample::now());
        tx.keys().update(&key)
    });
    revoked.await.unwrap();
}

#[tokio::test]
async fn whoever_is_proven_late_is_who_they_were() {
    let store = store().await;
    let trust = taken_on_trust(&store).await;
    let keeper = Keeper::of(&store, "access_stamps");
    let mut proving = std::pin::pin!(trust.prove());
    // Longer than anybody waits on a pipeline.
    assert!(
        timeout(Duration::from_millis(1_500), &mut proving)
            .await
            .is_err()
    );
    keeper.let_go();
    timeout(SOON, proving).await.unwrap().unwrap();
}

#[tokio::test]
async fn whoever_is_proven_late_and_was_changed_is_found_out() {
    let store = store().await;
    let trust = taken_on_trust(&store).await;
    revoke(&store).await;
    let keeper = Keeper::of(&store, "access_stamps");
    let mut proving = std::pin::pin!(trust.prove());
    assert!(
        timeout(Duration::from_millis(1_500), &mut proving)
            .await
            .is_err()
    );
    keeper.let_go();
    let proof = timeout(SOON, proving).await.unwrap();
    assert!(matches!(proof, Err(StoreError::Outdated)), "{proof:?}");
}

#[tokio::test]
async fn a_proof_that_nobody_waited_for_is_still_owed() {
    let store = store().await;
    let trust = taken_on_trust(&store).await;
    let keeper = Keeper::of(&store, "access_stamps");
    assert!(
        timeout(Duration::from_millis(10), trust.prove())
            .await
            .is_err()
    );
    keeper.let_go();
    revoke(&store).await;
    let proof = trust.prove().await;
    assert!(matches!(proof, Err(StoreError::Outdated)), "{proof:?}");
}

#[tokio::test]
async fn a_pipeline_takes_no_more_than_it_can_answer_soon() {
    const DEEP: usize = 64;
    let store = store().await;
    is_found(&store.store, 0).await;
    let mut views = Vec::new();
    for _ in 0..DEEP {
        views.push(view(&store.store).await);
    }
    let keeper = Keeper::of(&store, "courses");
    let all = views.into_iter().map(|view| course(&store.store, view, 1));
    let mut all = std::pin::pin!(join_all(all));
    assert!(timeout(Duration::ZERO, &mut all).await.is_err());
    // The next pipeline is begun, and nobody waits for it.
    assert!(store.store.view().unwrap().is_none());
    keeper.let_go();
    timeout(SOON, all).await.unwrap();
}

#[tokio::test]
async fn many_at_once_share_a_connection_and_each_gets_its_own_answer() {
    let store = store().await;
    is_found(&store.store, 0).await;
    // All are under way before the first is answered, or pipelines would be no use.
    let keeper = Keeper::of(&store, "courses");
    let asking = (0..COURSES).map(|number| is_found(&store.store, number));
    let all = join_all(asking);
    let mut all = std::pin::pin!(all);
    assert!(timeout(Duration::from_millis(10), &mut all).await.is_err());
    keeper.let_go();
    timeout(SOON, all).await.unwrap();
}

#[tokio::test]
async fn what_asks_for_several_things_or_for_what_a_caller_shaped_is_answered_as_well() {
    let store = store().await;
    for _ in 0..2 {
        let mut at_hand = view(&store.store).await;
        let both = store.store.read_on(&mut at_hand, |tx| {
            let first = tx.courses().find(id(1), id(100))?;
            let second = tx.courses().find(id(1), id(101))?;
            Ok::<_, StoreError>([first, second].map(|found| found.map(|course| course.name)))
        });
        assert_eq!(both.await.unwrap(), [Some(name(0)), Some(name(1))]);
        let mut at_hand = view(&store.store).await;
        let named = store.store.read_one_in(&mut at_hand, |tx| {
            let mut wanted = PageRequest::first(5);
            wanted.narrowed.text = Some("course 7".to_owned());
            tx.courses().page(id(1), &CourseFilter::default(), &wanted)
        });
        let named = named.await.unwrap();
        let found: Vec<_> = named.items.iter().map(|shown| &shown.course.name).collect();
        assert_eq!(found, [&name(7)]);
    }
}

#[tokio::test]
async fn a_connection_that_is_cut_is_made_anew_and_nobody_is_told() {
    let store = store().await;
    for _ in 0..3 {
        let before = view(&store.store).await;
        tamper(&store.url, END_ALL_OTHERS);
        let found = course(&store.store, before, 3).await.unwrap();
        assert_eq!(found.map(|course| course.name), Some(name(3)));
        is_found(&store.store, 4).await;
    }
}

#[tokio::test]
async fn a_connection_that_is_cut_under_a_question_is_made_anew_and_nobody_is_told() {
    let store = store().await;
    is_found(&store.store, 0).await;
    let keeper = Keeper::of(&store, "courses");
    let asking = (0..COURSES).map(|number| is_found(&store.store, number));
    let mut all = std::pin::pin!(join_all(asking));
    assert!(timeout(Duration::from_millis(10), &mut all).await.is_err());
    let end_those_who_wait = format!("{END_ALL_OTHERS} AND wait_event_type = 'Lock'");
    tamper(&store.url, &end_those_who_wait);
    keeper.let_go();
    timeout(SOON, all).await.unwrap();
}

#[tokio::test]
async fn whoever_no_longer_waits_leaves_nothing_behind() {
    let store = store().await;
    is_found(&store.store, 0).await;
    let keeper = Keeper::of(&store, "courses");
    for number in 0..5 {
        let asking = course(&store.store, view(&store.store).await, number);
        assert!(timeout(Duration::from_millis(2), asking).await.is_err());
    }
    keeper.let_go();
    for number in (0..COURSES).rev() {
        is_found(&store.store, number).await;
    }
}

#[tokio::test]
async fn a_question_that_takes_long_holds_others_up_only_for_a_moment() {
    let store = store().await;
    is_found(&store.store, 0).await;
    let keeper = Keeper::of(&store, "courses");
    let slow = course(&store.store, view(&store.store).await, 1);
    let mut slow = std::pin::pin!(slow);
    assert!(timeout(A_WHILE, &mut slow).await.is_err());
    for _ in 0..3 {
        // Whatever there is at hand: another pipeline, or none yet.
        let mut at_hand = store.store.view().unwrap();
        let looking = store
            .store
            .read_one_in(&mut at_hand, |tx| tx.workspaces().find(id(1)));
        let found = timeout(SOON, looking).await.unwrap().unwrap();
        assert!(found.is_some());
    }
    waits_for(keeper, slow).await;
}

#[tokio::test]
async fn whoever_stands_behind_a_question_that_never_ends_is_answered_elsewhere() {
    let store = store().await;
    is_found(&store.store, 0).await;
    let [first, mut second] = [view(&store.store).await, view(&store.store).await];
    let keeper = Keeper::of(&store, "courses");
    let slow = course(&store.store, first, 1);
    let behind = store
        .store
        .read_one_in(&mut second, |tx| tx.workspaces().find(id(1)));
    let (mut slow, mut behind) = (std::pin::pin!(slow), std::pin::pin!(behind));
    // Both are on the one pipeline before either is overdue.
    assert!(timeout(Duration::from_millis(1), &mut slow).await.is_err());
    let found = timeout(SOON, &mut behind).await.unwrap().unwrap();
    assert!(found.is_some());
    waits_for(keeper, slow).await;
}

#[tokio::test]
async fn pipelines_only_read() {
    let store = store().await;
    let mut at_hand = view(&store.store).await;
    let written = store.store.read_one_in(&mut at_hand, |tx| {
        tx.units().insert(&content::unit(id(1), 500))
    });
    assert!(written.await.is_err());
}
