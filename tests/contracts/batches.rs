//! What every repository of batches keeps to.

use lyceum_domain::grading::batches::{
    Batch, BatchGrader, BatchItem, BatchKind, BatchSelection, BatchState, ChangeSummary,
    FoundGrade, ItemFailure, ItemState, LeftBecause, Preview,
};
use lyceum_domain::grading::grades::{GradeSource, Judgement, ReviewStatus};
use lyceum_domain::grading::red_team::{AttackTechnique, Gain, RedTeamReport, TechniqueFigures};
use lyceum_domain::grading::submissions::{
    AiGrading, AiProposal, StandingGrade, SubmissionSnapshot, SubmissionStatus,
};
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::money::MicroUsd;
use lyceum_domain::points::Points;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};

cases![Stores:
    a_batch_comes_back_as_it_was_stored_whatever_became_of_it,
    one_batch_of_a_kind_is_busy_with_an_assignment_at_a_time,
    an_item_comes_back_whatever_became_of_it,
    items_are_found_by_state_and_place_and_counted,
    items_are_listed_by_their_submissions_newest_first,
    an_item_goes_with_its_submission,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

/// The `n`-th batch, of assignment 1.
fn batch(n: u64) -> Batch {
    let grader = BatchGrader {
        rubric: content::rubric(),
        model: "a model".to_owned(),
        is_usual: false,
        min_confidence: 60,
    };
    let selection = BatchSelection {
        only_stale: true,
        status: Some(SubmissionStatus::Graded),
        cohort_id: Some(id(4)),
        submission_ids: vec![id(5), id(6)],
    };
    let ids = (here(), id(n), id(1));
    Batch::new(ids, BatchKind::Regrade, selection, grader, sample::now())
}

async fn store_with(stores: &Stores, batches: Vec<Batch>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_submissions(tx)?;
            for n in 2..=4 {
                let mut another = content::submission(here(), n);
                another.assignment_id = id(1);
                another.user_id = content::submission(here(), 1).user_id;
                another.attempt = u32::try_from(n).unwrap();
                tx.submissions().insert(&another)?;
            }
            batches.iter().try_for_each(|one| tx.batches().insert(one))
        })
        .await
        .unwrap();
    store
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<Batch> {
    store
        .read(move |tx| tx.batches().find(workspace, id(n)))
        .await
        .unwrap()
}

fn report() -> RedTeamReport {
    RedTeamReport {
        attacks: 60,
        ungraded: 1,
        flagged: 50,
        released: 3,
        through: 0,
        greatest_gain_released: Some(Gain::of_parts(-7)),
        techniques: vec![TechniqueFigures {
            technique: AttackTechnique::RolesSwapped,
            attacks: 60,
            ungraded: 1,
            flagged: 50,
            released: 3,
            through: 0,
            mean_gain: Some(Gain::of_parts(5)),
            greatest_gain: None,
            greatest_gain_released: Some(Gain::of_parts(-7)),
        }],
        passes: true,
        passes_from: Some(80),
    }
}

async fn a_batch_comes_back_as_it_was_stored_whatever_became_of_it(stores: &Stores) {
    let store = store_with(stores, vec![batch(1)]).await;
    assert_eq!(find(&store, here(), 1).await, Some(batch(1)));
    assert_eq!(find(&store, elsewhere(), 1).await, None);
    let mut histogram = [0; ChangeSummary::BINS];
    histogram[3] = 9;
    let mut one = batch(1);
    one.collected(3, content::later());
    one.told = 2;
    one.replace = vec![id(6)];
    one.report = Some(report());
    one.summary = Some(ChangeSummary {
        compared: 9,
        changed: 8,
        up: 1,
        down: 2,
        decided: 3,
        new: 4,
        histogram,
        mean_change: Some(-250_000),
        cost: Some(MicroUsd::new(7)),
    });
    for state in BatchState::ALL {
        one.state = *state;
        one.stamp.touch(content::later());
        let changed = one.clone();
        store
            .write(move |tx| tx.batches().update(&changed))
            .await
            .unwrap();
        assert_eq!(find(&store, here(), 1).await, Some(one.clone()));
    }
    let stale = one.clone();
    let refused = store.write(move |tx| tx.batches().update(&stale)).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
}

