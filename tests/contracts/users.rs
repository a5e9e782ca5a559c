//! What every repository of people and memberships keeps to.

use std::sync::Arc;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::identity::users::{Role, Suspension, User, UserChanges, UserKind};
use lyceum_domain::ids::{PersonId, UserId, WorkspaceId};
use lyceum_domain::json::Metadata;
use lyceum_domain::text::{LanguageTag, TimeZone};
use lyceum_ports::identity::users::UserFilter;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;
use serde_json::json;
use tokio::task::JoinSet;

cases![Stores:
    a_user_comes_back_as_it_was_stored,
    what_a_directory_ended_is_no_membership_of_the_persons,
    all_come_oldest_first_and_no_more_than_asked,
    another_workspace_cannot_find_change_or_delete_it,
    a_change_is_stored_only_over_the_version_before_it,
    a_person_is_once_in_a_workspace_and_in_as_many_as_they_like,
    a_membership_of_nobody_dangles,
    an_address_belongs_to_one_person,
    a_user_is_found_by_address_in_their_own_workspace_alone,
    whoever_had_an_address_first_keeps_it,
    requests_that_hear_of_the_same_person_at_once_agree_on_who_it_is,
    pages_go_newest_first_through_everything_once,
    filters_narrow_and_take_wildcards_literally,
    programs_are_told_from_people,
    a_deleted_user_takes_their_enrolments_and_tokens_along_but_stays_a_person,
    of_two_owners_who_leave_at_once_one_stays,
];

/// Two workspaces, the people 10 to 19, and the memberships given.
async fn store_with(stores: &Stores, users: Vec<User>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.workspaces().insert(&sample::workspace(2))?;
            (10..20).try_for_each(|n| tx.users().insert_person(&people::person(n)))?;
            users.iter().try_for_each(|user| tx.users().insert(user))
        })
        .await
        .unwrap();
    store
}

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<User> {
    store
        .read(move |tx| tx.users().find(workspace, id(n)))
        .await
        .unwrap()
}

async fn ids(store: &OpenStore, filter: UserFilter) -> Vec<UserId> {
    found(store, (filter, PageRequest::first(100))).await
}

async fn found(store: &OpenStore, (filter, page): (UserFilter, PageRequest)) -> Vec<UserId> {
    let page = store
        .read(move |tx| tx.users().page(here(), &filter, &page))
        .await
        .unwrap();
    page.items.iter().map(|user| user.id).collect()
}

async fn a_user_comes_back_as_it_was_stored(stores: &Stores) {
    let mut full = people::user(here(), 10);
    full.name = Some(sample::name("Zoë O'Brien"));
    full.role = Role::Owner;
    full.language = Some(LanguageTag::parse("pt-BR").unwrap());
    full.timezone = Some(TimeZone::parse("Europe/Berlin").unwrap());
    full.sessions_ended_at = Some(sample::now());
    full.external_id = Some("crm/42".to_owned());
    full.metadata = Metadata::parse(json!({"k": null}).as_object().cloned().unwrap()).unwrap();
    let bare = people::user(here(), 11);
    let store = store_with(stores, vec![full.clone(), bare.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(full));
    assert_eq!(find(&store, here(), 11).await, Some(bare));
}

async fn what_a_directory_ended_is_no_membership_of_the_persons(stores: &Stores) {
    let open = people::user(here(), 10).of_ones_own_will();
    let store = store_with(stores, vec![open.clone()]).await;
    let person = open.person_id;
    let places = async || {
        let found = store.read(move |tx| tx.users().memberships(person)).await;
        found.unwrap().len()
    };
    assert_eq!(places().await, 1);
    for how in [Some(Suspension::Suspended), Some(Suspension::Removed), None] {
        let mut user = find(&store, here(), 10).await.unwrap();
        assert!(user.suspend(how, sample::now()));
        let changed = user.clone();
        store
            .write(move |tx| tx.users().update(&changed))
            .await
            .unwrap();
        assert_eq!(find(&store, here(), 10).await, Some(user));
        assert_eq!(places().await, usize::from(how.is_none()));
    }
}

async fn all_come_oldest_first_and_no_more_than_asked(stores: &Stores) {
    let mut users: Vec<User> = (10..15).rev().map(|n| people::user(here(), n)).collect();
    users.push(people::user(elsewhere(), 15));
    let store = store_with(stores, users).await;
    let all = async |most: u16| -> Vec<UserId> {
        let found = store.read(move |tx| tx.users().all(here(), most)).await;
        found.unwrap().iter().map(|user| user.id).collect()
    };
    let expected: Vec<UserId> = (10..15).map(id).collect();
    assert_eq!(all(100).await, expected);
    assert_eq!(all(2).await, expected[..2]);
}

async fn another_workspace_cannot_find_change_or_delete_it(stores: &Stores) {
    let user = people::user(here(), 10);
    let store = store_with(stores, vec![user.clone()]).await;
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    let deleted = store
        .write(|tx| tx.users().delete(elsewhere(), id(10)))
        .await
        .unwrap();
    assert!(!deleted);
    let mut moved = user.clone();
    moved.workspace_id = elsewhere();
    moved.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.users().update(&moved)).await;
    assert!(matches!(update, Err(StoreError::Stale)), "{update:?}");
    assert_eq!(find(&store, here(), 10).await, Some(user));
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut user = people::user(here(), 10);
    user.name = Some(sample::name("Old"));
    let store = store_with(stores, vec![user.clone(), people::user(here(), 11)]).await;
    let changes = UserChanges {
        name: Some(None),
        role: Some(Role::Teacher),
        ..UserChanges::default()
    };
    user.change(changes, sample::now()).unwrap();
    let (first, second) = (user.clone(), user.clone());
    store
        .write(move |tx| tx.users().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.users().update(&second)).await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    assert_eq!(find(&store, here(), 10).await, Some(user));
    assert_eq!(
        find(&store, here(), 11).await,
        Some(people::user(here(), 11))
    );
}

