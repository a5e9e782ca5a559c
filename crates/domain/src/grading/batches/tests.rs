use rstest::rstest;

use super::*;
use crate::grading::grades::{GradeSource, Grader, Judgement};
use crate::money::MicroUsd;
use crate::points::Points;

fn now() -> Timestamp {
    Timestamp::parse("2026-11-25T08:00:00Z").unwrap()
}

fn id<K: crate::id::Identified>(number: u128) -> crate::Id<K> {
    crate::Id::from_uuid(uuid::Uuid::from_u128(number))
}

fn batch(state: BatchState) -> Batch {
    let grader = BatchGrader {
        rubric: Rubric::overall(),
        model: String::new(),
        is_usual: true,
        min_confidence: 0,
    };
    let ids = (id(1), id(2), id(3));
    let mut batch = Batch::new(
        ids,
        BatchKind::Regrade,
        BatchSelection::default(),
        grader,
        now(),
    );
    batch.state = state;
    batch
}

#[test]
fn every_request_moves_a_batch_from_its_states_alone_and_once() {
    use BatchState::{Committed, Committing, Ready, Running, Stopped, Undoing, Undone};
    type Ask = fn(&mut Batch) -> Result<bool, InvalidTransition>;
    type Move = (
        &'static str,
        Ask,
        &'static [BatchState],
        &'static [BatchState],
        BatchState,
    );
    let asks: [Move; 3] = [
        (
            "commit",
            |batch| batch.commit(vec![id(9)], now()),
            &[Ready],
            &[Committing, Committed],
            Committing,
        ),
        (
            "undo",
            |batch| batch.undo(now()),
            &[Committed],
            &[Undoing, Undone],
            Undoing,
        ),
        (
            "stop",
            |batch| batch.stop(now()),
            &[Running, Ready],
            &[Stopped],
            Stopped,
        ),
    ];
    for (name, ask, starts, again, end) in asks {
        for state in BatchState::ALL {
            let mut asked = batch(*state);
            let came = ask(&mut asked);
            if starts.contains(state) {
                assert_eq!((came, asked.state), (Ok(true), end), "{name} from {state}");
                assert!(asked.stamp.version > 1, "{name} from {state}");
            } else if again.contains(state) {
                assert_eq!((came, asked), (Ok(false), batch(*state)), "{name} again");
            } else {
                assert_eq!(came.unwrap_err().from, state.as_str(), "{name}");
                assert_eq!(asked, batch(*state), "{name}");
            }
        }
    }
}

#[test]
fn a_second_commit_names_nobody_anew() {
    let mut ready = batch(BatchState::Ready);
    ready.commit(vec![id(1)], now()).unwrap();
    ready.commit(vec![id(1), id(2)], now()).unwrap();
    assert_eq!(ready.replace, [id(1)]);
}

#[rstest]
#[case::nothing_over(0, 0, false)]
#[case::a_quarter(25, 1, true)]
#[case::almost_half(49, 1, true)]
#[case::three(75, 3, true)]
#[case::the_end_tells_itself(100, 3, true)]
fn each_quarter_is_told_once(#[case] ended: u64, #[case] told: u8, #[case] tells: bool) {
    let mut batch = batch(BatchState::Running);
    batch.collected(100, now());
    assert_eq!((batch.tells(ended, now()), batch.told), (tells, told));
    assert!(!batch.tells(ended, now()));
}

fn selectable() -> Selectable {
    Selectable {
        id: id(5),
        status: SubmissionStatus::Graded,
        cohort_id: Some(id(6)),
        blind: BlindGrading::NotAsked,
        is_stale: false,
    }
}

#[test]
fn what_a_selection_does_not_say_leaves_nobody_out_but_drafts_and_what_is_graded_blind() {
    let all = BatchSelection::default();
    assert!(all.takes(&selectable()));
    let blind = Selectable {
        blind: BlindGrading::Awaited,
        ..selectable()
    };
    assert!(!all.takes(&blind));
    let draft = Selectable {
        status: SubmissionStatus::Draft,
        ..selectable()
    };
    assert!(!all.takes(&draft));
}

