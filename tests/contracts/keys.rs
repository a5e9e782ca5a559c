//! What every repository of API keys keeps to.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::identity::addresses::{AllowedAddresses, Network};
use lyceum_domain::identity::keys::{ApiKey, KeyLookup};
use lyceum_domain::identity::scopes::{Scope, ScopeSet};
use lyceum_domain::ids::ApiKeyId;
use lyceum_ports::identity::callers::Introduction;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;

cases![Stores:
    a_key_comes_back_as_it_was_stored,
    a_key_is_found_by_its_first_segment_case_and_all,
    a_change_is_stored_only_over_the_version_before_it,
    use_is_noted_and_nothing_else_changes,
    a_deleted_key_takes_the_sessions_and_tokens_it_handed_out_along,
    pages_hold_the_person_s_own_standard_keys_newest_first,
    ending_sessions_ends_those_of_one_person_on_one_platform,
    keys_of_a_member_are_found_and_ended_on_their_platform_alone,
    the_oldest_of_too_many_sessions_end_and_those_of_nobody_else,
];

/// Two workspaces, two people, and the keys given.
async fn store_with(stores: &Stores, keys: Vec<ApiKey>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.workspaces().insert(&sample::workspace(2))?;
            tx.users().insert_person(&people::person(1))?;
            tx.users().insert_person(&people::person(2))?;
            keys.iter().try_for_each(|key| tx.keys().insert(key))
        })
        .await
        .unwrap();
    store
}

fn later() -> Timestamp {
    sample::now().plus(Duration::from_mins(1))
}

async fn find(store: &OpenStore, n: u64) -> Option<ApiKey> {
    store.read(move |tx| tx.keys().find(id(n))).await.unwrap()
}

async fn a_key_comes_back_as_it_was_stored(stores: &Stores) {
    let mut bare = people::key(id(1), 10);
    bare.scopes = ScopeSet::everything();
    let mut full = people::session_key(id(1), id(1), id(10), 11);
    full.expires_at = Some(later());
    full.revoked_at = Some(sample::now());
    full.last_used_at = Some(later());
    full.last_used_from = Some(Network::around("203.0.113.7".parse().unwrap()));
    let networks = ["10.0.0.0/8", "2001:db8::/32"];
    full.allowed_addresses = AllowedAddresses::parse("networks", networks).unwrap();
    let mut all_scopes = people::key(id(2), 12);
    all_scopes.scopes = Scope::ALL.iter().copied().collect();
    let of_member = people::member_key(id(1), 2, 1, 14);
    let keys = vec![
        bare.clone(),
        full.clone(),
        all_scopes.clone(),
        of_member.clone(),
    ];
    let store = store_with(stores, keys).await;
    assert_eq!(find(&store, 14).await, Some(of_member));
    assert_eq!(find(&store, 10).await, Some(bare));
    assert_eq!(find(&store, 11).await, Some(full));
    assert_eq!(find(&store, 12).await, Some(all_scopes));
    assert_eq!(find(&store, 13).await, None);
}

async fn a_key_is_found_by_its_first_segment_case_and_all(stores: &Stores) {
    let mut upper = people::key(id(1), 10);
    upper.lookup = KeyLookup::from_stored("lyc_kAbCdEfG".to_owned());
    let mut lower = people::key(id(1), 11);
    lower.lookup = KeyLookup::from_stored("lyc_kabcdefg".to_owned());
    let store = store_with(stores, vec![upper.clone(), lower.clone()]).await;
    let neither = KeyLookup::from_stored("lyc_kABCDEFG".to_owned());
    let found = store
        .read(move |tx| {
            let mut found = Vec::new();
            for lookup in [&upper.lookup, &lower.lookup, &neither] {
                let caller = tx.callers().find(&Introduction {
                    lookup: lookup.clone(),
                    platform: None,
                })?;
                found.push(caller.map(|caller| caller.key.id));
            }
            Ok(found)
        })
        .await
        .unwrap();
    assert_eq!(found, [Some(id(10)), Some(id(11)), None]);
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut key = people::key(id(1), 10);
    let store = store_with(stores, vec![key.clone(), people::key(id(1), 11)]).await;
    key.revoke(later());
    let (first, second) = (key.clone(), key.clone());
    store
        .write(move |tx| tx.keys().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.keys().update(&second)).await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    assert_eq!(find(&store, 10).await, Some(key));
    assert_eq!(find(&store, 11).await, Some(people::key(id(1), 11)));
}

async fn use_is_noted_and_nothing_else_changes(stores: &Stores) {
    let key = people::key(id(1), 10);
    let store = store_with(stores, vec![key.clone(), people::key(id(1), 11)]).await;
    let from = Network::around("2001:db8:1:2:3:4:5:6".parse().unwrap());
    store
        .write(move |tx| {
            tx.keys()
                .note_use(id(10), later(), Some(from), sample::now())
        })
        .await
        .unwrap();
    let used = ApiKey {
        last_used_at: Some(later()),
        last_used_from: Some(from),
        ..key
    };
    // Somebody else was there within the time.
    store
        .write(|tx| {
            let at = later().plus(Duration::from_mins(1));
            tx.keys().note_use(id(10), at, None, sample::now())
        })
        .await
        .unwrap();
    assert_eq!(find(&store, 10).await, Some(used));
    assert_eq!(find(&store, 11).await, Some(people::key(id(1), 11)));
}

