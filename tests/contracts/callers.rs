//! What the way in asks with every request is never answered with what was so before, whoever changed it.

use std::sync::Arc;
use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::identity::addresses::AllowedAddresses;
use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_ports::identity::callers::{Caller, Introduction, PlatformName};
use lyceum_ports::store::{Store, StoreError, Tx, View};

cases![Stores:
    a_caller_is_found_with_the_platform_they_name_and_what_they_are_there,
    whoever_becomes_a_member_is_one_with_the_next_read,
    a_change_is_seen_by_the_next_read_of_this_store_and_of_every_other,
    every_kind_of_change_by_itself_is_seen_by_the_next_read_of_every_store,
    whoever_was_removed_is_gone_from_the_next_read,
    what_one_look_at_a_view_found_is_still_so_for_the_next,
    whoever_is_taken_at_their_word_is_found_out_before_they_are_answered,
    nobody_who_is_still_who_they_were_begins_anew,
    whoever_changes_between_the_way_in_and_the_question_is_found_out_with_it,
];

/// Who asks for platform 1 by this name with key 30.
fn introduction(platform: Option<PlatformName>) -> Introduction {
    Introduction {
        lookup: people::key(id(10), 30).lookup,
        platform,
    }
}

fn by_uuid(workspace: u64) -> PlatformName {
    PlatformName::Uuid(sample::workspace(workspace).platform.uuid)
}

async fn found(store: &Arc<dyn Store>, introduction: Introduction) -> Option<Arc<Caller>> {
    let asked = store.read(move |tx| tx.callers().find(&introduction));
    asked.await.unwrap()
}

/// A store with a key, whose owner is a member of workspace 1 and not of 2.
async fn store_with_a_caller(stores: &Stores) -> OpenStore {
    let store = stores.open().await;
    let made = store.write(|tx| {
        tx.workspaces().insert(&sample::workspace(1))?;
        tx.workspaces().insert(&sample::workspace(2))?;
        tx.users().insert_person(&people::person(10))?;
        tx.users().insert(&people::user(id(1), 10))?;
        tx.keys().insert(&people::key(id(10), 30))
    });
    made.await.unwrap();
    store
}

async fn a_caller_is_found_with_the_platform_they_name_and_what_they_are_there(stores: &Stores) {
    let store = store_with_a_caller(stores).await;
    let user = Arc::new(people::user(id(1), 10));
    let of = |number, user| Some((Arc::new(sample::workspace(number)), user));
    let by_code = |number| {
        sample::workspace(number)
            .platform
            .code
            .map(PlatformName::Code)
    };
    // Twice, because what was found may be remembered.
    for _ in 0..2 {
        for (platform, place) in [
            (None, None),
            (by_code(1), of(1, Some(Arc::clone(&user)))),
            (Some(by_uuid(1)), of(1, Some(Arc::clone(&user)))),
            (by_code(2), of(2, None)),
            (Some(by_uuid(2)), of(2, None)),
            (by_code(3), None),
            (Some(by_uuid(3)), None),
        ] {
            let caller = found(&store.store, introduction(platform.clone())).await;
            let caller = caller.unwrap();
            assert_eq!(caller.key, people::key(id(10), 30));
            assert_eq!(caller.person, people::person(10));
            assert_eq!(caller.place, place, "{platform:?}");
        }
    }
    let nobody = Introduction {
        lookup: people::key(id(10), 31).lookup,
        platform: Some(by_uuid(1)),
    };
    assert_eq!(found(&store.store, nobody).await, None);
}

async fn whoever_becomes_a_member_is_one_with_the_next_read(stores: &Stores) {
    let store = store_with_a_caller(stores).await;
    let there = || found(&store.store, introduction(Some(by_uuid(2))));
    let (_, user) = there().await.unwrap().place.clone().unwrap();
    assert_eq!(user, None);
    let joined = store.write(|tx| {
        let mut user = people::user(id(2), 11);
        user.person_id = id(10);
        tx.users().insert(&user)
    });
    joined.await.unwrap();
    let (_, user) = there().await.unwrap().place.clone().unwrap();
    assert_eq!(user.map(|user| user.id), Some(id(11)));
}

/// Two stores on one database, which have both been asked for the caller.
async fn both_know(stores: &Stores) -> (OpenStore, Arc<dyn Store>, Caller) {
    let store = store_with_a_caller(stores).await;
    let other = stores.open().await.store;
    let ask = || introduction(Some(by_uuid(1)));
    let known = found(&store.store, ask()).await.unwrap();
    assert_eq!(found(&store.store, ask()).await, Some(Arc::clone(&known)));
    assert_eq!(found(&other, ask()).await, Some(Arc::clone(&known)));
    (store, other, Caller::clone(&known))
}

