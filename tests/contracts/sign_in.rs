//! What every repository keeps to of links that let people in, and of the sessions that they become.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::identity::keys::{ApiKey, SecretHash};
use lyceum_domain::identity::sign_in::{IDLE, SignInMethod};
use lyceum_domain::identity::sign_in_links::{
    INVITATION_LIFETIME, INVITATION_SHOWN, InvitedTo, LINK_LIFETIME, SignInLink,
};
use lyceum_domain::ids::ApiKeyId;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;

cases![Stores:
    the_newest_invitation_of_a_member_is_found_and_all_of_them_end,
    invitations_that_were_shown_end_and_those_by_mail_do_not,
    invitations_are_told_of_for_a_month_after_they_are_over,
    sessions_of_one_platform_are_found_and_end_with_the_membership,
    a_link_comes_out_as_it_was_stored_until_it_is_used_or_over,
    a_link_of_a_failed_transaction_can_still_be_used,
    links_that_are_over_are_forgotten,
    a_session_comes_out_as_it_was_stored_and_by_its_lookup,
    the_end_of_a_session_is_put_off_and_never_brought_nearer,
    a_session_that_ended_is_not_put_off,
    a_person_has_their_live_sessions_newest_first,
    a_workspace_has_the_live_sessions_that_it_was_told_of,
    sessions_that_are_over_are_forgotten,
];

fn link(n: u64) -> SignInLink {
    people::sign_in_link(id(1), n)
}

fn session(n: u64) -> ApiKey {
    people::web_session(id(1), n)
}

/// Two people; the first with the links 1 and 2 and the sessions 1 to 3, the second with a session, 4.
async fn store_with_sessions(stores: &Stores) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.users().insert_person(&people::person(1))?;
            tx.users().insert_person(&people::person(2))?;
            tx.sign_in_links().insert(&link(1))?;
            tx.sign_in_links().insert(&SignInLink {
                person_id: None,
                browser: None,
                ..link(2)
            })?;
            for n in 1..=3 {
                tx.keys().insert(&session(n))?;
            }
            tx.keys().insert(&people::web_session(id(2), 4))
        })
        .await
        .unwrap();
    store
}

async fn find(store: &OpenStore, n: u64) -> ApiKey {
    let found = store.read(move |tx| tx.keys().find(id(n))).await;
    found.unwrap().unwrap()
}