async fn a_deleted_key_takes_the_sessions_and_tokens_it_handed_out_along(stores: &Stores) {
    let keys = vec![
        people::key(id(1), 10),
        people::key(id(1), 11),
        people::session_key(id(1), id(2), id(10), 20),
        people::session_key(id(1), id(2), id(11), 21),
    ];
    let store = store_with(stores, keys).await;
    store
        .write(|tx| {
            tx.users().insert(&people::user(id(1), 2))?;
            tx.tokens().insert(&people::token(id(1), id(2), id(10), 1))
        })
        .await
        .unwrap();
    let deleted = store
        .write(|tx| Ok((tx.keys().delete(id(10))?, tx.keys().delete(id(10))?)))
        .await
        .unwrap();
    assert_eq!(deleted, (true, false));
    assert_eq!(find(&store, 20).await, None);
    assert!(find(&store, 11).await.is_some() && find(&store, 21).await.is_some());
    let token = people::token(id(1), id(2), id(10), 1).hash;
    let redeemed = store
        .write(move |tx| tx.tokens().redeem(&token, sample::now()))
        .await
        .unwrap();
    assert_eq!(redeemed, None);
}

async fn pages_hold_the_person_s_own_standard_keys_newest_first(stores: &Stores) {
    let mut keys: Vec<ApiKey> = (10..15).map(|n| people::key(id(1), n)).collect();
    keys.push(people::session_key(id(1), id(1), id(10), 20));
    keys.push(people::key(id(2), 21));
    let store = store_with(stores, keys).await;
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let wanted = page.clone();
        let got = store
            .read(move |tx| tx.keys().page(id(1), None, &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|key| key.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => break,
        }
    }
    let expected: Vec<ApiKeyId> = (10..15).rev().map(id).collect();
    assert_eq!(seen, expected);
}

async fn ending_sessions_ends_those_of_one_person_on_one_platform(stores: &Stores) {
    let mut ended_before = people::session_key(id(1), id(2), id(10), 23);
    ended_before.revoked_at = Some(sample::now());
    let keys = vec![
        people::key(id(1), 10),
        people::key(id(2), 11),
        people::session_key(id(1), id(2), id(10), 20),
        people::session_key(id(2), id(2), id(10), 21),
        people::session_key(id(1), id(1), id(10), 22),
        ended_before.clone(),
    ];
    let mut read_before = keys[2].clone();
    let store = store_with(stores, keys).await;
    store
        .write(|tx| tx.keys().end_sessions(id(1), id(2), later()))
        .await
        .unwrap();
    let ended = find(&store, 20).await.unwrap();
    assert_eq!(ended.revoked_at, Some(later()));
    assert_eq!(find(&store, 23).await, Some(ended_before));
    for untouched in [10, 11, 21, 22] {
        let key = find(&store, untouched).await.unwrap();
        assert_eq!(key.revoked_at, None, "{untouched}");
    }
    read_before.stamp.touch(later());
    let revival = store.write(move |tx| tx.keys().update(&read_before)).await;
    assert!(matches!(revival, Err(StoreError::Stale)), "{revival:?}");
}

async fn keys_of_a_member_are_found_and_ended_on_their_platform_alone(stores: &Stores) {
    let keys = vec![
        people::key(id(1), 10),
        people::key(id(2), 11),
        people::member_key(id(1), 2, 1, 12),
        people::member_key(id(2), 2, 1, 13),
        people::member_key(id(1), 1, 1, 14),
        people::session_key(id(1), id(2), id(10), 20),
    ];
    let mut read_before = keys[2].clone();
    let store = store_with(stores, keys).await;
    let found = store
        .read(|tx| {
            let all = tx.keys().page(id(2), None, &PageRequest::first(9))?;
            let there = tx.keys().page(id(2), Some(id(1)), &PageRequest::first(9))?;
            Ok([all, there].map(|page| page.items.iter().map(|key| key.id).collect::<Vec<_>>()))
        })
        .await
        .unwrap();
    assert_eq!(found, [vec![id(13), id(12), id(11)], vec![id(12)]]);
    store
        .write(|tx| tx.keys().end_member_keys(id(1), id(2), later()))
        .await
        .unwrap();
    let ended = find(&store, 12).await.unwrap();
    assert_eq!(ended.revoked_at, Some(later()));
    for untouched in [10, 11, 13, 14, 20] {
        let key = find(&store, untouched).await.unwrap();
        assert_eq!(key.revoked_at, None, "{untouched}");
    }
    read_before.stamp.touch(later());
    let revival = store.write(move |tx| tx.keys().update(&read_before)).await;
    assert!(matches!(revival, Err(StoreError::Stale)), "{revival:?}");
}

async fn the_oldest_of_too_many_sessions_end_and_those_of_nobody_else(stores: &Stores) {
    let keys = vec![
        people::key(id(1), 10),
        people::session_key(id(1), id(2), id(10), 20),
        people::session_key(id(1), id(2), id(10), 21),
        people::session_key(id(1), id(2), id(10), 22),
        people::session_key(id(2), id(2), id(10), 23),
        people::session_key(id(1), id(1), id(10), 24),
    ];
    let keys = keys.into_iter().map(|mut key| {
        key.expires_at = Some(later());
        key
    });
    let store = store_with(stores, keys.collect()).await;
    store
        .write(|tx| {
            tx.keys()
                .end_oldest_sessions(id(1), id(2), 1, sample::now())
        })
        .await
        .unwrap();
    for (n, ended) in [
        (10, false),
        (20, true),
        (21, true),
        (22, false),
        (23, false),
        (24, false),
    ] {
        let key = find(&store, n).await.unwrap();
        assert_eq!(key.revoked_at.is_some(), ended, "{n}");
    }
}
