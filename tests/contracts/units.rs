//! What every unit repository keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::authoring::provenance::Provenance;
use lyceum_domain::authoring::units::{Objectives, Unit, UnitChanges};
use lyceum_domain::ids::{UnitId, WorkspaceId};
use lyceum_ports::authoring::units::UnitFilter;
use lyceum_ports::page::{Keyset, PageRequest};
use lyceum_ports::store::StoreError;
use serde_json::json;

cases![Stores:
    a_unit_comes_back_as_it_was_stored,
    another_workspace_cannot_find_change_or_delete_it,
    a_change_is_stored_only_over_the_version_before_it,
    a_unit_cannot_name_a_course_of_another_workspace,
    pages_of_a_course_go_by_place_through_everything_once,
    pages_of_everything_go_newest_first,
    a_page_of_a_course_may_start_behind_a_bare_id,
    shifting_moves_what_is_at_a_place_or_behind_it,
    units_are_counted_and_listed_by_course,
    lessons_are_counted_by_unit_and_go_with_it,
];

/// Two workspaces with a course each, a second course (3) here, and the units given.
async fn store_with(stores: &Stores, units: Vec<Unit>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_courses(tx)?;
            tx.courses().insert(&sample::course(here(), 3))?;
            units.iter().try_for_each(|unit| tx.units().insert(unit))
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

fn at(position: u32, n: u64) -> Unit {
    let mut unit = content::unit(here(), n);
    unit.position = position;
    unit
}

fn of_course_3(position: u32, n: u64) -> Unit {
    let mut unit = at(position, n);
    unit.course_id = id(3);
    unit
}

fn of_the_course() -> UnitFilter {
    UnitFilter {
        course_id: Some(id(1)),
        among: None,
    }
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<Unit> {
    store
        .read(move |tx| tx.units().find(workspace, id(n)))
        .await
        .unwrap()
}

/// Every id, page by page.
async fn walk(store: &OpenStore, filter: UnitFilter, mut page: PageRequest) -> Vec<UnitId> {
    let mut seen = Vec::new();
    loop {
        let (filter, wanted) = (filter.clone(), page.clone());
        let got = store
            .read(move |tx| tx.units().page(here(), &filter, &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|unit| unit.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => return seen,
        }
    }
}

fn after(n: u64) -> PageRequest {
    PageRequest {
        after: Some(Keyset::of_id(id::<lyceum_domain::ids::Unit>(n).to_string())),
        ..PageRequest::first(2)
    }
}

async fn a_unit_comes_back_as_it_was_stored(stores: &Stores) {
    let mut unit = at(7, 10);
    unit.description = content::difficult_text();
    unit.objectives = Objectives::parse(vec!["wash «hands»".into(), String::new()]).unwrap();
    unit.provenance = Provenance::ai("model".into(), id(99)).from_source(Some("5a".into()));
    unit.metadata = content::metadata(&json!({"k": {"n": [1.5, null]}}));
    unit.stamp.touch(content::later());
    let store = store_with(stores, vec![unit.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(unit));
}

async fn another_workspace_cannot_find_change_or_delete_it(stores: &Stores) {
    let unit = at(0, 10);
    let store = store_with(stores, vec![unit.clone()]).await;
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    let deleted = store.write(|tx| tx.units().delete(elsewhere(), id(10)));
    assert!(!deleted.await.unwrap());
    let mut moved = unit.clone();
    moved.workspace_id = elsewhere();
    moved.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.units().update(&moved)).await;
    assert!(matches!(update, Err(StoreError::Stale)), "{update:?}");
    let seen = store
        .read(|tx| {
            let units = tx.units();
            let listed = units.of_courses(elsewhere(), &[id(1)])?.len();
            Ok((listed, units.count(elsewhere(), id(1))?))
        })
        .await;
    assert_eq!(seen.unwrap(), (0, 0));
    assert_eq!(find(&store, here(), 10).await, Some(unit));
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut unit = at(0, 10);
    unit.provenance = Provenance::ai("model".into(), id(99));
    let store = store_with(stores, vec![unit.clone()]).await;
    let changes = UnitChanges {
        name: Some(sample::name("New")),
        ..UnitChanges::default()
    };
    unit.change(changes, content::later()).unwrap();
    unit.provenance = Provenance::human();
    let (first, second) = (unit.clone(), unit.clone());
    store
        .write(move |tx| tx.units().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.units().update(&second)).await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    assert_eq!(find(&store, here(), 10).await, Some(unit));
}

async fn a_unit_cannot_name_a_course_of_another_workspace(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut unit = content::unit(elsewhere(), 10);
    unit.course_id = id(1);
    let insert = store.write(move |tx| tx.units().insert(&unit)).await;
    assert!(matches!(insert, Err(StoreError::Dangling)), "{insert:?}");
}

async fn pages_of_a_course_go_by_place_through_everything_once(stores: &Stores) {
    let units = vec![
        at(2, 10),
        at(1, 13),
        at(1, 11),
        at(1, 12),
        at(0, 14),
        of_course_3(0, 15),
    ];
    let store = store_with(stores, units).await;
    let expected = [14, 11, 12, 13, 10].map(id);
    for limit in [1, 2, 100] {
        let page = PageRequest::first(limit);
        assert_eq!(walk(&store, of_the_course(), page).await, expected);
    }
}

async fn pages_of_everything_go_newest_first(stores: &Stores) {
    let units = vec![at(2, 10), at(1, 11), of_course_3(0, 12), at(0, 13)];
    let store = store_with(stores, units).await;
    let all = UnitFilter::default();
    assert_eq!(
        walk(&store, all.clone(), PageRequest::first(3)).await,
        [13, 12, 11, 10].map(id)
    );
    assert_eq!(walk(&store, all, after(12)).await, [11, 10].map(id));
}

async fn a_page_of_a_course_may_start_behind_a_bare_id(stores: &Stores) {
    let units = vec![at(0, 12), at(1, 11), at(2, 10), of_course_3(0, 13)];
    let store = store_with(stores, units).await;
    assert_eq!(
        walk(&store, of_the_course(), after(12)).await,
        [11, 10].map(id)
    );
    assert_eq!(walk(&store, of_the_course(), after(13)).await, []);
    assert_eq!(walk(&store, of_the_course(), after(99)).await, []);
}

async fn shifting_moves_what_is_at_a_place_or_behind_it(stores: &Stores) {
    let mut foreign = content::unit(elsewhere(), 14);
    foreign.position = 1;
    let units = vec![at(0, 10), at(1, 11), at(2, 12), of_course_3(1, 13), foreign];
    let store = store_with(stores, units).await;
    store
        .write(|tx| {
            tx.units().shift(here(), id(1), 1, 2)?;
            tx.units().shift(here(), id(1), 4, -1)
        })
        .await
        .unwrap();
    assert_eq!(find(&store, here(), 10).await, Some(at(0, 10)));
    assert_eq!(find(&store, here(), 11).await, Some(at(3, 11)));
    assert_eq!(find(&store, here(), 12).await, Some(at(3, 12)));
    assert_eq!(find(&store, here(), 13).await.unwrap().position, 1);
    assert_eq!(find(&store, elsewhere(), 14).await.unwrap().position, 1);
}

async fn units_are_counted_and_listed_by_course(stores: &Stores) {
    let units = vec![of_course_3(0, 10), at(1, 11), at(0, 13), at(0, 12)];
    let store = store_with(stores, units).await;
    let (counts, listed, none) = store
        .read(|tx| {
            let units = tx.units();
            let counts = (
                units.count(here(), id(1))?,
                units.count(here(), id(3))?,
                units.count(here(), id(9))?,
            );
            let listed = units.of_courses(here(), &[id(3), id(1), id(2)])?;
            Ok((counts, listed, units.of_courses(here(), &[])?))
        })
        .await
        .unwrap();
    assert_eq!(counts, (3, 1, 0));
    let listed: Vec<UnitId> = listed.iter().map(|unit| unit.id).collect();
    assert_eq!(listed, [12, 13, 11, 10].map(id));
    assert_eq!(none, []);
}

async fn lessons_are_counted_by_unit_and_go_with_it(stores: &Stores) {
    let store = store_with(stores, vec![at(0, 1), at(1, 10)]).await;
    let (before, after) = store
        .write(|tx| {
            tx.lessons().insert(&content::lesson(here(), 20))?;
            tx.lessons().insert(&content::lesson(here(), 21))?;
            let asked = [id(1), id(10), id(99)];
            let before = tx.units().lesson_counts(here(), &asked)?;
            assert_eq!(tx.units().lesson_counts(elsewhere(), &asked)?, []);
            assert_eq!(tx.units().lesson_counts(here(), &[])?, []);
            assert!(tx.units().delete(here(), id(1))?);
            Ok((before, tx.lessons().find(here(), id(20))?))
        })
        .await
        .unwrap();
    assert_eq!(before, [(id(1), 2)]);
    assert_eq!(after, None);
}