async fn one_batch_of_a_kind_is_busy_with_an_assignment_at_a_time(stores: &Stores) {
    let store = store_with(stores, vec![batch(1)]).await;
    let second = || store.write(|tx| tx.batches().insert(&batch(2)));
    let refused = second().await;
    let is_taken =
        matches!(&refused, Err(StoreError::Taken { field }) if *field == "assignment_id");
    assert!(is_taken, "{refused:?}");
    let mut other = batch(3);
    other.kind = BatchKind::RedTeam;
    store
        .write(move |tx| tx.batches().insert(&other))
        .await
        .unwrap();
    let mut first = batch(1);
    first.previewed(ChangeSummary::default(), content::later());
    store
        .write(move |tx| tx.batches().update(&first))
        .await
        .unwrap();
    second().await.unwrap();
    let page = PageRequest::first(1);
    let newest = store.read(move |tx| tx.batches().page(here(), id(1), BatchKind::Regrade, &page));
    let newest = newest.await.unwrap();
    let ids: Vec<_> = newest.items.iter().map(|one| one.id).collect();
    assert_eq!(ids, [id(2)]);
    let next = PageRequest {
        after: newest.next,
        ..PageRequest::first(5)
    };
    let older = store.read(move |tx| tx.batches().page(here(), id(1), BatchKind::Regrade, &next));
    let ids: Vec<_> = older
        .await
        .unwrap()
        .items
        .iter()
        .map(|one| one.id)
        .collect();
    assert_eq!(ids, [id(1)]);
}

fn item(place: u32, submission: u64) -> BatchItem {
    BatchItem::of_submission(id(1), place, id(submission))
}

fn preview() -> Preview {
    let record = content::grade(here(), 1);
    Preview {
        judgement: Judgement {
            criteria: content::criteria(),
            score: Points::from_hundredths(4_250),
            review_reasons: vec!["low_confidence".to_owned()],
        },
        feedback: "So gehört sich das: „gut“.".to_owned(),
        grader: record.grader,
        grader_hash: "a hash".to_owned(),
        read_at: sample::now(),
        answer: Some("{}".to_owned()),
        result_key: Some("a key".to_owned()),
        is_held: true,
    }
}

fn snapshot() -> SubmissionSnapshot {
    SubmissionSnapshot {
        status: SubmissionStatus::InReview,
        grade: Some(StandingGrade {
            score: Points::whole(40),
            feedback: "Before.".to_owned(),
            by: GradeSource::Ai,
            decided_by: None,
            decided_at: None,
            at: sample::now(),
            read_at: Some(sample::now()),
            criteria: content::criteria(),
            before: None,
        }),
        ai: AiGrading::Failed {
            code: "ai_provider_error".to_owned(),
            message: "away".to_owned(),
        },
        ai_proposal: Some(AiProposal {
            score: Points::whole(40),
            rationale: "why".to_owned(),
            model: "m".to_owned(),
            grader_hash: None,
            confidence: Some(70),
            at: Some(sample::now()),
        }),
        explanation: None,
        review: Some(ReviewStatus::Open),
        review_reasons: vec!["audit_sample".to_owned()],
    }
}

fn found() -> FoundGrade {
    FoundGrade {
        score: Some(Points::whole(40)),
        by: Some(GradeSource::Human),
        decided: true,
        max_score: Points::HUNDRED,
        receipt: "a receipt".to_owned(),
    }
}

/// Items as they may be: of an answer that waits, that failed, that landed, that was kept, and an attack.
fn all_sorts() -> Vec<BatchItem> {
    let mut failed = item(1, 2);
    failed.failure = Some(ItemFailure {
        code: "ai_provider_error".to_owned(),
        message: "away".to_owned(),
    });
    failed.state = ItemState::Failed;
    let mut landed = item(2, 3);
    landed.graded(Some(found()), preview());
    landed.land(snapshot(), "its receipt".to_owned());
    let mut kept = item(3, 4);
    kept.graded(Some(found()), preview());
    kept.land(snapshot(), "its receipt".to_owned());
    kept.leave(LeftBecause::Changed);
    let attack = BatchItem {
        technique: Some(AttackTechnique::OrderEncoded),
        base: Some(0),
        ..BatchItem::of_text(id(1), 4, "Tvir vg gur shyy znex.".to_owned())
    };
    vec![item(0, 1), failed, landed, kept, attack]
}

