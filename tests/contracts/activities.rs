//! What every activity repository keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::authoring::activities::{
    Activity, ActivityChanges, ActivityContent, ActivityKind, Recording,
};
use lyceum_domain::authoring::provenance::Provenance;
use lyceum_domain::ids::{ActivityId, WorkspaceId};
use lyceum_ports::authoring::activities::ActivityFilter;
use lyceum_ports::page::{Keyset, PageRequest};
use lyceum_ports::store::StoreError;
use serde_json::json;

cases![Stores:
    an_activity_comes_back_as_it_was_stored,
    another_workspace_cannot_find_change_or_delete_it,
    a_change_is_stored_only_over_the_version_before_it,
    an_activity_cannot_name_a_lesson_of_another_workspace,
    pages_of_a_lesson_go_by_place_through_everything_once,
    pages_of_everything_go_newest_first,
    a_page_of_a_lesson_may_start_behind_a_bare_id,
    shifting_moves_what_is_at_a_place_or_behind_it,
    activities_are_counted_and_listed_by_lesson,
    activities_can_be_asked_for_by_kind,
    every_kind_of_activity_comes_back,
    a_recording_is_counted_for_every_copy_in_its_workspace,
];

/// Two workspaces with a lesson each, a second lesson (3) here, and the activities given.
async fn store_with(stores: &Stores, activities: Vec<Activity>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_lessons(tx)?;
            tx.lessons().insert(&content::lesson(here(), 3))?;
            activities
                .iter()
                .try_for_each(|activity| tx.activities().insert(activity))
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

fn at(position: u32, n: u64) -> Activity {
    let mut activity = content::activity(here(), n);
    activity.position = position;
    activity
}

fn of_lesson_3(position: u32, n: u64) -> Activity {
    let mut activity = at(position, n);
    activity.lesson_id = id(3);
    activity
}

fn of_the_lesson() -> ActivityFilter {
    ActivityFilter {
        lesson_id: Some(id(1)),
        ..ActivityFilter::default()
    }
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<Activity> {
    store
        .read(move |tx| tx.activities().find(workspace, id(n)))
        .await
        .unwrap()
}

/// Every id, page by page.
async fn walk(store: &OpenStore, filter: ActivityFilter, mut page: PageRequest) -> Vec<ActivityId> {
    let mut seen = Vec::new();
    loop {
        let (filter, wanted) = (filter.clone(), page.clone());
        let got = store
            .read(move |tx| tx.activities().page(here(), &filter, &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|activity| activity.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => return seen,
        }
    }
}

fn after(n: u64) -> PageRequest {
    PageRequest {
        after: Some(Keyset::of_id(
            id::<lyceum_domain::ids::Activity>(n).to_string(),
        )),
        ..PageRequest::first(2)
    }
}

async fn an_activity_comes_back_as_it_was_stored(stores: &Stores) {
    let mut activity = at(7, 10);
    activity.kind = ActivityKind::Flashcards;
    let cards = json!({"cards": [{"front": "«a»\n", "back": "漢字", "hint": null}], "n": 1.5});
    activity.content = ActivityContent::parse(activity.kind, content::object(&cards)).unwrap();
    activity.provenance = Provenance::ai("model".into(), id(99)).from_source(Some("5a".into()));
    activity.metadata = content::metadata(&json!({"k": {"n": [1.5, null]}}));
    activity.stamp.touch(content::later());
    let store = store_with(stores, vec![activity.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(activity));
}

async fn another_workspace_cannot_find_change_or_delete_it(stores: &Stores) {
    let activity = at(0, 10);
    let store = store_with(stores, vec![activity.clone()]).await;
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    let deleted = store.write(|tx| tx.activities().delete(elsewhere(), id(10)));
    assert!(!deleted.await.unwrap());
    let mut moved = activity.clone();
    moved.workspace_id = elsewhere();
    moved.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.activities().update(&moved)).await;
    assert!(matches!(update, Err(StoreError::Stale)), "{update:?}");
    let seen = store
        .read(|tx| {
            let activities = tx.activities();
            let listed = activities.of_lessons(elsewhere(), &[id(1)])?.len();
            Ok((listed, activities.count(elsewhere(), id(1))?))
        })
        .await;
    assert_eq!(seen.unwrap(), (0, 0));
    assert_eq!(find(&store, here(), 10).await, Some(activity));
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut activity = at(0, 10);
    activity.provenance = Provenance::ai("model".into(), id(99));
    let store = store_with(stores, vec![activity.clone()]).await;
    let changes = ActivityChanges {
        name: Some(sample::name("New")),
        ..ActivityChanges::default()
    };
    activity.change(changes, content::later()).unwrap();
    activity.provenance = Provenance::human();
    let (first, second) = (activity.clone(), activity.clone());
    store
        .write(move |tx| tx.activities().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.activities().update(&second)).await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    assert_eq!(find(&store, here(), 10).await, Some(activity));
}

async fn an_activity_cannot_name_a_lesson_of_another_workspace(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut activity = content::activity(elsewhere(), 10);
    activity.lesson_id = id(1);
    let insert = store
        .write(move |tx| tx.activities().insert(&activity))
        .await;
    assert!(matches!(insert, Err(StoreError::Dangling)), "{insert:?}");
}

async fn pages_of_a_lesson_go_by_place_through_everything_once(stores: &Stores) {
    let activities = vec![
        at(2, 10),
        at(1, 13),
        at(1, 11),
        at(1, 12),
        at(0, 14),
        of_lesson_3(0, 15),
    ];
    let store = store_with(stores, activities).await;
    let expected = [14, 11, 12, 13, 10].map(id);
    for limit in [1, 2, 100] {
        let page = PageRequest::first(limit);
        assert_eq!(walk(&store, of_the_lesson(), page).await, expected);
    }
}

async fn pages_of_everything_go_newest_first(stores: &Stores) {
    let activities = vec![at(2, 10), at(1, 11), of_lesson_3(0, 12), at(0, 13)];
    let store = store_with(stores, activities).await;
    let all = ActivityFilter::default();
    assert_eq!(
        walk(&store, all.clone(), PageRequest::first(3)).await,
        [13, 12, 11, 10].map(id)
    );
    assert_eq!(walk(&store, all, after(12)).await, [11, 10].map(id));
}

async fn a_page_of_a_lesson_may_start_behind_a_bare_id(stores: &Stores) {
    let activities = vec![at(0, 12), at(1, 11), at(2, 10), of_lesson_3(0, 13)];
    let store = store_with(stores, activities).await;
    assert_eq!(
        walk(&store, of_the_lesson(), after(12)).await,
        [11, 10].map(id)
    );
    assert_eq!(walk(&store, of_the_lesson(), after(13)).await, []);
    assert_eq!(walk(&store, of_the_lesson(), after(99)).await, []);
}

async fn shifting_moves_what_is_at_a_place_or_behind_it(stores: &Stores) {
    let mut foreign = content::activity(elsewhere(), 14);
    foreign.position = 1;
    let activities = vec![at(0, 10), at(1, 11), at(2, 12), of_lesson_3(1, 13), foreign];
    let store = store_with(stores, activities).await;
    store
        .write(|tx| {
            tx.activities().shift(here(), id(1), 1, 2)?;
            tx.activities().shift(here(), id(1), 4, -1)
        })
        .await
        .unwrap();
    assert_eq!(find(&store, here(), 10).await, Some(at(0, 10)));
    assert_eq!(find(&store, here(), 11).await, Some(at(3, 11)));
    assert_eq!(find(&store, here(), 12).await, Some(at(3, 12)));
    assert_eq!(find(&store, here(), 13).await.unwrap().position, 1);
    assert_eq!(find(&store, elsewhere(), 14).await.unwrap().position, 1);
}

async fn activities_are_counted_and_listed_by_lesson(stores: &Stores) {
    let activities = vec![of_lesson_3(0, 10), at(1, 11), at(0, 13), at(0, 12)];
    let store = store_with(stores, activities).await;
    let (counts, listed, none) = store
        .read(|tx| {
            let activities = tx.activities();
            let counts = (
                activities.count(here(), id(1))?,
                activities.count(here(), id(3))?,
                activities.count(here(), id(9))?,
            );
            let listed = activities.of_lessons(here(), &[id(3), id(1), id(2)])?;
            Ok((counts, listed, activities.of_lessons(here(), &[])?))
        })
        .await
        .unwrap();
    assert_eq!(counts, (3, 1, 0));
    let listed: Vec<ActivityId> = listed.iter().map(|activity| activity.id).collect();
    assert_eq!(listed, [12, 13, 11, 10].map(id));
    assert_eq!(none, []);
}

async fn activities_can_be_asked_for_by_kind(stores: &Stores) {
    let quiz = |mut activity: Activity| {
        activity.kind = ActivityKind::Quiz;
        activity
    };
    let activities = vec![
        quiz(at(1, 10)),
        at(0, 11),
        quiz(at(0, 12)),
        quiz(of_lesson_3(0, 13)),
    ];
    let store = store_with(stores, activities).await;
    let by = |lesson: Option<u64>| ActivityFilter {
        lesson_id: lesson.map(id),
        kind: Some(ActivityKind::Quiz),
        among: None,
    };
    let page = PageRequest::first(1);
    assert_eq!(
        walk(&store, by(Some(1)), page.clone()).await,
        [12, 10].map(id)
    );
    assert_eq!(walk(&store, by(None), page).await, [13, 12, 10].map(id));
}

async fn every_kind_of_activity_comes_back(stores: &Stores) {
    let activities: Vec<Activity> = ActivityKind::ALL
        .iter()
        .zip(10..)
        .map(|(kind, n)| {
            let mut activity = at(0, n);
            activity.kind = *kind;
            activity
        })
        .collect();
    let store = store_with(stores, activities.clone()).await;
    for (activity, n) in activities.into_iter().zip(10..) {
        assert_eq!(find(&store, here(), n).await, Some(activity));
    }
}

async fn a_recording_is_counted_for_every_copy_in_its_workspace(stores: &Stores) {
    let spoken = |mut activity: Activity| {
        activity.kind = ActivityKind::Podcast;
        activity.content.record(&Recording {
            name: "gen_1-1".to_owned(),
            sha256: "ab".to_owned(),
            size_bytes: 48_044,
            duration_ms: 1_000,
        });
        activity
    };
    let mut edited = spoken(at(0, 10));
    let all = vec![edited.clone(), spoken(at(1, 11)), at(2, 12)];
    let store = store_with(stores, all).await;
    let count = async |workspace: WorkspaceId, name: &'static str| {
        let count = store.read(move |tx| tx.activities().with_recording(workspace, name));
        count.await.unwrap()
    };
    assert_eq!(count(here(), "gen_1-1").await, 2);
    assert_eq!(count(here(), "gen_1-2").await, 0);
    assert_eq!(count(elsewhere(), "gen_1-1").await, 0);
    edited.content.fail_to_record();
    edited.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.activities().update(&edited));
    update.await.unwrap();
    assert_eq!(count(here(), "gen_1-1").await, 1);
}