async fn a_link_comes_out_as_it_was_stored_until_it_is_used_or_over(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    let end = sample::now().plus(LINK_LIFETIME);
    store
        .write(move |tx| {
            let links = tx.sign_in_links();
            assert_eq!(links.find(&link(1).hash, sample::now())?, Some(link(1)));
            let nobodys = links.find(&link(2).hash, sample::now())?.unwrap();
            assert_eq!((nobodys.person_id, nobodys.browser), (None, None));
            assert_eq!(links.find(&link(1).hash, end)?, None);
            assert!(!links.redeem(&link(1).hash, end)?);
            assert!(links.redeem(&link(1).hash, end.minus(Duration::from_millis(1)))?);
            assert!(!links.redeem(&link(1).hash, sample::now())?);
            assert_eq!(links.find(&link(1).hash, sample::now())?, None);
            assert!(!links.redeem(&link(3).hash, sample::now())?);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn a_link_of_a_failed_transaction_can_still_be_used(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    let failed: Result<(), StoreError> = store
        .write(|tx| {
            assert!(tx.sign_in_links().redeem(&link(1).hash, sample::now())?);
            Err(StoreError::Stale)
        })
        .await;
    assert!(failed.is_err());
    let used = store.write(|tx| tx.sign_in_links().redeem(&link(1).hash, sample::now()));
    assert!(used.await.unwrap());
}

async fn links_that_are_over_are_forgotten(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    let forget = async |oldest| {
        let forgotten = store.write(move |tx| tx.sign_in_links().forget_expired(oldest, 10));
        forgotten.await.unwrap()
    };
    let end = sample::now().plus(LINK_LIFETIME);
    assert_eq!(forget(end).await, 0);
    assert_eq!(forget(end.plus(Duration::from_millis(1))).await, 2);
}

async fn a_session_comes_out_as_it_was_stored_and_by_its_lookup(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    assert_eq!(find(&store, 1).await, session(1));
    let by_lookup = store.read(|tx| tx.keys().with_lookup(&session(2).lookup));
    assert_eq!(by_lookup.await.unwrap(), Some(session(2)));
    let nobodys = store.read(|tx| tx.keys().with_lookup(&session(9).lookup));
    assert_eq!(nobodys.await.unwrap(), None);
}

async fn the_end_of_a_session_is_put_off_and_never_brought_nearer(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    let later = sample::now().plus(IDLE).plus(Duration::from_mins(5));
    for ends in [later, sample::now().plus(Duration::from_mins(1))] {
        store
            .write(move |tx| tx.keys().renew(id(1), sample::now(), ends))
            .await
            .unwrap();
        let renewed = ApiKey {
            expires_at: Some(later),
            ..session(1)
        };
        assert_eq!(find(&store, 1).await, renewed);
    }
    assert_eq!(find(&store, 2).await, session(2));
}

async fn a_session_that_ended_is_not_put_off(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    let (over, later) = (sample::now().plus(IDLE), sample::now().plus(IDLE + IDLE));
    let mut revoked = session(2);
    revoked.revoke(sample::now());
    store
        .write(move |tx| {
            tx.keys().update(&revoked)?;
            tx.keys().renew(id(2), sample::now(), later)?;
            tx.keys().renew(id(1), over, later)
        })
        .await
        .unwrap();
    assert_eq!(find(&store, 1).await, session(1));
    assert_eq!(find(&store, 2).await.expires_at, session(2).expires_at);
}

async fn a_person_has_their_live_sessions_newest_first(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    let listed = async |limit| {
        let page = store.read(move |tx| {
            let page = PageRequest::first(limit);
            tx.keys().web_sessions(id(1), None, sample::now(), &page)
        });
        page.await.unwrap()
    };
    let ids = |keys: &[ApiKey]| -> Vec<ApiKeyId> { keys.iter().map(|key| key.id).collect() };
    assert_eq!(ids(&listed(10).await.items), [id(3), id(2), id(1)]);
    let first = listed(2).await;
    assert_eq!(ids(&first.items), [id(3), id(2)]);
    assert!(first.next.is_some());
    let standard = store.read(|tx| tx.keys().page(id(1), None, &PageRequest::first(10)));
    assert_eq!(standard.await.unwrap().items, []);
    let over = store.read(|tx| {
        let later = sample::now().plus(IDLE);
        tx.keys()
            .web_sessions(id(1), None, later, &PageRequest::first(10))
    });
    assert_eq!(over.await.unwrap().items, []);
}

async fn a_workspace_has_the_live_sessions_that_it_was_told_of(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    store
        .write(|tx| {
            for n in [1, 2] {
                tx.workspaces().insert(&sample::workspace(n))?;
            }
            for (n, told) in [(5, 1), (6, 2)] {
                let session = ApiKey {
                    made_in: Some(id(told)),
                    ..session(n)
                };
                tx.keys().insert(&session)?;
            }
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
    let told = async |workspace: u64, person: u64, at| -> Vec<ApiKeyId> {
        let page = store.read(move |tx| {
            let page = PageRequest::first(10);
            tx.keys()
                .web_sessions_told_to(id(workspace), id(person), at, &page)
        });
        page.await.unwrap().items.iter().map(|key| key.id).collect()
    };
    assert_eq!(told(1, 1, sample::now()).await, [id(5)]);
    assert_eq!(told(2, 1, sample::now()).await, [id(6)]);
    assert_eq!(told(1, 2, sample::now()).await, []);
    assert_eq!(told(1, 1, sample::now().plus(IDLE)).await, []);
}

async fn sessions_that_are_over_are_forgotten(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    let forget = async |oldest, limit| {
        let forgotten = store.write(move |tx| tx.keys().forget_sessions(oldest, limit));
        forgotten.await.unwrap()
    };
    let end = sample::now().plus(IDLE);
    assert_eq!(forget(end, 10).await, 0);
    let after = end.plus(Duration::from_millis(1));
    assert_eq!(forget(after, 3).await, 3);
    assert_eq!(forget(after, 3).await, 1);
}

fn invitation(member: u64, n: u64) -> SignInLink {
    SignInLink {
        hash: SecretHash::of(&format!("invitation {n}")),
        browser: None,
        method: SignInMethod::Invitation,
        invites: Some(InvitedTo {
            workspace_id: id(1),
            user_id: id(member),
            mail_id: n.is_multiple_of(2).then(|| id(n)),
        }),
        created_at: sample::now().plus(Duration::from_secs(n)),
        expires_at: sample::now().plus(INVITATION_LIFETIME),
        ..link(1)
    }
}

async fn invitations_that_were_shown_end_and_those_by_mail_do_not(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    store
        .write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            for (member, n) in [(20, 1), (20, 2), (21, 3)] {
                tx.sign_in_links().insert(&invitation(member, n))?;
            }
            let links = tx.sign_in_links();
            links.end_shown_invitations(id(1), id(20), sample::now())?;
            let mut works = |member, n| links.find(&invitation(member, n).hash, sample::now());
            assert_eq!(works(20, 1)?, None);
            assert_eq!(works(20, 2)?, Some(invitation(20, 2)));
            assert_eq!(works(21, 3)?, Some(invitation(21, 3)));
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn the_newest_invitation_of_a_member_is_found_and_all_of_them_end(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    store
        .write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            for (member, n) in [(20, 1), (20, 2), (21, 3)] {
                tx.sign_in_links().insert(&invitation(member, n))?;
            }
            let all = [id(20), id(21), id(22)];
            let found = tx.sign_in_links().invitations(id(1), &all)?;
            assert_eq!(found, [invitation(20, 2), invitation(21, 3)]);
            assert_eq!(tx.sign_in_links().invitations(id(2), &all)?, []);
            tx.sign_in_links()
                .end_invitations(id(1), id(20), sample::now())?;
            for n in [1, 2] {
                let over = tx
                    .sign_in_links()
                    .find(&invitation(20, n).hash, sample::now())?;
                assert_eq!(over, None, "{n}");
            }
            let other = tx
                .sign_in_links()
                .find(&invitation(21, 3).hash, sample::now())?;
            assert_eq!(other, Some(invitation(21, 3)));
            // With the workspace they go.
            tx.workspaces().delete(id(1))?;
            assert_eq!(tx.sign_in_links().invitations(id(1), &all)?, []);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn invitations_are_told_of_for_a_month_after_they_are_over(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    store
        .write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.sign_in_links().insert(&invitation(20, 1))?;
            let over = invitation(20, 1).expires_at.plus(Duration::from_millis(1));
            assert_eq!(tx.sign_in_links().forget_expired(over, 10)?, 2);
            let later = over.plus(INVITATION_SHOWN);
            assert_eq!(tx.sign_in_links().forget_expired(later, 10)?, 1);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn sessions_of_one_platform_are_found_and_end_with_the_membership(stores: &Stores) {
    let store = store_with_sessions(stores).await;
    store
        .write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            let bound = ApiKey {
                workspace_id: Some(id(1)),
                user_id: Some(id(20)),
                ..session(9)
            };
            tx.keys().insert(&bound)?;
            let page = PageRequest::first(10);
            let found = tx
                .keys()
                .web_sessions(id(1), Some(id(1)), sample::now(), &page)?;
            assert_eq!(found.items, [bound]);
            let key = people::member_key(id(1), 20, 21, 10);
            let key = ApiKey {
                person_id: id(1),
                ..key
            };
            tx.keys().insert(&key)?;
            tx.keys().end_bound_sessions(id(1), id(1), sample::now())?;
            let left = tx.keys().web_sessions(id(1), None, sample::now(), &page)?;
            assert_eq!(left.items.len(), 3);
            let goes_on = tx.keys().find(id(10))?.unwrap();
            assert_eq!(goes_on.revoked_at, None);
            tx.keys().end_member_keys(id(1), id(1), sample::now())?;
            let ended = tx.keys().find(id(10))?.unwrap();
            assert_eq!(ended.revoked_at, Some(sample::now()));
            let left = tx.keys().web_sessions(id(1), None, sample::now(), &page)?;
            assert_eq!(left.items.len(), 3);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}
