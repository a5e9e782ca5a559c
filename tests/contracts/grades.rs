//! What every grade repository keeps to.

use crate::cases::cases;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::grading::grades::{Grade, GradeStatus, Grader};
use lyceum_domain::grading::receipts::Kept;
use lyceum_domain::ids::{GradeId, WorkspaceId};
use lyceum_domain::points::Points;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;

cases![Stores:
    a_record_comes_back_as_it_was_appended,
    a_run_has_one_record_and_a_person_as_many_as_they_like,
    a_record_cannot_name_a_submission_of_another_workspace,
    superseding_touches_what_counted_or_was_proposed_for_this_submission,
    pages_go_newest_first_and_stay_in_the_workspace,
    a_page_may_be_of_one_state_alone,
    everything_below_a_course_goes_with_it,
];

/// Two workspaces with a submission each, a second submission (3) here, and the records given.
async fn store_with(stores: &Stores, grades: Vec<Grade>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_submissions(tx)?;
            let mut second = content::submission(here(), 3);
            second.attempt = 2;
            tx.submissions().insert(&second)?;
            grades
                .iter()
                .try_for_each(|grade| tx.grades().append(grade, &Kept::default()))
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

fn of_submission_3(n: u64) -> Grade {
    let mut grade = content::grade(here(), n);
    grade.submission_id = id(3);
    grade
}

fn with_status(n: u64, status: GradeStatus) -> Grade {
    let mut grade = content::grade(here(), n);
    grade.status = status;
    grade
}

fn by_person(n: u64) -> Grade {
    let mut grade = content::grade(here(), n);
    grade.run = 0;
    grade.grader = Grader::Human {
        user_id: id(77),
        blind: false,
    };
    grade
}

/// Every record of the submission, page by page.
async fn walk(store: &OpenStore, workspace: WorkspaceId, submission: u64) -> Vec<Grade> {
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let wanted = page.clone();
        let got = store
            .read(move |tx| tx.grades().page(workspace, id(submission), None, &wanted))
            .await
            .unwrap();
        seen.extend(got.items);
        match got.next {
            Some(after) => page.after = Some(after),
            None => return seen,
        }
    }
}

async fn append(store: &OpenStore, grade: Grade) -> Result<(), StoreError> {
    store
        .write(move |tx| tx.grades().append(&grade, &Kept::default()))
        .await
}

async fn a_record_comes_back_as_it_was_appended(stores: &Stores) {
    let mut by_ai = content::grade(here(), 10);
    by_ai.status = GradeStatus::Suggested;
    by_ai.score = Points::from_hundredths(4_133);
    by_ai.max_score = Points::from_hundredths(4_250);
    by_ai.rubric_hash = content::rubric().hash();
    by_ai.criteria = content::criteria();
    by_ai.feedback = content::difficult_text().to_string();
    by_ai.grader = Grader::Ai {
        model: "model".to_owned(),
        prompt_version: "2026-11".to_owned(),
        tokens_in: 1_234,
        tokens_out: u64::from(u32::MAX) + 1,
        model_asked: "model".to_owned(),
        cost: None,
        latency_ms: 1,
        anchors: Vec::new(),
        reused_from: Some(id(1)),
    };
    by_ai.created_at = content::later();
    let mut by_person = by_person(11);
    by_person.status = GradeStatus::Superseded;
    by_person.reason = Some("too «strict»".to_owned());
    let store = store_with(stores, vec![by_ai.clone(), by_person.clone()]).await;
    assert_eq!(walk(&store, here(), 1).await, [by_person, by_ai]);
}

async fn a_run_has_one_record_and_a_person_as_many_as_they_like(stores: &Stores) {
    let store = store_with(stores, vec![content::grade(here(), 10), by_person(11)]).await;
    let mut again = content::grade(here(), 12);
    again.run = 10;
    let again = append(&store, again).await;
    assert!(
        matches!(again, Err(StoreError::Taken { field: "run" })),
        "{again:?}"
    );
    let mut of_another = of_submission_3(13);
    of_another.run = 10;
    append(&store, of_another).await.unwrap();
    append(&store, by_person(14)).await.unwrap();
}

