//! What every repository of one-time login tokens keeps to.

use std::sync::Arc;
use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::keys::SecretHash;
use lyceum_domain::tokens::{LOGIN_TOKEN_LIFETIME, LoginToken};
use lyceum_ports::store::StoreError;
use rstest::rstest;
use support::fakes::id;
use support::sample;
use support::sample_people as people;
use support::stores::{Database, TestStore};
use tokio::task::JoinSet;

fn token(n: u64) -> LoginToken {
    people::token(id(1), id(1), id(1), n)
}

/// A workspace with a user and a key, and the tokens 1 and 2 for them.
async fn store_with_tokens(database: Database) -> TestStore {
    let store = TestStore::open(database);
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.users().insert_person(&people::person(1))?;
            tx.users().insert(&people::user(id(1), 1))?;
            tx.keys().insert(&people::key(id(1), 1))?;
            tx.tokens().insert(&token(1))?;
            tx.tokens().insert(&token(2))
        })
        .await
        .unwrap();
    store
}

async fn redeem(store: &TestStore, n: u64, now: Timestamp) -> Option<LoginToken> {
    store
        .write(move |tx| tx.tokens().redeem(&token(n).hash, now))
        .await
        .unwrap()
}

#[rstest]
#[tokio::test]
async fn a_token_is_redeemed_once_and_comes_out_as_it_was_stored(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with_tokens(database).await;
    assert_eq!(redeem(&store, 1, sample::now()).await, Some(token(1)));
    assert_eq!(redeem(&store, 1, sample::now()).await, None);
    assert_eq!(redeem(&store, 2, sample::now()).await, Some(token(2)));
    assert_eq!(redeem(&store, 3, sample::now()).await, None);
}

#[rstest]
#[tokio::test]
async fn a_token_is_not_redeemed_once_its_time_is_over(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with_tokens(database).await;
    let end = sample::now().plus(LOGIN_TOKEN_LIFETIME);
    assert_eq!(redeem(&store, 1, end).await, None);
    let just_before = end.minus(Duration::from_millis(1));
    assert_eq!(redeem(&store, 1, just_before).await, Some(token(1)));
}

#[rstest]
#[tokio::test]
async fn a_token_of_a_failed_transaction_can_still_be_redeemed(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with_tokens(database).await;
    let failed: Result<(), StoreError> = store
        .write(|tx| {
            tx.tokens().redeem(&token(1).hash, sample::now())?;
            Err(StoreError::Stale)
        })
        .await;
    assert!(failed.is_err());
    assert_eq!(redeem(&store, 1, sample::now()).await, Some(token(1)));
}

#[rstest]
#[tokio::test]
async fn of_many_at_once_exactly_one_redeems_a_token(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with_tokens(database).await;
    let mut race = JoinSet::new();
    for _ in 0..20 {
        let store = Arc::clone(&store.store);
        race.spawn(async move {
            let redeemed: Result<Option<LoginToken>, StoreError> = store
                .write(|tx| tx.tokens().redeem(&token(1).hash, sample::now()))
                .await;
            redeemed.unwrap()
        });
    }
    let winners = race.join_all().await.into_iter().flatten().count();
    assert_eq!(winners, 1);
}

#[rstest]
#[tokio::test]
async fn a_token_for_nobody_dangles(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with_tokens(database).await;
    let refused = store
        .write(|tx| {
            let mut token = token(3);
            token.user_id = id(9);
            tx.tokens().insert(&token)
        })
        .await;
    assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
    let unknown = SecretHash::of("never made");
    let redeemed = store
        .write(move |tx| tx.tokens().redeem(&unknown, sample::now()))
        .await
        .unwrap();
    assert_eq!(redeemed, None);
}
