//! What every course repository keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Stamp;
use lyceum_domain::authoring::courses::{Course, CourseAttachments, CourseChanges, CourseStatus};
use lyceum_domain::authoring::versions::waiting::{ChangeTarget, WaitingChange};
use lyceum_domain::drafting::generations::GenerationState;
use lyceum_domain::ids::{CourseId, WorkspaceId};
use lyceum_domain::json::Metadata;
use lyceum_domain::learning::enrollments::Enrollment;
use lyceum_domain::text::{LanguageTag, LongText};
use lyceum_ports::authoring::courses::{COHORTS_SHOWN, CourseFilter, ShownCourse, ShownGeneration};
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::{StoreError, Tx};
use serde_json::json;

cases![Stores:
    a_course_comes_back_as_it_was_stored,
    another_workspace_cannot_find_change_or_delete_it,
    a_change_is_stored_only_over_the_version_before_it,
    a_failed_transaction_leaves_nothing,
    pages_go_newest_first_through_everything_once,
    filters_narrow_and_take_wildcards_literally,
    courses_of_another_workspace_are_not_among_those_with_ids,
    a_course_is_shown_with_its_newest_cohorts_and_its_newest_generation,
    what_a_course_is_shown_with_changes_and_goes_as_it_does,
    of_many_cohorts_the_newest_are_shown,
    what_hangs_on_a_course_is_counted_for_that_course_alone,
];

/// Two workspaces, and the courses given.
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

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<Course> {
    store
        .read(move |tx| tx.courses().find(workspace, id(n)))
        .await
        .unwrap()
}

async fn ids(store: &OpenStore, filter: CourseFilter, page: PageRequest) -> Vec<CourseId> {
    let page = store
        .read(move |tx| tx.courses().page(here(), &filter, &page))
        .await
        .unwrap();
    page.items.iter().map(|shown| shown.course.id).collect()
}

async fn a_course_comes_back_as_it_was_stored(stores: &Stores) {
    let mut course = sample::course(here(), 10);
    course.description = LongText::parse("Long, «quoted» and 漢字\nin two lines").unwrap();
    course.language = LanguageTag::parse("pt-BR").unwrap();
    course.ai.evaluator = json!({"model": "m", "n": 1.5})
        .as_object()
        .cloned()
        .unwrap();
    course.tutor = json!({"deep": {"er": [null, true]}})
        .as_object()
        .cloned()
        .unwrap();
    course.metadata = Metadata::parse(json!({"k": "v"}).as_object().cloned().unwrap()).unwrap();
    let store = store_with(stores, vec![course.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(course));
}

async fn another_workspace_cannot_find_change_or_delete_it(stores: &Stores) {
    let course = sample::course(here(), 10);
    let store = store_with(stores, vec![course.clone()]).await;
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    let deleted = store
        .write(|tx| tx.courses().delete(elsewhere(), id(10)))
        .await
        .unwrap();
    assert!(!deleted);
    let mut moved = course.clone();
    moved.workspace_id = elsewhere();
    moved.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.courses().update(&moved)).await;
    assert!(matches!(update, Err(StoreError::Stale)), "{update:?}");
    assert_eq!(find(&store, here(), 10).await, Some(course));
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut course = sample::course(here(), 10);
    let store = store_with(stores, vec![course.clone()]).await;
    let changes = CourseChanges {
        name: Some(sample::name("New")),
        ..CourseChanges::default()
    };
    course.change(changes, sample::now()).unwrap();
    let (first, second) = (course.clone(), course.clone());
    store
        .write(move |tx| tx.courses().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.courses().update(&second)).await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    assert_eq!(find(&store, here(), 10).await, Some(course));
}

async fn a_failed_transaction_leaves_nothing(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let failed: Result<(), StoreError> = store
        .write(|tx| {
            tx.courses().insert(&sample::course(here(), 10))?;
            Err(StoreError::Stale)
        })
        .await;
    assert!(failed.is_err());
    assert_eq!(find(&store, here(), 10).await, None);
}