async fn a_record_cannot_name_a_submission_of_another_workspace(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut grade = content::grade(elsewhere(), 10);
    grade.submission_id = id(1);
    let refused = append(&store, grade).await;
    assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
}

async fn superseding_touches_what_counted_or_was_proposed_for_this_submission(stores: &Stores) {
    let grades = vec![
        with_status(10, GradeStatus::Superseded),
        with_status(11, GradeStatus::Suggested),
        with_status(12, GradeStatus::Final),
        of_submission_3(13),
    ];
    let store = store_with(stores, grades).await;
    store
        .write(|tx| {
            tx.grades().supersede(elsewhere(), id(1))?;
            tx.grades().supersede(elsewhere(), id(3))
        })
        .await
        .unwrap();
    assert_eq!(
        walk(&store, here(), 1).await[0],
        with_status(12, GradeStatus::Final)
    );
    store
        .write(|tx| tx.grades().supersede(here(), id(1)))
        .await
        .unwrap();
    let expected = [12, 11, 10].map(|n| with_status(n, GradeStatus::Superseded));
    assert_eq!(walk(&store, here(), 1).await, expected);
    assert_eq!(walk(&store, here(), 3).await, [of_submission_3(13)]);
}

async fn pages_go_newest_first_and_stay_in_the_workspace(stores: &Stores) {
    let mut grades: Vec<Grade> = (10..15).map(|n| content::grade(here(), n)).collect();
    grades.push(of_submission_3(15));
    let store = store_with(stores, grades).await;
    let ids = |grades: Vec<Grade>| grades.iter().map(|grade| grade.id).collect::<Vec<_>>();
    let expected: Vec<GradeId> = (10..15).rev().map(id).collect();
    assert_eq!(ids(walk(&store, here(), 1).await), expected);
    assert_eq!(walk(&store, elsewhere(), 1).await, []);
}

async fn a_page_may_be_of_one_state_alone(stores: &Stores) {
    let grades = vec![
        with_status(10, GradeStatus::Superseded),
        with_status(11, GradeStatus::Final),
        with_status(12, GradeStatus::Suggested),
    ];
    let store = store_with(stores, grades).await;
    let counts = store
        .read(|tx| {
            let page = PageRequest::first(1);
            tx.grades()
                .page(here(), id(1), Some(GradeStatus::Final), &page)
        })
        .await
        .unwrap();
    assert_eq!(counts.items, [with_status(11, GradeStatus::Final)]);
    assert_eq!(counts.next, None);
}

async fn everything_below_a_course_goes_with_it(stores: &Stores) {
    let store = store_with(stores, vec![content::grade(here(), 10)]).await;
    store
        .write(|tx| {
            tx.units().insert(&content::unit(here(), 1))?;
            tx.lessons().insert(&content::lesson(here(), 1))?;
            tx.activities().insert(&content::activity(here(), 1))?;
            tx.scorm_packages()
                .insert(&content::scorm_package(here(), 1))?;
            assert!(tx.courses().delete(here(), id(1))?);
            Ok(())
        })
        .await
        .unwrap();
    let left = store
        .read(|tx| {
            let first = PageRequest::first(100);
            Ok([
                tx.units().find(here(), id(1))?.is_some(),
                tx.lessons().find(here(), id(1))?.is_some(),
                tx.activities().find(here(), id(1))?.is_some(),
                tx.assignments().find(here(), id(1))?.is_some(),
                tx.submissions().find(here(), id(1))?.is_some(),
                tx.submissions().find(here(), id(3))?.is_some(),
                !tx.grades()
                    .page(here(), id(1), None, &first)?
                    .items
                    .is_empty(),
                tx.scorm_packages().find(here(), id(1))?.is_some(),
                tx.submissions().find(elsewhere(), id(2))?.is_none(),
            ])
        })
        .await
        .unwrap();
    assert_eq!(left, [false; 9]);
}