async fn a_person_is_once_in_a_workspace_and_in_as_many_as_they_like(stores: &Stores) {
    let mut there_too = people::user(elsewhere(), 12);
    there_too.person_id = id(10);
    let first = people::user(here(), 10);
    let store = store_with(stores, vec![first.clone(), there_too.clone()]).await;
    let mut twice = people::user(here(), 11);
    twice.person_id = id(10);
    let refused = store.write(move |tx| tx.users().insert(&twice)).await;
    assert!(
        matches!(refused, Err(StoreError::Taken { field: "email" })),
        "{refused:?}"
    );
    let (memberships, none) = store
        .read(|tx| {
            Ok((
                tx.users().memberships(id(10))?,
                tx.users().memberships(id(11))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(
        memberships,
        [
            (first, sample::workspace(1)),
            (there_too, sample::workspace(2))
        ],
        "oldest first"
    );
    assert_eq!(none, []);
}

async fn a_membership_of_nobody_dangles(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let refused = store
        .write(|tx| tx.users().insert(&people::user(here(), 99)))
        .await;
    assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
}

async fn an_address_belongs_to_one_person(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut double = people::person(30);
    double.email = people::email(10);
    let refused = store
        .write(move |tx| tx.users().insert_person(&double))
        .await;
    assert!(
        matches!(refused, Err(StoreError::Taken { field: "email" })),
        "{refused:?}"
    );
    let (by_email, by_id, nobody) = store
        .read(|tx| {
            Ok((
                tx.users().find_person(&people::email(10))?,
                tx.users().person(id(10))?,
                tx.users().find_person(&people::email(30))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(by_email, Some(people::person(10)));
    assert_eq!(by_id, Some(people::person(10)));
    assert_eq!(nobody, None);
}

async fn a_user_is_found_by_address_in_their_own_workspace_alone(stores: &Stores) {
    let user = people::user(here(), 10);
    let store = store_with(stores, vec![user.clone()]).await;
    let email = user.email.clone();
    let found = store
        .read(move |tx| {
            Ok((
                tx.users().with_email(here(), &email)?,
                tx.users().with_email(elsewhere(), &email)?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(found, (Some(user), None));
}

async fn whoever_had_an_address_first_keeps_it(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut second = people::person(41);
    second.email = people::email(40);
    let (first, known) = store
        .write(move |tx| {
            let first = tx.users().known_or_new(&people::person(40))?;
            Ok((first, tx.users().known_or_new(&second)?))
        })
        .await
        .unwrap();
    assert_eq!(first, people::person(40));
    assert_eq!(known, first);
}

async fn requests_that_hear_of_the_same_person_at_once_agree_on_who_it_is(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut requests = JoinSet::new();
    for n in 40..52 {
        let store = Arc::clone(&store.store);
        requests.spawn(async move {
            let known: Result<PersonId, StoreError> = store
                .write(move |tx| {
                    let mut person = people::person(n);
                    person.email = people::email(99);
                    Ok(tx.users().known_or_new(&person)?.id)
                })
                .await;
            known
        });
    }
    let known: Vec<PersonId> = requests
        .join_all()
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert!(known.iter().all(|id| *id == known[0]), "{known:?}");
}

async fn pages_go_newest_first_through_everything_once(stores: &Stores) {
    let mut users: Vec<User> = (10..15).map(|n| people::user(here(), n)).collect();
    users.push(people::user(elsewhere(), 15));
    let store = store_with(stores, users).await;
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let wanted = page.clone();
        let got = store
            .read(move |tx| tx.users().page(here(), &UserFilter::default(), &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|user| user.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => break,
        }
    }
    let expected: Vec<UserId> = (10..15).rev().map(id).collect();
    assert_eq!(seen, expected);
}

async fn programs_are_told_from_people(stores: &Stores) {
    let mut program = people::user(here(), 10);
    program.kind = UserKind::Service;
    let users = vec![
        program.clone(),
        people::user(here(), 11),
        people::user(elsewhere(), 12),
    ];
    let store = store_with(stores, users).await;
    assert_eq!(find(&store, here(), 10).await, Some(program));
    let of = |kind: Option<UserKind>| UserFilter {
        kind,
        ..UserFilter::default()
    };
    assert_eq!(ids(&store, of(Some(UserKind::Service))).await, [id(10)]);
    assert_eq!(ids(&store, of(Some(UserKind::Person))).await, [id(11)]);
    assert_eq!(ids(&store, of(None)).await, [id(11), id(10)]);
}

async fn filters_narrow_and_take_wildcards_literally(stores: &Stores) {
    let mut teacher = people::user(here(), 10);
    teacher.role = Role::Teacher;
    let mut named = people::user(here(), 11);
    named.name = Some(sample::name("Ann 100%_Sure"));
    let store = store_with(stores, vec![teacher, named, people::user(elsewhere(), 12)]).await;
    let by = |role: Option<Role>, email: Option<u64>, q: Option<&str>| {
        let filter = UserFilter {
            role,
            kind: None,
            email: email.map(people::email),
            accepted: None,
        };
        (filter, sample::searching(q))
    };
    assert_eq!(
        found(&store, by(Some(Role::Teacher), None, None)).await,
        [id(10)]
    );
    assert_eq!(found(&store, by(None, Some(11), None)).await, [id(11)]);
    assert_eq!(found(&store, by(None, Some(12), None)).await, []);
    assert_eq!(found(&store, by(None, None, Some("aNN"))).await, [id(11)]);
    assert_eq!(found(&store, by(None, None, Some("0%_s"))).await, [id(11)]);
    assert_eq!(found(&store, by(None, None, Some("a%s"))).await, []);
    // A user without a name is found by the address, and by nothing else.
    assert_eq!(
        found(&store, by(None, None, Some("Person-10@"))).await,
        [id(10)]
    );
    assert_eq!(
        found(&store, by(None, None, Some("EXAMPLE"))).await,
        [id(11), id(10)]
    );
    assert_eq!(found(&store, by(None, None, Some("person_1"))).await, []);
    assert_eq!(
        found(&store, by(Some(Role::Teacher), Some(10), Some("example"))).await,
        [id(10)]
    );
    assert_eq!(
        found(&store, by(Some(Role::Teacher), None, Some("ann"))).await,
        []
    );
}

async fn a_deleted_user_takes_their_enrolments_and_tokens_along_but_stays_a_person(
    stores: &Stores,
) {
    let users = vec![people::user(here(), 10), people::user(here(), 11)];
    let store = store_with(stores, users).await;
    store
        .write(|tx| {
            tx.courses().insert(&sample::course(here(), 1))?;
            tx.cohorts().insert(&people::cohort(here(), id(1), 1))?;
            tx.keys().insert(&people::key(id(10), 1))?;
            for n in [10, 11] {
                tx.enrollments()
                    .insert(&people::enrollment(here(), id(1), id(n), n))?;
                tx.tokens()
                    .insert(&people::token(here(), id(n), id(1), n))?;
            }
            Ok(())
        })
        .await
        .unwrap();
    let deleted = store
        .write(|tx| {
            Ok((
                tx.users().delete(here(), id(10))?,
                tx.users().delete(here(), id(10))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(deleted, (true, false));
    let of = |n: u64| {
        let token = people::token(here(), id(n), id(1), n).hash;
        store.write(move |tx| {
            Ok((
                tx.enrollments().of_user(here(), id(n))?.len(),
                tx.tokens().redeem(&token, sample::now())?.is_some(),
                tx.users().person(id(n))?.is_some(),
            ))
        })
    };
    assert_eq!(of(10).await.unwrap(), (0, false, true));
    assert_eq!(of(11).await.unwrap(), (1, true, true));
}

/// Takes an owner away if another is left, as use cases do.
async fn step_down(store: Arc<OpenStore>, n: u64) -> Result<(), StoreError> {
    store
        .write(move |tx| {
            tx.workspaces().hold(here())?;
            let owners = UserFilter {
                role: Some(Role::Owner),
                ..UserFilter::default()
            };
            let owners = tx.users().page(here(), &owners, &PageRequest::first(2))?;
            if owners.items.len() < 2 {
                return Err(StoreError::Failed("the last owner stays".into()));
            }
            tx.users().delete(here(), id(n)).map(drop)
        })
        .await
}

async fn of_two_owners_who_leave_at_once_one_stays(stores: &Stores) {
    for _ in 0..10 {
        let owners = [10, 11].map(|n| User {
            role: Role::Owner,
            ..people::user(here(), n)
        });
        let stores = stores.elsewhere();
        let store = Arc::new(store_with(&stores, owners.to_vec()).await);
        let mut leaving = JoinSet::new();
        for n in [10, 11] {
            leaving.spawn(step_down(Arc::clone(&store), n));
        }
        let left = leaving.join_all().await;
        assert_eq!(left.iter().filter(|one| one.is_ok()).count(), 1, "{left:?}");
        let owners = UserFilter {
            role: Some(Role::Owner),
            ..UserFilter::default()
        };
        assert_eq!(ids(&store, owners).await.len(), 1);
    }
}