async fn pages_go_newest_first_through_everything_once(stores: &Stores) {
    let courses = (10..15).map(|n| sample::course(here(), n)).collect();
    let store = store_with(stores, courses).await;
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let wanted = page.clone();
        let got = store
            .read(move |tx| tx.courses().page(here(), &CourseFilter::default(), &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|shown| shown.course.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => break,
        }
    }
    let expected: Vec<CourseId> = (10..15).rev().map(id).collect();
    assert_eq!(seen, expected);
}

async fn filters_narrow_and_take_wildcards_literally(stores: &Stores) {
    let mut published = sample::course(here(), 10);
    published.status = CourseStatus::Published;
    let mut french = sample::course(here(), 11);
    french.language = LanguageTag::parse("fr").unwrap();
    french.name = sample::name("100% Cuisine_A à L'École");
    let store = store_with(
        stores,
        vec![published, french, sample::course(elsewhere(), 12)],
    )
    .await;
    let by = async |status: Option<CourseStatus>, language: Option<&str>, q: Option<&str>| {
        let filter = CourseFilter {
            status,
            language: language.map(str::to_owned),
        };
        ids(&store, filter, sample::searching(q)).await
    };
    assert_eq!(
        by(Some(CourseStatus::Published), None, None).await,
        [id(10)]
    );
    assert_eq!(by(None, Some("fr"), None).await, [id(11)]);
    assert_eq!(by(None, None, Some("cUISINE")).await, [id(11)]);
    assert_eq!(by(None, None, Some("0% c")).await, [id(11)]);
    assert_eq!(by(None, None, Some("l'École")).await, [id(11)]);
    assert_eq!(by(None, None, Some("%s%")).await, []);
    assert_eq!(by(None, None, Some("course_1")).await, []);
}

async fn courses_of_another_workspace_are_not_among_those_with_ids(stores: &Stores) {
    let store = store_with(
        stores,
        vec![sample::course(here(), 10), sample::course(elsewhere(), 11)],
    )
    .await;
    let found = store
        .read(|tx| tx.courses().with_ids(here(), &[id(10), id(11)]))
        .await
        .unwrap();
    assert_eq!(
        found.iter().map(|course| course.id).collect::<Vec<_>>(),
        [id(10)]
    );
}

/// A course with cohorts 20 and 21 and generations 30 and 31, a bare one, and another workspace's with the same ids.
async fn surrounded(stores: &Stores) -> OpenStore {
    let courses = vec![
        sample::course(here(), 10),
        sample::course(here(), 11),
        sample::course(elsewhere(), 10),
    ];
    let store = store_with(stores, courses).await;
    store
        .write(|tx| {
            for n in [21, 20] {
                tx.cohorts().insert(&people::cohort(here(), id(10), n))?;
                let mut generation = content::generation(here(), n + 10);
                generation.target_id = id::<lyceum_domain::ids::Course>(10).to_string();
                tx.generations().insert(&generation)?;
            }
            tx.cohorts()
                .insert(&people::cohort(elsewhere(), id(10), 25))
        })
        .await
        .unwrap();
    store
}

async fn a_course_is_shown_with_its_newest_cohorts_and_its_newest_generation(stores: &Stores) {
    let store = surrounded(stores).await;
    let rich = ShownCourse {
        course: sample::course(here(), 10),
        cohorts: vec![id(21), id(20)],
        generation: Some(ShownGeneration {
            id: id(31),
            status: "canceled".to_owned(),
        }),
    };
    let bare = ShownCourse {
        course: sample::course(here(), 11),
        cohorts: Vec::new(),
        generation: None,
    };
    let (one, none, page) = store
        .read(|tx| {
            let courses = tx.courses();
            let all = CourseFilter::default();
            Ok::<_, StoreError>((
                courses.shown(here(), &[id(10)])?,
                courses.shown(here(), &[])?,
                courses.page(here(), &all, &PageRequest::first(10))?.items,
            ))
        })
        .await
        .unwrap();
    assert_eq!((one, none), (vec![rich.clone()], vec![]));
    assert_eq!(page, [bare, rich]);
}

