//! Parts of courses, among the courses that a list is limited to: what learners' lists are made of.

use crate::cases::cases;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::ids::{CourseId, WorkspaceId};
use lyceum_ports::authoring::activities::ActivityFilter;
use lyceum_ports::authoring::assignments::AssignmentFilter;
use lyceum_ports::authoring::lessons::LessonFilter;
use lyceum_ports::authoring::units::UnitFilter;
use lyceum_ports::page::{Page, PageRequest};

cases![Stores:
    parts_are_found_among_their_courses_and_no_others,
];

fn here() -> WorkspaceId {
    id(1)
}

async fn store_with_one_of_each(stores: &Stores) -> OpenStore {
    let store = stores.open().await;
    store
        .write(|tx| {
            content::put_lessons(tx)?;
            tx.activities().insert(&content::activity(here(), 1))?;
            tx.assignments().insert(&content::assignment(here(), 1))
        })
        .await
        .unwrap();
    store
}

fn shape<T>(page: &Page<T>) -> (usize, bool) {
    (page.items.len(), page.next.is_some())
}

/// How many units, lessons, activities and assignments there are among these courses, on a page of one each;
/// also of the parent, and whether there is more.
async fn found(store: &OpenStore, among: &[u64]) -> Vec<(usize, bool)> {
    let among: Option<Vec<CourseId>> = Some(among.iter().map(|n| id(*n)).collect());
    let work = move |parent: bool| {
        let among = among.clone();
        move |tx: &mut dyn lyceum_ports::store::Tx| {
            let page = PageRequest::first(1);
            let units = UnitFilter {
                course_id: parent.then(|| id(1)),
                among: among.clone(),
            };
            let lessons = LessonFilter {
                unit_id: parent.then(|| id(1)),
                course_id: None,
                among: among.clone(),
            };
            let activities = ActivityFilter {
                lesson_id: parent.then(|| id(1)),
                kind: None,
                among: among.clone(),
            };
            let assignments = AssignmentFilter {
                among: among.clone(),
                ..AssignmentFilter::default()
            };
            Ok(vec![
                shape(&tx.units().page(here(), &units, &page)?),
                shape(&tx.lessons().page(here(), &lessons, &page)?),
                shape(&tx.activities().page(here(), &activities, &page)?),
                shape(&tx.assignments().page(here(), &assignments, &page)?),
            ])
        }
    };
    let of_parent = store.read(work(true)).await.unwrap();
    let all = store.read(work(false)).await.unwrap();
    assert_eq!(of_parent, all);
    all
}

async fn parts_are_found_among_their_courses_and_no_others(stores: &Stores) {
    let store = store_with_one_of_each(stores).await;
    assert_eq!(found(&store, &[1]).await, [(1, false); 4]);
    assert_eq!(found(&store, &[99, 1, 2]).await, [(1, false); 4]);
    assert_eq!(found(&store, &[99, 2]).await, [(0, false); 4]);
    assert_eq!(found(&store, &[]).await, [(0, false); 4]);
}