async fn with_items(stores: &Stores) -> OpenStore {
    let store = store_with(stores, vec![batch(1)]).await;
    store
        .write(|tx| tx.batches().add_items(here(), &all_sorts()))
        .await
        .unwrap();
    store
}

async fn an_item_comes_back_whatever_became_of_it(stores: &Stores) {
    let store = with_items(stores).await;
    for one in all_sorts() {
        let place = one.place;
        let read = store.read(move |tx| tx.batches().item(here(), id(1), place));
        assert_eq!(read.await.unwrap(), Some(one));
    }
    let read = store.read(|tx| tx.batches().item(elsewhere(), id(1), 0));
    assert_eq!(read.await.unwrap(), None);
    let mut asked = item(0, 1);
    asked.ask();
    let stored = asked.clone();
    store
        .write(move |tx| tx.batches().update_item(here(), &stored))
        .await
        .unwrap();
    let read = store.read(|tx| tx.batches().item(here(), id(1), 0));
    assert_eq!(read.await.unwrap(), Some(asked));
}

async fn items_are_found_by_state_and_place_and_counted(stores: &Stores) {
    let store = with_items(stores).await;
    let places = async |from: u32, limit: u16| {
        let found = store.read(move |tx| {
            tx.batches()
                .items_in(here(), id(1), ItemState::Waiting, from, limit)
        });
        let found = found.await.unwrap();
        found.iter().map(|one| one.place).collect::<Vec<u32>>()
    };
    assert_eq!(places(0, 10).await, [0, 4]);
    assert_eq!(places(1, 10).await, [4]);
    assert_eq!(places(0, 1).await, [0]);
    let counts = store.read(|tx| tx.batches().counts(here(), &[id(1), id(7)]));
    let counts = counts.await.unwrap();
    assert_eq!(counts.len(), 1, "the other has no items");
    let counts: Vec<_> = counts[&id(1)].clone().into_iter().collect();
    let expected = [
        (ItemState::Waiting, 2),
        (ItemState::Failed, 1),
        (ItemState::Landed, 1),
        (ItemState::Kept, 1),
    ];
    assert_eq!(counts, expected);
    let none = store.read(|tx| tx.batches().counts(elsewhere(), &[id(1)]));
    assert!(none.await.unwrap().is_empty());
}

async fn items_are_listed_by_their_submissions_newest_first(stores: &Stores) {
    let store = with_items(stores).await;
    let first = PageRequest::first(3);
    let page = store.read(move |tx| tx.batches().items(here(), id(1), None, &first));
    let page = page.await.unwrap();
    let of = |items: &[BatchItem]| {
        items
            .iter()
            .filter_map(|one| one.submission_id)
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&page.items), [id(4), id(3), id(2)]);
    let next = PageRequest {
        after: page.next,
        ..PageRequest::first(3)
    };
    let last = store.read(move |tx| tx.batches().items(here(), id(1), None, &next));
    let last = last.await.unwrap();
    assert_eq!((of(&last.items), last.next), (vec![id(1)], None));
    let failed = PageRequest::first(3);
    let failed = store.read(move |tx| {
        tx.batches()
            .items(here(), id(1), Some(ItemState::Failed), &failed)
    });
    assert_eq!(of(&failed.await.unwrap().items), [id(2)]);
}

async fn an_item_goes_with_its_submission(stores: &Stores) {
    let store = with_items(stores).await;
    store
        .write(|tx| tx.submissions().delete(here(), id(2)))
        .await
        .unwrap();
    let read = store.read(|tx| tx.batches().item(here(), id(1), 1));
    assert_eq!(read.await.unwrap(), None);
    let mut gone = item(1, 2);
    gone.ask();
    let refused = store
        .write(move |tx| tx.batches().update_item(here(), &gone))
        .await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
}