#[rstest]
#[case::stale(BatchSelection { only_stale: true, ..Default::default() }, false)]
#[case::its_state(BatchSelection { status: Some(SubmissionStatus::Graded), ..Default::default() }, true)]
#[case::another_state(BatchSelection { status: Some(SubmissionStatus::InReview), ..Default::default() }, false)]
#[case::its_cohort(BatchSelection { cohort_id: Some(id(6)), ..Default::default() }, true)]
#[case::another_cohort(BatchSelection { cohort_id: Some(id(7)), ..Default::default() }, false)]
#[case::named(BatchSelection { submission_ids: vec![id(4), id(5)], ..Default::default() }, true)]
#[case::not_named(BatchSelection { submission_ids: vec![id(4)], ..Default::default() }, false)]
fn all_that_a_selection_says_must_hold(#[case] selection: BatchSelection, #[case] taken: bool) {
    assert_eq!(selection.takes(&selectable()), taken);
}

fn item(old: Option<i64>, new: i64, cost: Option<u64>) -> BatchItem {
    let mut item = BatchItem::of_submission(id(2), 0, id(5));
    let found = FoundGrade {
        score: old.map(Points::from_hundredths),
        by: Some(GradeSource::Ai),
        decided: old == Some(700),
        max_score: Points::whole(10),
        receipt: String::new(),
    };
    let preview = Preview {
        judgement: Judgement {
            criteria: Vec::new(),
            score: Points::from_hundredths(new),
            review_reasons: Vec::new(),
        },
        feedback: String::new(),
        grader: Grader::Ai {
            model: "m".to_owned(),
            prompt_version: "1".to_owned(),
            tokens_in: 1,
            tokens_out: 1,
            model_asked: "m".to_owned(),
            cost: cost.map(MicroUsd::new),
            latency_ms: 1,
            anchors: Vec::new(),
            reused_from: None,
        },
        grader_hash: String::new(),
        read_at: now(),
        answer: None,
        result_key: None,
        is_held: false,
    };
    item.graded(Some(found), preview);
    item
}

#[test]
fn a_summary_counts_what_changes_who_crosses_the_mark_and_what_it_took() {
    let items = [
        item(Some(400), 600, Some(5)),
        item(Some(500), 499, Some(5)),
        item(Some(700), 700, Some(5)),
        item(None, 300, Some(5)),
        BatchItem::of_submission(id(2), 4, id(6)),
    ];
    let summary = ChangeSummary::of(items.iter());
    assert_eq!((summary.compared, summary.changed, summary.new), (3, 2, 1));
    assert_eq!((summary.up, summary.down, summary.decided), (1, 1, 1));
    assert_eq!(summary.cost, Some(MicroUsd::new(20)));
    // 20, -0.1 and 0 of a hundred points.
    assert_eq!(summary.mean_change, Some(199_000 / 3));
    let filled: Vec<(usize, u32)> = (0..)
        .zip(summary.histogram)
        .filter(|(_, n)| *n > 0)
        .collect();
    assert_eq!(filled, [(9, 1), (10, 1), (12, 1)]);
}

#[test]
fn the_ends_of_the_histogram_take_what_is_further_out() {
    let items = [item(Some(1_000), 0, None), item(Some(0), 1_000, Some(1))];
    let summary = ChangeSummary::of(items.iter());
    assert_eq!((summary.histogram[0], summary.histogram[19]), (1, 1));
    assert_eq!(summary.cost, None, "one price is not known");
    assert_eq!(ChangeSummary::of([].iter()).mean_change, None);
}

#[test]
fn what_landed_and_is_left_at_the_undo_is_kept() {
    let mut item = item(Some(400), 600, None);
    item.leave(LeftBecause::Changed);
    assert_eq!(item.state, ItemState::Left);
    item.state = ItemState::Landed;
    item.leave(LeftBecause::Returned);
    assert_eq!(
        (item.state, item.left),
        (ItemState::Kept, Some(LeftBecause::Returned))
    );
}
