//! What every repository of one-time login tokens keeps to.

use std::sync::Arc;
use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::tokens::{LOGIN_TOKEN_LIFETIME, LoginToken};
use lyceum_ports::store::StoreError;
use tokio::task::JoinSet;

cases![Stores:
    a_token_is_redeemed_once_and_comes_out_as_it_was_stored,
    a_token_is_not_redeemed_once_its_time_is_over,
    a_token_of_a_failed_transaction_can_still_be_redeemed,
    of_many_at_once_exactly_one_redeems_a_token,
    a_token_for_nobody_dangles,
];

fn token(n: u64) -> LoginToken {
    people::token(id(1), id(1), id(1), n)
}

/// A workspace with a user and a key, and the tokens 1 and 2 for them.
async fn store_with_tokens(stores: &Stores) -> OpenStore {
    let store = stores.open().await;
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

async fn redeem(store: &OpenStore, n: u64, now: Timestamp) -> Option<LoginToken> {
    store
        .write(move |tx| tx.tokens().redeem(&token(n).hash, now))
        .await
        .unwrap()
}

async fn a_token_is_redeemed_once_and_comes_out_as_it_was_stored(stores: &Stores) {
    let store = store_with_tokens(stores).await;
    assert_eq!(redeem(&store, 1, sample::now()).await, Some(token(1)));
    assert_eq!(redeem(&store, 1, sample::now()).await, None);
    assert_eq!(redeem(&store, 2, sample::now()).await, Some(token(2)));
    assert_eq!(redeem(&store, 3, sample::now()).await, None);
}

async fn a_token_is_not_redeemed_once_its_time_is_over(stores: &Stores) {
    let store = store_with_tokens(stores).await;
    let end = sample::now().plus(LOGIN_TOKEN_LIFETIME);
    assert_eq!(redeem(&store, 1, end).await, None);
    let just_before = end.minus(Duration::from_millis(1));
    assert_eq!(redeem(&store, 1, just_before).await, Some(token(1)));
}

async fn a_token_of_a_failed_transaction_can_still_be_redeemed(stores: &Stores) {
    let store = store_with_tokens(stores).await;
    let failed: Result<(), StoreError> = store
        .write(|tx| {
            tx.tokens().redeem(&token(1).hash, sample::now())?;
            Err(StoreError::Stale)
        })
        .await;
    assert!(failed.is_err());
    assert_eq!(redeem(&store, 1, sample::now()).await, Some(token(1)));
}

async fn of_many_at_once_exactly_one_redeems_a_token(stores: &Stores) {
    let store = store_with_tokens(stores).await;
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

async fn a_token_for_nobody_dangles(stores: &Stores) {
    let store = store_with_tokens(stores).await;
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