async fn a_change_is_seen_by_the_next_read_of_this_store_and_of_every_other(stores: &Stores) {
    let (store, other, mut known) = both_know(stores).await;
    let later = sample::now().plus(Duration::from_mins(1));
    let (workspace, user) = known.place.take().unwrap();
    let (mut workspace, mut user) = (Workspace::clone(&workspace), User::clone(&user.unwrap()));
    known.key.revoke(later);
    workspace.stamp.touch(later);
    user.stamp.touch(later);
    let changed = (known.key.clone(), workspace.clone(), user.clone());
    let written = store.write(move |tx: &mut dyn Tx| {
        let (key, workspace, user) = &changed;
        tx.keys().update(key)?;
        tx.workspaces().update(workspace)?;
        tx.users().update(user)
    });
    written.await.unwrap();
    known.place = Some((Arc::new(workspace), Some(Arc::new(user))));
    let expected = Some(Arc::new(known));
    for store in [&store.store, &other] {
        assert_eq!(found(store, introduction(Some(by_uuid(1)))).await, expected);
    }
}

type Change = fn(&mut dyn Tx, &Caller) -> Result<(), StoreError>;

/// Everything that may make a caller another than they were.
fn changes() -> [(&'static str, Change); 6] {
    [
        ("a key revoked", |tx, known| {
            let mut key = known.key.clone();
            key.revoke(sample::now());
            tx.keys().update(&key)
        }),
        ("the networks of a key changed", |tx, known| {
            let mut key = known.key.clone();
            let networks = AllowedAddresses::parse("networks", ["10.0.0.0/8"]);
            key.allowed_addresses = networks.unwrap();
            key.stamp.touch(sample::now());
            tx.keys().update(&key)
        }),
        ("a key removed", |tx, known| {
            tx.keys().delete(known.key.id).map(drop)
        }),
        ("a workspace renamed", |tx, known| {
            let (workspace, _) = known.place.clone().unwrap();
            let mut workspace = Workspace::clone(&workspace);
            workspace.name = sample::name("Renamed");
            workspace.stamp.touch(sample::now());
            tx.workspaces().update(&workspace)
        }),
        ("a role changed", |tx, known| {
            let (_, user) = known.place.clone().unwrap();
            let mut user = User::clone(&user.unwrap());
            user.role = Role::Student;
            user.stamp.touch(sample::now());
            tx.users().update(&user)
        }),
        ("a workspace removed", |tx, known| {
            let (workspace, _) = known.place.clone().unwrap();
            tx.workspaces().delete(workspace.id).map(drop)
        }),
    ]
}

async fn every_kind_of_change_by_itself_is_seen_by_the_next_read_of_every_store(stores: &Stores) {
    for (what, change) in changes() {
        let elsewhere = stores.elsewhere();
        let (store, other, known) = both_know(&elsewhere).await;
        let before = Some(Arc::new(known.clone()));
        let written = store.write(move |tx: &mut dyn Tx| change(tx, &known));
        written.await.unwrap();
        for store in [&store.store, &other] {
            let found = found(store, introduction(Some(by_uuid(1)))).await;
            assert_ne!(found, before, "{what}");
        }
    }
}

/// A view, as soon as there is one to have: where connections must be made for it, that takes a moment.
async fn view(store: &Arc<dyn Store>) -> Option<Box<dyn View>> {
    for _ in 0..200 {
        let view = store.view().unwrap();
        if view.is_some() {
            return view;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    None
}

/// Who is found on this view.
async fn enters(
    store: &Arc<dyn Store>,
    view: &mut Option<Box<dyn View>>,
    introduction: Introduction,
) -> Option<Arc<Caller>> {
    let looking = store.read_one_in(view, move |tx| tx.callers().find(&introduction));
    let found: Result<_, StoreError> = looking.await;
    found.unwrap()
}

/// Who is found on a view, and whether that turns out to be so.
async fn found_on_a_view(
    store: &Arc<dyn Store>,
    introduction: Introduction,
) -> (Option<Arc<Caller>>, Result<(), StoreError>) {
    let mut view = view(store).await;
    let trust = view.as_ref().and_then(|view| view.trust());
    let found = enters(store, &mut view, introduction).await;
    match trust {
        Some(trust) => (found, trust.prove().await),
        None => (found, Ok(())),
    }
}

async fn whoever_is_taken_at_their_word_is_found_out_before_they_are_answered(stores: &Stores) {
    let ask = || introduction(Some(by_uuid(1)));
    for (what, change) in changes() {
        let elsewhere = stores.elsewhere();
        let (store, other, known) = both_know(&elsewhere).await;
        let before = Some(Arc::new(known.clone()));
        for store in [&store.store, &other] {
            let (found, proof) = found_on_a_view(store, ask()).await;
            assert!(found == before && proof.is_ok(), "{what}: {proof:?}");
        }
        let written = store.write(move |tx: &mut dyn Tx| change(tx, &known));
        written.await.unwrap();
        for store in [&store.store, &other] {
            let (first, proof) = found_on_a_view(store, ask()).await;
            let found = match proof {
                Ok(()) => first,
                Err(StoreError::Outdated) => {
                    let (second, proof) = found_on_a_view(store, ask()).await;
                    assert!(proof.is_ok(), "{what}: {proof:?}");
                    second
                }
                Err(error) => panic!("{what}: {error}"),
            };
            assert_ne!(found, before, "{what}");
        }
    }
}

/// With what they ask for in between, as a request has it; and asked twice, as whoever wants to be sure does.
async fn nobody_who_is_still_who_they_were_begins_anew(stores: &Stores) {
    let (store, _, _) = both_know(stores).await;
    for _ in 0..3 {
        let mut view = view(&store.store).await;
        let trust = view.as_ref().and_then(|view| view.trust());
        let entering = enters(&store.store, &mut view, introduction(Some(by_uuid(1))));
        assert!(entering.await.is_some());
        let shown = names(&store.store, &mut view).await.unwrap();
        assert_eq!(shown, [sample::workspace(1).name.to_string()]);
        if let Some(trust) = trust {
            trust.prove().await.unwrap();
            trust.prove().await.unwrap();
        }
    }
}

async fn whoever_changes_between_the_way_in_and_the_question_is_found_out_with_it(stores: &Stores) {
    let (store, other, known) = both_know(stores).await;
    let mut view = view(&store.store).await;
    let trust = view.as_ref().and_then(|view| view.trust());
    let entering = enters(&store.store, &mut view, introduction(Some(by_uuid(1))));
    assert!(entering.await.is_some());
    let mut key = known.key;
    key.revoke(sample::now());
    let revoked = other.write(move |tx: &mut dyn Tx| tx.keys().update(&key));
    revoked.await.unwrap();
    let shown = names(&store.store, &mut view).await;
    // Where nothing is taken on trust, both looks are at one moment, and that was before.
    assert!(trust.is_some() || shown.is_ok());
    if let Some(trust) = trust {
        for _ in 0..2 {
            let proof = trust.prove().await;
            assert!(matches!(proof, Err(StoreError::Outdated)), "{proof:?}");
        }
    }
}

async fn whoever_was_removed_is_gone_from_the_next_read(stores: &Stores) {
    let (store, other, _) = both_know(stores).await;
    let removed = store.write(|tx| tx.users().delete(id(1), id(10)));
    assert!(removed.await.unwrap());
    for store in [&store.store, &other] {
        let caller = found(store, introduction(Some(by_uuid(1)))).await.unwrap();
        let (_, user) = caller.place.clone().unwrap();
        assert_eq!(user, None);
    }
}

/// The names of the platforms that a view shows.
async fn names(
    store: &Arc<dyn Store>,
    view: &mut Option<Box<dyn View>>,
) -> Result<Vec<String>, StoreError> {
    store
        .read_on(view, |tx| {
            let found = tx.workspaces().find(id(1))?;
            Ok(found.iter().map(|found| found.name.to_string()).collect())
        })
        .await
}

async fn what_one_look_at_a_view_found_is_still_so_for_the_next(stores: &Stores) {
    let (store, _, _) = both_know(stores).await;
    let mut view = store.store.view().unwrap();
    let shares = view.as_ref().is_some_and(|view| view.trust().is_none());
    let before = names(&store.store, &mut view).await.unwrap();
    store
        .write(|tx| {
            let mut renamed = tx.workspaces().find(id(1))?.unwrap();
            renamed.name = sample::name("Renamed");
            renamed.stamp.touch(sample::now());
            tx.workspaces().update(&renamed)
        })
        .await
        .unwrap();
    let during = names(&store.store, &mut view).await.unwrap();
    drop(view);
    let mut next = store.store.view().unwrap();
    let after = names(&store.store, &mut next).await.unwrap();
    assert_eq!(after, ["Renamed"]);
    // Where there is none to share, each look may be at what is there now.
    assert!(during == before || during == after && !shares, "{during:?}");
}
