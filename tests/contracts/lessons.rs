//! What every lesson repository keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::authoring::lessons::{Lesson, LessonChanges, Minutes};
use lyceum_domain::authoring::provenance::{Origin, Provenance};
use lyceum_domain::authoring::units::Objectives;
use lyceum_domain::ids::{LessonId, WorkspaceId};
use lyceum_ports::authoring::lessons::LessonFilter;
use lyceum_ports::page::{Keyset, PageRequest};
use lyceum_ports::store::StoreError;
use serde_json::json;

cases![Stores:
    a_lesson_comes_back_as_it_was_stored,
    another_workspace_cannot_find_change_or_delete_it,
    a_change_is_stored_only_over_the_version_before_it,
    a_lesson_cannot_name_a_unit_of_another_workspace,
    pages_of_a_unit_go_by_place_through_everything_once,
    pages_of_everything_go_newest_first,
    a_page_of_a_unit_may_start_behind_a_bare_id,
    shifting_moves_what_is_at_a_place_or_behind_it,
    lessons_are_counted_and_listed_by_unit,
    a_course_has_the_lessons_of_its_units_newest_first,
    only_what_ai_made_counts_as_generated,
    activities_go_with_their_lesson,
];

/// Two workspaces with a unit each, a second unit (3) here, and the lessons given.
async fn store_with(stores: &Stores, lessons: Vec<Lesson>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_units(tx)?;
            tx.units().insert(&content::unit(here(), 3))?;
            lessons
                .iter()
                .try_for_each(|lesson| tx.lessons().insert(lesson))
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

fn at(position: u32, n: u64) -> Lesson {
    let mut lesson = content::lesson(here(), n);
    lesson.position = position;
    lesson
}

fn of_unit_3(position: u32, n: u64) -> Lesson {
    let mut lesson = at(position, n);
    lesson.unit_id = id(3);
    lesson
}

fn of_the_unit() -> LessonFilter {
    LessonFilter {
        unit_id: Some(id(1)),
        ..LessonFilter::default()
    }
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<Lesson> {
    store
        .read(move |tx| tx.lessons().find(workspace, id(n)))
        .await
        .unwrap()
}

/// Every id, page by page.
async fn walk(store: &OpenStore, filter: LessonFilter, mut page: PageRequest) -> Vec<LessonId> {
    let mut seen = Vec::new();
    loop {
        let (filter, wanted) = (filter.clone(), page.clone());
        let got = store
            .read(move |tx| tx.lessons().page(here(), &filter, &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|lesson| lesson.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => return seen,
        }
    }
}

fn after(n: u64) -> PageRequest {
    PageRequest {
        after: Some(Keyset::of_id(
            id::<lyceum_domain::ids::Lesson>(n).to_string(),
        )),
        ..PageRequest::first(2)
    }
}

async fn a_lesson_comes_back_as_it_was_stored(stores: &Stores) {
    let mut lesson = at(7, 10);
    lesson.summary = content::difficult_text();
    lesson.content = content::difficult_text();
    lesson.duration = Minutes::parse(45).unwrap();
    lesson.objectives = Objectives::parse(vec!["wash «hands»".into(), String::new()]).unwrap();
    lesson.provenance = Provenance::ai("model".into(), id(99)).from_source(Some("5a".into()));
    lesson.metadata = content::metadata(&json!({"k": {"n": [1.5, null]}}));
    lesson.stamp.touch(content::later());
    let store = store_with(stores, vec![lesson.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(lesson));
}

async fn another_workspace_cannot_find_change_or_delete_it(stores: &Stores) {
    let lesson = at(0, 10);
    let store = store_with(stores, vec![lesson.clone()]).await;
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    let deleted = store.write(|tx| tx.lessons().delete(elsewhere(), id(10)));
    assert!(!deleted.await.unwrap());
    let mut moved = lesson.clone();
    moved.workspace_id = elsewhere();
    moved.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.lessons().update(&moved)).await;
    assert!(matches!(update, Err(StoreError::Stale)), "{update:?}");
    let seen = store
        .read(|tx| {
            let lessons = tx.lessons();
            let listed = lessons.of_units(elsewhere(), &[id(1)])?.len();
            Ok((listed, lessons.count(elsewhere(), id(1))?))
        })
        .await;
    assert_eq!(seen.unwrap(), (0, 0));
    assert_eq!(find(&store, here(), 10).await, Some(lesson));
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut lesson = at(0, 10);
    lesson.provenance = Provenance::ai("model".into(), id(99));
    let store = store_with(stores, vec![lesson.clone()]).await;
    let changes = LessonChanges {
        name: Some(sample::name("New")),
        ..LessonChanges::default()
    };
    lesson.change(changes, content::later()).unwrap();
    lesson.provenance = Provenance::human();
    let (first, second) = (lesson.clone(), lesson.clone());
    store
        .write(move |tx| tx.lessons().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.lessons().update(&second)).await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    assert_eq!(find(&store, here(), 10).await, Some(lesson));
}

async fn a_lesson_cannot_name_a_unit_of_another_workspace(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut lesson = content::lesson(elsewhere(), 10);
    lesson.unit_id = id(1);
    let insert = store.write(move |tx| tx.lessons().insert(&lesson)).await;
    assert!(matches!(insert, Err(StoreError::Dangling)), "{insert:?}");
}

async fn pages_of_a_unit_go_by_place_through_everything_once(stores: &Stores) {
    let lessons = vec![
        at(2, 10),
        at(1, 13),
        at(1, 11),
        at(1, 12),
        at(0, 14),
        of_unit_3(0, 15),
    ];
    let store = store_with(stores, lessons).await;
    let expected = [14, 11, 12, 13, 10].map(id);
    for limit in [1, 2, 100] {
        let page = PageRequest::first(limit);
        assert_eq!(walk(&store, of_the_unit(), page).await, expected);
    }
}

async fn pages_of_everything_go_newest_first(stores: &Stores) {
    let lessons = vec![at(2, 10), at(1, 11), of_unit_3(0, 12), at(0, 13)];
    let store = store_with(stores, lessons).await;
    let all = LessonFilter::default();
    assert_eq!(
        walk(&store, all.clone(), PageRequest::first(3)).await,
        [13, 12, 11, 10].map(id)
    );
    assert_eq!(walk(&store, all, after(12)).await, [11, 10].map(id));
}

async fn a_page_of_a_unit_may_start_behind_a_bare_id(stores: &Stores) {
    let lessons = vec![at(0, 12), at(1, 11), at(2, 10), of_unit_3(0, 13)];
    let store = store_with(stores, lessons).await;
    assert_eq!(
        walk(&store, of_the_unit(), after(12)).await,
        [11, 10].map(id)
    );
    assert_eq!(walk(&store, of_the_unit(), after(13)).await, []);
    assert_eq!(walk(&store, of_the_unit(), after(99)).await, []);
}

async fn shifting_moves_what_is_at_a_place_or_behind_it(stores: &Stores) {
    let mut foreign = content::lesson(elsewhere(), 14);
    foreign.position = 1;
    let lessons = vec![at(0, 10), at(1, 11), at(2, 12), of_unit_3(1, 13), foreign];
    let store = store_with(stores, lessons).await;
    store
        .write(|tx| {
            tx.lessons().shift(here(), id(1), 1, 2)?;
            tx.lessons().shift(here(), id(1), 4, -1)
        })
        .await
        .unwrap();
    assert_eq!(find(&store, here(), 10).await, Some(at(0, 10)));
    assert_eq!(find(&store, here(), 11).await, Some(at(3, 11)));
    assert_eq!(find(&store, here(), 12).await, Some(at(3, 12)));
    assert_eq!(find(&store, here(), 13).await.unwrap().position, 1);
    assert_eq!(find(&store, elsewhere(), 14).await.unwrap().position, 1);
}

async fn lessons_are_counted_and_listed_by_unit(stores: &Stores) {
    let lessons = vec![of_unit_3(0, 10), at(1, 11), at(0, 13), at(0, 12)];
    let store = store_with(stores, lessons).await;
    let (counts, listed, none) = store
        .read(|tx| {
            let lessons = tx.lessons();
            let counts = (
                lessons.count(here(), id(1))?,
                lessons.count(here(), id(3))?,
                lessons.count(here(), id(9))?,
            );
            let listed = lessons.of_units(here(), &[id(3), id(1), id(2)])?;
            Ok((counts, listed, lessons.of_units(here(), &[])?))
        })
        .await
        .unwrap();
    assert_eq!(counts, (3, 1, 0));
    let listed: Vec<LessonId> = listed.iter().map(|lesson| lesson.id).collect();
    assert_eq!(listed, [12, 13, 11, 10].map(id));
    assert_eq!(none, []);
}

async fn a_course_has_the_lessons_of_its_units_newest_first(stores: &Stores) {
    let store = store_with(stores, vec![at(0, 10), of_unit_3(0, 11), at(1, 12)]).await;
    let by = |course: u64, unit: Option<u64>| LessonFilter {
        unit_id: unit.map(id),
        course_id: Some(id(course)),
        among: None,
    };
    let page = PageRequest::first(2);
    assert_eq!(
        walk(&store, by(1, None), page.clone()).await,
        [12, 11, 10].map(id)
    );
    assert_eq!(
        walk(&store, by(1, Some(1)), page.clone()).await,
        [10, 12].map(id)
    );
    assert_eq!(walk(&store, by(2, Some(1)), page).await, []);
}

async fn only_what_ai_made_counts_as_generated(stores: &Stores) {
    let lessons = Origin::ALL.iter().zip(10..).map(|(origin, n)| {
        let mut lesson = at(0, n);
        lesson.provenance.origin = *origin;
        lesson.duration = Minutes::parse(1 << (n - 10)).unwrap();
        lesson
    });
    let store = store_with(stores, lessons.collect()).await;
    let minutes = store
        .read(|tx| {
            let lessons = tx.lessons();
            Ok([
                lessons.generated_minutes(here(), id(1))?,
                lessons.generated_minutes(here(), id(2))?,
                lessons.generated_minutes(elsewhere(), id(1))?,
            ])
        })
        .await
        .unwrap();
    // human 1, ai 2, ai_edited 4, import 8
    assert_eq!(minutes, [6, 0, 0]);
}

async fn activities_go_with_their_lesson(stores: &Stores) {
    let store = store_with(stores, vec![at(0, 1)]).await;
    let left = store
        .write(|tx| {
            tx.activities().insert(&content::activity(here(), 20))?;
            assert!(tx.lessons().delete(here(), id(1))?);
            tx.activities().find(here(), id(20))
        })
        .await
        .unwrap();
    assert_eq!(left, None);
}
