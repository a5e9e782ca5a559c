//! What every assignment repository keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::authoring::assignments::{
    Assignment, AssignmentChanges, HumanReview, MaxAttempts, Tone, Verbosity,
};
use lyceum_domain::authoring::release_terms::{AskedTerms, ReleaseScope, ReleaseTerms};
use lyceum_domain::ids::{AssignmentId, WorkspaceId};
use lyceum_domain::points::Points;
use lyceum_domain::text::LanguageTag;
use lyceum_ports::authoring::assignments::AssignmentFilter;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;
use serde_json::json;

cases![Stores:
    an_assignment_comes_back_as_it_was_stored,
    every_word_of_the_grading_configuration_comes_back,
    another_workspace_cannot_find_change_or_delete_it,
    a_change_is_stored_only_over_the_version_before_it,
    an_assignment_cannot_hang_on_anything_of_another_workspace,
    pages_go_newest_first_and_filters_narrow_them,
    a_course_has_its_assignments_oldest_first,
];

/// Two workspaces with a lesson each, a second course (3) here, and the assignments given.
async fn store_with(stores: &Stores, assignments: Vec<Assignment>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_lessons(tx)?;
            tx.courses().insert(&sample::course(here(), 3))?;
            assignments
                .iter()
                .try_for_each(|assignment| tx.assignments().insert(assignment))
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

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<Assignment> {
    store
        .read(move |tx| tx.assignments().find(workspace, id(n)))
        .await
        .unwrap()
}

/// Every id, page by page.
async fn walk(store: &OpenStore, filter: AssignmentFilter, limit: u16) -> Vec<AssignmentId> {
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(limit));
    loop {
        let (filter, wanted) = (filter.clone(), page.clone());
        let got = store
            .read(move |tx| tx.assignments().page(here(), &filter, &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|assignment| assignment.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => return seen,
        }
    }
}

/// Everything that can be set is.
fn full() -> Assignment {
    let mut assignment = content::assignment(here(), 10);
    assignment.place.unit_id = Some(id(1));
    assignment.place.lesson_id = Some(id(1));
    assignment.instructions = content::difficult_text();
    assignment.max_score = Points::from_hundredths(4_250);
    assignment.due_at = Some(content::later());
    assignment.max_attempts = Some(MaxAttempts::parse(3).unwrap());
    assignment.grading.rubric = Some(content::rubric());
    assignment.grading.ai_evaluator.enabled = true;
    assignment.grading.ai_evaluator.model = "model".into();
    assignment.grading.feedback.language = LanguageTag::parse("pt-BR").unwrap();
    assignment.metadata = content::metadata(&json!({"k": [1, null]}));
    assignment.stamp.touch(content::later());
    assignment
}

async fn an_assignment_comes_back_as_it_was_stored(stores: &Stores) {
    let plain = content::assignment(here(), 11);
    let store = store_with(stores, vec![full(), plain.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(full()));
    assert_eq!(find(&store, here(), 11).await, Some(plain));
}

/// Others for each tone; none for one of them.
fn release_terms(tone: Tone) -> Option<ReleaseTerms> {
    let place = Tone::ALL.iter().position(|one| *one == tone).unwrap();
    let scope = ReleaseScope::ALL.get(place)?;
    let asked = AskedTerms {
        max_disagreement: Some(10),
        points_share: Some(30),
        min_confidence: Some(40),
        scope: Some(*scope),
        audit_share: Some(7),
    };
    Some(ReleaseTerms::parse(&asked, "").unwrap())
}

async fn every_word_of_the_grading_configuration_comes_back(stores: &Stores) {
    let store = store_with(stores, vec![full()]).await;
    let mut assignment = full();
    let reviews = HumanReview::ALL.iter().cycle();
    let lengths = Verbosity::ALL.iter().cycle();
    for ((tone, review), verbosity) in Tone::ALL.iter().zip(reviews).zip(lengths) {
        assignment.grading.feedback.tone = *tone;
        assignment.grading.feedback.verbosity = *verbosity;
        assignment.grading.human_review = *review;
        assignment.grading.release = release_terms(*tone);
        assignment.late_policy = Some(content::late_policy());
        assignment.stamp.touch(content::later());
        let changed = assignment.clone();
        store
            .write(move |tx| tx.assignments().update(&changed))
            .await
            .unwrap();
        assert_eq!(find(&store, here(), 10).await, Some(assignment.clone()));
    }
}

async fn another_workspace_cannot_find_change_or_delete_it(stores: &Stores) {
    let store = store_with(stores, vec![full()]).await;
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    let deleted = store.write(|tx| tx.assignments().delete(elsewhere(), id(10)));
    assert!(!deleted.await.unwrap());
    let mut moved = full();
    moved.workspace_id = elsewhere();
    moved.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.assignments().update(&moved)).await;
    assert!(matches!(update, Err(StoreError::Stale)), "{update:?}");
    let listed = store.read(|tx| tx.assignments().of_course(elsewhere(), id(1)));
    assert_eq!(listed.await.unwrap(), []);
    assert_eq!(find(&store, here(), 10).await, Some(full()));
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut assignment = full();
    let store = store_with(stores, vec![assignment.clone()]).await;
    let changes = AssignmentChanges {
        due_at: Some(None),
        max_attempts: Some(None),
        ..AssignmentChanges::default()
    };
    assignment.change(changes, content::later()).unwrap();
    assignment.grading.rubric = None;
    let (first, second) = (assignment.clone(), assignment.clone());
    store
        .write(move |tx| tx.assignments().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.assignments().update(&second));
    assert!(matches!(again.await, Err(StoreError::Stale)));
    assert_eq!(find(&store, here(), 10).await, Some(assignment));
}

async fn an_assignment_cannot_hang_on_anything_of_another_workspace(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let (mut on_course, mut on_unit, mut on_lesson) = (
        content::assignment(elsewhere(), 10),
        content::assignment(elsewhere(), 10),
        content::assignment(elsewhere(), 10),
    );
    on_course.place.course_id = id(1);
    on_unit.place.unit_id = Some(id(1));
    on_lesson.place.lesson_id = Some(id(1));
    for assignment in [on_course, on_unit, on_lesson] {
        let insert = store.write(move |tx| tx.assignments().insert(&assignment));
        assert!(matches!(insert.await, Err(StoreError::Dangling)));
    }
}

async fn pages_go_newest_first_and_filters_narrow_them(stores: &Stores) {
    let mut of_unit = content::assignment(here(), 11);
    of_unit.place.unit_id = Some(id(1));
    let mut of_other = content::assignment(here(), 12);
    of_other.place.course_id = id(3);
    let foreign = content::assignment(elsewhere(), 14);
    let plain = content::assignment(here(), 13);
    let store = store_with(stores, vec![full(), of_unit, of_other, plain, foreign]).await;
    let by = |course: Option<u64>, unit: Option<u64>, lesson: Option<u64>| AssignmentFilter {
        course_id: course.map(id),
        unit_id: unit.map(id),
        lesson_id: lesson.map(id),
        among: None,
    };
    for (filter, expected) in [
        (by(None, None, None), vec![13, 12, 11, 10]),
        (by(Some(1), None, None), vec![13, 11, 10]),
        (by(Some(3), None, None), vec![12]),
        (by(None, Some(1), None), vec![11, 10]),
        (by(None, None, Some(1)), vec![10]),
        (by(Some(3), Some(1), None), vec![]),
    ] {
        let expected: Vec<AssignmentId> = expected.into_iter().map(id).collect();
        assert_eq!(
            walk(&store, filter.clone(), 2).await,
            expected,
            "{filter:?}"
        );
    }
}

async fn a_course_has_its_assignments_oldest_first(stores: &Stores) {
    let mut other = content::assignment(here(), 12);
    other.place.course_id = id(3);
    let assignments = vec![content::assignment(here(), 13), other, full()];
    let store = store_with(stores, assignments).await;
    let found = store
        .read(|tx| tx.assignments().of_course(here(), id(1)))
        .await
        .unwrap();
    let found: Vec<AssignmentId> = found.iter().map(|assignment| assignment.id).collect();
    assert_eq!(found, [10, 13].map(id));
}
