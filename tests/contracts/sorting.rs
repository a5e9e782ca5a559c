//! In which order lists are: the same on both databases, whatever languages they are set up for.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::{id, people};
use crate::stores::{OpenStore, Stores};
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::ids::{CourseId, UserId, WorkspaceId};
use lyceum_ports::authoring::courses::CourseFilter;
use lyceum_ports::identity::users::UserFilter;
use lyceum_ports::page::{Keyset, PageRequest, Sort};

cases![Stores:
    names_go_by_their_letters_whatever_the_case_and_ids_decide_among_equals,
    the_last_change_decides_and_a_place_outlives_what_stood_there,
    people_without_a_name_stand_where_their_address_does,
];

fn here() -> WorkspaceId {
    id(1)
}

async fn store_with(stores: &Stores, courses: Vec<Course>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.workspaces().insert(&sample::workspace(2))?;
            courses
                .iter()
                .try_for_each(|course| tx.courses().insert(course))
        })
        .await
        .unwrap();
    store
}

fn first(limit: u16, sort: &str) -> PageRequest {
    PageRequest {
        sort: Some(Sort::parse(sort).unwrap()),
        ..PageRequest::first(limit)
    }
}

async fn page(store: &OpenStore, wanted: PageRequest) -> (Vec<CourseId>, Option<Keyset>) {
    let found = store
        .read(move |tx| tx.courses().page(here(), &CourseFilter::default(), &wanted))
        .await
        .unwrap();
    let ids = found.items.iter().map(|shown| shown.course.id);
    (ids.collect(), found.next)
}

/// The whole list, page by page.
async fn pages(store: &OpenStore, mut wanted: PageRequest) -> Vec<CourseId> {
    let mut all = Vec::new();
    loop {
        let (ids, next) = page(store, wanted.clone()).await;
        all.extend(ids);
        wanted.after = next;
        if wanted.after.is_none() {
            return all;
        }
    }
}

fn called(n: u64, name: &str) -> Course {
    let mut course = sample::course(here(), n);
    course.name = sample::name(name);
    course
}

fn ids(numbers: &[u64]) -> Vec<CourseId> {
    numbers.iter().map(|n| id(*n)).collect()
}

async fn names_go_by_their_letters_whatever_the_case_and_ids_decide_among_equals(stores: &Stores) {
    let mut stranger = called(19, "Aardvark");
    stranger.workspace_id = id(2);
    let courses = vec![
        called(10, "beta"),
        called(11, "Alpha"),
        called(12, "Élan"),
        called(13, "BETA"),
        called(14, "a-b"),
        called(15, "Zeta"),
        called(16, "漢字"),
        stranger,
    ];
    let store = store_with(stores, courses).await;
    let upward = ids(&[14, 11, 10, 13, 15, 12, 16]);
    let downward: Vec<CourseId> = upward.iter().rev().copied().collect();
    for limit in [1, 2, 100] {
        assert_eq!(pages(&store, first(limit, "name")).await, upward, "{limit}");
        assert_eq!(
            pages(&store, first(limit, "-name")).await,
            downward,
            "{limit}"
        );
    }
    // Behind a thing that is named by nothing but its id, and behind one that is not there.
    let behind = |n: u64| PageRequest {
        after: Some(Keyset::of_id(
            id::<lyceum_domain::ids::Course>(n).to_string(),
        )),
        ..first(2, "name")
    };
    assert_eq!(page(&store, behind(10)).await.0, ids(&[13, 15]));
    assert_eq!(page(&store, behind(99)).await, (vec![], None));
    // Nor behind one of another workspace.
    assert_eq!(page(&store, behind(19)).await, (vec![], None));
}

async fn the_last_change_decides_and_a_place_outlives_what_stood_there(stores: &Stores) {
    let changed = |n: u64, seconds: u64| {
        let mut course = sample::course(here(), n);
        course.stamp.updated_at = sample::now().plus(Duration::from_secs(seconds));
        course
    };
    let courses = vec![
        changed(10, 3),
        changed(11, 1),
        changed(12, 3),
        changed(13, 2),
    ];
    let store = store_with(stores, courses).await;
    assert_eq!(
        pages(&store, first(1, "updated_at")).await,
        ids(&[11, 13, 10, 12])
    );
    assert_eq!(
        pages(&store, first(3, "-updated_at")).await,
        ids(&[12, 10, 13, 11])
    );
    let (found, next) = page(&store, first(2, "updated_at")).await;
    assert_eq!(found, ids(&[11, 13]));
    let gone = store.write(|tx| tx.courses().delete(here(), id(13)));
    assert!(gone.await.unwrap());
    let rest = PageRequest {
        after: next,
        ..first(2, "updated_at")
    };
    assert_eq!(page(&store, rest).await.0, ids(&[10, 12]));
}

async fn people_without_a_name_stand_where_their_address_does(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let named = |n: u64, name: &str| {
        let mut user = people::user(here(), n);
        user.name = Some(sample::name(name));
        user
    };
    // `person-11@…` between the two.
    let users = [
        named(10, "Quentin"),
        people::user(here(), 11),
        named(12, "olga"),
    ];
    store
        .write(move |tx| {
            (10..13).try_for_each(|n| tx.users().insert_person(&people::person(n)))?;
            for user in &users {
                tx.users().insert(user)?;
            }
            tx.courses().insert(&sample::course(here(), 1))?;
            tx.cohorts().insert(&people::cohort(here(), id(1), 1))?;
            for n in 10..13 {
                tx.enrollments()
                    .insert(&people::enrollment(here(), id(1), id(n), n))?;
            }
            Ok::<_, lyceum_ports::error::StoreError>(())
        })
        .await
        .unwrap();
    let expected: Vec<UserId> = [12, 11, 10].map(id).to_vec();
    let (mut users, mut students) = (Vec::new(), Vec::new());
    let mut wanted = first(2, "name");
    for _ in 0..2 {
        let asked = wanted.clone();
        let page = store.read(move |tx| tx.users().page(here(), &UserFilter::default(), &asked));
        let page = page.await.unwrap();
        users.extend(page.items.iter().map(|user| user.id));
        wanted.after = page.next;
    }
    assert_eq!(users, expected);
    let mut wanted = first(2, "name");
    for _ in 0..2 {
        let asked = wanted.clone();
        let page = store.read(move |tx| tx.enrollments().page(here(), id(1), &asked));
        let page = page.await.unwrap();
        students.extend(page.items.iter().map(|(_, user)| user.id));
        wanted.after = page.next;
    }
    assert_eq!(students, expected);
}
