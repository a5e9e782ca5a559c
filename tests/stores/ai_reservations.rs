//! What every repository of reservations and shared counts keeps to; of several stores on one database, what holds
//! between them.

use std::num::NonZeroU32;
use std::time::Duration;

use lyceum_application::Error;
use lyceum_application::drafting::ai_reservations::{AiReservation, SetAside, Share, set_aside};
use lyceum_application::settings::Spending;
use lyceum_domain::Timestamp;
use lyceum_domain::identity::ai_settings::MonthlyBudget;
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::money::MicroUsd;
use lyceum_ports::running::shared_limits::{SharedQuota, SharedStanding};
use rstest::rstest;
use support::fakes::id;
use support::sample;
use support::stores::{Database, TestStore, reopen};

fn here() -> WorkspaceId {
    id(1)
}

fn now() -> Timestamp {
    Timestamp::parse("2026-11-22T10:00:00Z").unwrap()
}

fn wanted(n: u64, tokens: u64) -> AiReservation {
    AiReservation {
        workspace_id: here(),
        id: id(n),
        tokens,
        cost: MicroUsd::new(tokens * 2),
        expires_at: now().plus(Duration::from_mins(15)),
    }
}

/// Six a minute.
const fn six() -> SharedQuota {
    SharedQuota::per_minute(NonZeroU32::new(6).unwrap())
}

/// What staff pay from.
fn purse(is_priced: bool) -> Share {
    Share {
        spender: Spender::Staff,
        spending: Spending::default(),
        is_priced,
    }
}

/// A store with a workspace that may spend this much.
async fn store(database: Database, budget: MonthlyBudget) -> TestStore {
    let store = TestStore::open(database);
    let mut workspace = sample::workspace(1);
    workspace.ai.monthly_budget = budget;
    store
        .write(move |tx| tx.workspaces().insert(&workspace))
        .await
        .unwrap();
    store
}

const fn tokens(tokens: u64) -> MonthlyBudget {
    MonthlyBudget {
        tokens: Some(tokens),
        cost: None,
    }
}

async fn ask(store: &TestStore, wanted: AiReservation, at: Timestamp) -> SetAside {
    let work = move |tx: &mut dyn lyceum_ports::store::Tx| -> Result<SetAside, Error> {
        set_aside(tx, &wanted, purse(true), at)
    };
    store.store.write(work).await.unwrap()
}

#[rstest]
#[tokio::test]
async fn what_is_set_aside_is_nobody_else_s_until_it_is_taken_back_or_has_expired(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store(database, tokens(100)).await;
    let first = ask(&store, wanted(1, 60), now()).await;
    assert_eq!(first, SetAside::Done(id(1)));
    assert_eq!(ask(&store, wanted(2, 60), now()).await, SetAside::SpokenFor);
    let never = ask(&store, wanted(2, 101), now()).await;
    assert!(matches!(never, SetAside::UsedUp(_)), "{never:?}");
    let both = store
        .write(|tx| tx.ai_reservations().total(here(), now()))
        .await;
    assert_eq!(both.unwrap(), (60, MicroUsd::new(120)));
    store
        .write(|tx| tx.ai_reservations().remove(here(), id(1)))
        .await
        .unwrap();
    let second = ask(&store, wanted(2, 60), now()).await;
    assert_eq!(second, SetAside::Done(id(2)));
    // Whoever set it aside is gone.
    let later = now().plus(Duration::from_mins(15));
    let third = ask(&store, wanted(3, 100), later).await;
    assert_eq!(third, SetAside::Done(id(3)));
}

#[rstest]
#[tokio::test]
async fn a_limit_in_money_is_kept_too_and_needs_prices(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let budget = MonthlyBudget {
        tokens: None,
        cost: Some(MicroUsd::new(100)),
    };
    let store = store(database, budget).await;
    assert_eq!(
        ask(&store, wanted(1, 40), now()).await,
        SetAside::Done(id(1))
    );
    assert_eq!(ask(&store, wanted(2, 20), now()).await, SetAside::SpokenFor);
    assert_eq!(
        ask(&store, wanted(2, 10), now()).await,
        SetAside::Done(id(2))
    );
    let work = |tx: &mut dyn lyceum_ports::store::Tx| -> Result<SetAside, Error> {
        set_aside(tx, &wanted(3, 0), purse(false), now())
    };
    let unpriced = store.store.write(work).await.unwrap();
    assert!(matches!(unpriced, SetAside::UsedUp(_)), "{unpriced:?}");
}

/// Two nodes are two stores on one database; of SQLite there is one.
fn nodes(
    store: &TestStore,
    database: Database,
) -> Vec<std::sync::Arc<dyn lyceum_ports::store::Store>> {
    match database {
        Database::Sqlite => vec![std::sync::Arc::clone(&store.store)],
        Database::Postgres => vec![std::sync::Arc::clone(&store.store), reopen(&store.url)],
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_race_never_set_aside_more_than_there_is(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store(database, tokens(100)).await;
    let nodes = nodes(&store, database);
    let mut racing = tokio::task::JoinSet::new();
    for n in 0..40_u64 {
        let node = std::sync::Arc::clone(&nodes[usize::try_from(n).unwrap() % nodes.len()]);
        racing.spawn(async move {
            node.write(move |tx| -> Result<SetAside, Error> {
                set_aside(tx, &wanted(n + 1, 30), purse(true), now())
            })
            .await
        });
    }
    let mut done = 0;
    while let Some(ended) = racing.join_next().await {
        match ended.unwrap().unwrap() {
            SetAside::Done(_) => done += 1,
            SetAside::SpokenFor => {}
            SetAside::UsedUp(sentence) => panic!("{sentence}"),
        }
    }
    assert_eq!(done, 3);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn nodes_share_a_bucket_that_refills_evenly(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store(database, tokens(0)).await;
    let nodes = nodes(&store, database);
    let mut racing = tokio::task::JoinSet::new();
    for n in 0..20 {
        let node = std::sync::Arc::clone(&nodes[n % nodes.len()]);
        racing.spawn(async move {
            node.write(|tx| tx.shared_limits().take("ai x", six(), 1, now()))
                .await
        });
    }
    let told = racing.join_all().await;
    let mut left: Vec<u32> = told
        .iter()
        .flatten()
        .filter(|told| told.taken.is_ok())
        .map(|told| told.remaining)
        .collect();
    left.sort_unstable();
    assert_eq!(left, [0, 1, 2, 3, 4, 5], "{told:?}");
    let refused = SharedStanding {
        remaining: 0,
        taken: Err(10_000),
    };
    assert!(
        told.iter()
            .flatten()
            .all(|told| told.taken.is_ok() || *told == refused)
    );
    let after = |seconds| now().plus(Duration::from_secs(seconds));
    let take = async |name: &'static str, at| {
        let told = store
            .write(move |tx| tx.shared_limits().take(name, six(), 1, at))
            .await;
        told.unwrap().taken
    };
    assert_eq!(take("ai x", after(9)).await, Err(1_000));
    assert_eq!(take("ai x", after(10)).await, Ok(()));
    assert_eq!(take("ai y", after(10)).await, Ok(()));
    let forgotten = store
        .write(move |tx| tx.shared_limits().forget_full(after(20), 100))
        .await;
    assert_eq!(forgotten.unwrap(), 1);
}
