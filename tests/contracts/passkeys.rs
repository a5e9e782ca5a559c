//! What every repository keeps to of passkeys, and of what devices were asked.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Stamp;
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::passkeys::{CEREMONY_LIFETIME, Ceremony, Passkey};
use lyceum_domain::ids::PasskeyId;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;

cases![Stores:
    a_passkey_comes_out_as_it_was_stored_and_by_the_name_that_devices_have_it_under,
    no_two_passkeys_are_one,
    whoever_read_a_passkey_before_it_changed_does_not_change_it,
    a_person_has_their_passkeys_newest_first_and_of_one_platform_those_alone,
    passkeys_of_a_member_go_and_no_others,
    what_was_asked_is_answered_once_and_in_time,
    what_nobody_answers_is_forgotten,
    of_what_a_person_asked_for_a_new_one_the_last_counts,
];

fn passkey(n: u64) -> Passkey {
    Passkey {
        id: id(n),
        person_id: id(1),
        workspace_id: None,
        user_id: None,
        credential_id: format!("credential-{n}"),
        name: sample::name("Phone"),
        credential: "{\"counter\":1}".to_owned(),
        last_used_at: None,
        stamp: Stamp::new(sample::now()),
    }
}

fn bound(n: u64, member: u64) -> Passkey {
    Passkey {
        workspace_id: Some(id(1)),
        user_id: Some(id(member)),
        ..passkey(n)
    }
}

fn ceremony(n: u64) -> Ceremony {
    Ceremony {
        hash: SecretHash::of(&format!("challenge {n}")),
        person_id: (n == 2).then(|| id(1)),
        browser: SecretHash::of("browser"),
        state: "{}".to_owned(),
        expires_at: sample::now().plus(CEREMONY_LIFETIME),
    }
}

async fn store_with(stores: &Stores, passkeys: Vec<Passkey>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.users().insert_person(&people::person(1))?;
            for passkey in &passkeys {
                tx.passkeys().insert(passkey)?;
            }
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
    store
}

async fn a_passkey_comes_out_as_it_was_stored_and_by_the_name_that_devices_have_it_under(
    stores: &Stores,
) {
    let store = store_with(stores, vec![passkey(1), bound(2, 20)]).await;
    store
        .write(|tx| {
            assert_eq!(tx.passkeys().find(id(1))?, Some(passkey(1)));
            assert_eq!(tx.passkeys().find(id(3))?, None);
            let found = tx.passkeys().with_credential("credential-2")?;
            assert_eq!(found, Some(bound(2, 20)));
            assert_eq!(tx.passkeys().with_credential("CREDENTIAL-2")?, None);
            assert!(tx.passkeys().delete(id(1))?);
            assert!(!tx.passkeys().delete(id(1))?);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn no_two_passkeys_are_one(stores: &Stores) {
    let store = store_with(stores, vec![passkey(1)]).await;
    let other = Passkey {
        credential_id: passkey(1).credential_id,
        ..passkey(2)
    };
    let twice: Result<(), StoreError> = store.write(move |tx| tx.passkeys().insert(&other)).await;
    assert!(twice.is_err(), "{twice:?}");
}

async fn whoever_read_a_passkey_before_it_changed_does_not_change_it(stores: &Stores) {
    let store = store_with(stores, vec![passkey(1)]).await;
    let mut used = passkey(1);
    used.last_used_at = Some(sample::now());
    used.stamp.touch(sample::now());
    let mut late = passkey(1);
    late.credential = "{\"counter\":0}".to_owned();
    late.stamp.touch(sample::now());
    let kept = used.clone();
    store
        .write(move |tx| tx.passkeys().update(&used))
        .await
        .unwrap();
    let refused = store.write(move |tx| tx.passkeys().update(&late)).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    let found = store.read(|tx| tx.passkeys().find(id(1))).await.unwrap();
    assert_eq!(found, Some(kept));
}

async fn a_person_has_their_passkeys_newest_first_and_of_one_platform_those_alone(stores: &Stores) {
    let store = store_with(stores, vec![passkey(1), bound(2, 20), passkey(3)]).await;
    let ids = async |only_of: Option<u64>, limit| {
        let page = store.read(move |tx| {
            let page = PageRequest::first(limit);
            tx.passkeys().page(id(1), only_of.map(id), &page)
        });
        let page = page.await.unwrap();
        let ids: Vec<PasskeyId> = page.items.iter().map(|one| one.id).collect();
        (ids, page.next.is_some())
    };
    assert_eq!(ids(None, 9).await, (vec![id(3), id(2), id(1)], false));
    assert_eq!(ids(None, 2).await, (vec![id(3), id(2)], true));
    assert_eq!(ids(Some(1), 9).await, (vec![id(2)], false));
    assert_eq!(ids(Some(2), 9).await, (vec![], false));
}

async fn passkeys_of_a_member_go_and_no_others(stores: &Stores) {
    let store = store_with(stores, vec![passkey(1), bound(2, 20), bound(3, 21)]).await;
    store
        .write(|tx| {
            tx.passkeys().delete_of_member(id(1), id(20))?;
            let left = tx.passkeys().page(id(1), None, &PageRequest::first(9))?;
            assert_eq!(left.items, [bound(3, 21), passkey(1)]);
            // With the workspace goes what opens it alone.
            tx.workspaces().delete(id(1))?;
            let left = tx.passkeys().page(id(1), None, &PageRequest::first(9))?;
            assert_eq!(left.items, [passkey(1)]);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn what_was_asked_is_answered_once_and_in_time(stores: &Stores) {
    let store = store_with(stores, Vec::new()).await;
    store
        .write(|tx| {
            for n in 1..=2 {
                tx.passkeys().ask(&ceremony(n))?;
            }
            let late = ceremony(1).expires_at;
            let answered = tx.passkeys().answered(&ceremony(2).hash, sample::now())?;
            assert_eq!(answered, Some(ceremony(2)));
            let again = tx.passkeys().answered(&ceremony(2).hash, sample::now())?;
            assert_eq!(again, None);
            assert_eq!(tx.passkeys().answered(&ceremony(1).hash, late)?, None);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn what_nobody_answers_is_forgotten(stores: &Stores) {
    let store = store_with(stores, Vec::new()).await;
    store
        .write(|tx| {
            for n in 1..=2 {
                tx.passkeys().ask(&ceremony(n))?;
            }
            let end = ceremony(1).expires_at;
            assert_eq!(tx.passkeys().forget_unanswered(end, 9)?, 0);
            let after = end.plus(Duration::from_millis(1));
            assert_eq!(tx.passkeys().forget_unanswered(after, 1)?, 1);
            assert_eq!(tx.passkeys().forget_unanswered(after, 9)?, 1);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn of_what_a_person_asked_for_a_new_one_the_last_counts(stores: &Stores) {
    let store = store_with(stores, Vec::new()).await;
    store
        .write(|tx| {
            let last = Ceremony {
                hash: SecretHash::of("another challenge"),
                ..ceremony(2)
            };
            for asked in [&ceremony(1), &ceremony(2), &last] {
                tx.passkeys().ask(asked)?;
            }
            let mut answered =
                |asked: &Ceremony| tx.passkeys().answered(&asked.hash, sample::now());
            assert_eq!(answered(&ceremony(2))?, None);
            assert_eq!(answered(&last)?, Some(last));
            // Whoever signs in is nobody yet, and is in nobody's way.
            assert_eq!(answered(&ceremony(1))?, Some(ceremony(1)));
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}