async fn what_a_course_is_shown_with_changes_and_goes_as_it_does(stores: &Stores) {
    let store = surrounded(stores).await;
    let shown = store
        .write(|tx| {
            let mut seen = Vec::new();
            let mut see = |tx: &mut dyn Tx| -> Result<(), StoreError> {
                let shown = tx.courses().shown(here(), &[id(10)])?.remove(0);
                let generation = shown.generation.map(|shown| (shown.id, shown.status));
                seen.push((shown.cohorts, generation));
                Ok(())
            };
            let mut newest = tx.generations().find(here(), id(31))?.unwrap();
            newest.state = GenerationState::Error {
                code: "provider_failed".to_owned(),
                message: "It failed.".to_owned(),
            };
            newest.stamp.touch(sample::now());
            tx.generations().update(&newest)?;
            see(tx)?;
            tx.generations().delete(here(), id(31))?;
            tx.cohorts().delete(here(), id(21))?;
            see(tx)?;
            // Whoever changes a course changes nothing of that.
            let mut course = tx.courses().find(here(), id(10))?.unwrap();
            course.stamp.touch(sample::now());
            tx.courses().update(&course)?;
            see(tx)?;
            tx.generations().delete(here(), id(30))?;
            tx.cohorts().delete(here(), id(20))?;
            see(tx)?;
            Ok::<_, StoreError>(seen)
        })
        .await
        .unwrap();
    let older = || (vec![id(20)], Some((id(30), "canceled".to_owned())));
    let expected = [
        (vec![id(21), id(20)], Some((id(31), "error".to_owned()))),
        older(),
        older(),
        (Vec::new(), None),
    ];
    assert_eq!(shown, expected);
}

async fn of_many_cohorts_the_newest_are_shown(stores: &Stores) {
    let store = store_with(stores, vec![sample::course(here(), 10)]).await;
    let most = u64::from(COHORTS_SHOWN);
    let shown = store
        .write(move |tx| {
            for n in 100..=100 + most {
                tx.cohorts().insert(&people::cohort(here(), id(10), n))?;
            }
            tx.courses().shown(here(), &[id(10)])
        })
        .await
        .unwrap();
    let newest: Vec<_> = (101..=100 + most).rev().map(id).collect();
    assert_eq!(shown[0].cohorts, newest);
}

async fn what_hangs_on_a_course_is_counted_for_that_course_alone(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            content::put_submissions(tx)?;
            for n in [1, 2] {
                tx.units().insert(&content::unit(id(n), n))?;
                tx.lessons().insert(&content::lesson(id(n), n))?;
                tx.activities().insert(&content::activity(id(n), n))?;
                let cohort = people::cohort(id(n), id(n), 10 + n);
                tx.cohorts().insert(&cohort)?;
                let enrollment = Enrollment::new(id(n), id(n), cohort.id, id(n), sample::now());
                tx.enrollments().insert(&enrollment)?;
                tx.scorm_packages()
                    .insert(&content::scorm_package(id(n), n))?;
            }
            let waits = ChangeTarget::Unit(id(1));
            tx.waiting_changes().insert(&WaitingChange {
                workspace_id: here(),
                of: waits,
                course_id: id(1),
                content: content::object(&json!({"name": "N"})),
                base: content::object(&json!({"name": "M"})),
                made_by: None,
                stamp: Stamp::new(sample::now()),
            })?;
            let targets = [
                id::<lyceum_domain::ids::Course>(1).to_string(),
                id::<lyceum_domain::ids::Unit>(1).to_string(),
                id::<lyceum_domain::ids::Lesson>(1).to_string(),
                id::<lyceum_domain::ids::Activity>(1).to_string(),
                id::<lyceum_domain::ids::Course>(9).to_string(),
            ];
            for (n, target) in (20..).zip(targets) {
                let mut generation = content::generation(here(), n);
                generation.target_id = target;
                tx.generations().insert(&generation)?;
            }
            tx.courses().insert(&sample::course(here(), 3))
        })
        .await
        .unwrap();
    let attachments = |workspace: WorkspaceId, n: u64| {
        store.read(move |tx| tx.courses().attachments(workspace, id(n)))
    };
    let expected = CourseAttachments {
        cohorts: 2,
        enrollments: 1,
        submissions: 1,
        generations: 4,
        scorm_packages: 1,
        waiting_changes: 1,
    };
    assert_eq!(attachments(here(), 1).await.unwrap(), expected);
    for (workspace, n) in [(here(), 3), (elsewhere(), 1)] {
        let none = attachments(workspace, n).await.unwrap();
        assert_eq!(none, CourseAttachments::default(), "{n}");
    }
}
