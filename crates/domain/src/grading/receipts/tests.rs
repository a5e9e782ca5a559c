use super::*;
use crate::authoring::rubric::Rubric;
use crate::grading::grades::{Evidence, GradeStatus};
use crate::points::Points;
use crate::{Id, Timestamp};
use uuid::Uuid;

const TEXT: &str = "Wash your hands.";

fn id<K>(n: u128) -> Id<K> {
    Id::from_uuid(Uuid::from_u128(n))
}

fn kept() -> Kept {
    Kept {
        rubric: Some(Rubric::overall().canonical()),
        answer: Some("{\"points\":70}".to_owned()),
        result_key: None,
        tombstone: None,
    }
}

/// The `n`-th record, judged by AI, without a receipt yet.
fn bare(n: u128) -> Grade {
    Grade {
        workspace_id: id(1),
        id: id(n),
        submission_id: id(2),
        run: 1,
        status: GradeStatus::Final,
        score: Points::from_hundredths(7_050),
        max_score: Points::HUNDRED,
        rubric_hash: Rubric::overall().hash(),
        criteria: vec![CriterionResult {
            criterion_id: "overall".to_owned(),
            name: "Overall".to_owned(),
            level_id: None,
            score: Points::from_hundredths(7_050),
            max_score: Points::HUNDRED,
            rationale: "Says what to do.".to_owned(),
            evidence: vec![Evidence {
                start: 0,
                end: 4,
                quote: "Wash".to_owned(),
            }],
            confidence: Some(80),
            missing: vec!["for how long".to_owned()],
            not_judged: None,
        }],
        feedback: "Good.".to_owned(),
        review_reasons: Vec::new(),
        grader: Grader::Ai {
            model: "m-2026-11-01".to_owned(),
            prompt_version: "grade-1".to_owned(),
            tokens_in: 900,
            tokens_out: 120,
            model_asked: "m".to_owned(),
            cost: Some(MicroUsd::new(4_200)),
            latency_ms: 1_250,
            anchors: Vec::new(),
            reused_from: None,
        },
        reason: None,
        created_at: Timestamp::from_unix_millis(1_795_000_000_000),
        receipt: None,
    }
}

/// Three sealed records, and the head they leave.
fn chain() -> (Vec<(Grade, Kept)>, ChainHead) {
    let mut head = ChainHead::default();
    let mut records = Vec::new();
    for n in 10..13 {
        let grade = bare(n).sealed(&head, TEXT, &kept());
        head = head_after(&grade);
        records.push((grade, kept()));
    }
    (records, head)
}

fn head_after(grade: &Grade) -> ChainHead {
    let receipt = grade.receipt.clone().unwrap();
    ChainHead {
        sequence: receipt.sequence,
        hash: receipt.hash,
    }
}

fn broken(n: Option<u128>, sequence: Option<u32>, reason: BreakReason) -> Broken {
    Broken {
        grade_id: n.map(id),
        sequence,
        reason,
    }
}

/// The example of the documentation: whoever reads the format there comes to the same hash.
#[test]
fn the_documented_example_is_what_is_hashed() {
    let grade = bare(10).sealed(&ChainHead::default(), TEXT, &kept());
    let receipt = grade.receipt.clone().unwrap();
    let canonical = super::canonical(&form(&grade, &receipt));
    let documented: Value = serde_json::from_str(include_str!("example.json")).unwrap();
    assert_eq!(canonical, super::canonical(&documented));
    assert_eq!(receipt.hash, hash_of(&canonical));
    assert_eq!(receipt.hash, EXAMPLE_HASH);
}

const EXAMPLE_HASH: &str = "3417a7429263a5775facc849de10261ae315e2728f2c360b9d687ccf152f8655";

#[test]
fn what_was_sealed_holds_in_any_order() {
    let (mut records, head) = chain();
    records.reverse();
    let found = verify(TEXT, &head, &records);
    assert!(found.holds(), "{found:?}");
    assert_eq!((found.records, found.unsealed), (3, 0));
}

#[test]
fn being_superseded_changes_no_receipt() {
    let (mut records, head) = chain();
    records[0].0.status = GradeStatus::Superseded;
    assert!(verify(TEXT, &head, &records).holds());
}

#[test]
fn records_older_than_receipts_are_passed_over() {
    let (mut records, head) = chain();
    records.push((bare(3), Kept::default()));
    let found = verify(TEXT, &head, &records);
    assert_eq!((found.holds(), found.unsealed), (true, 1));
    let none = verify(TEXT, &ChainHead::default(), &[(bare(3), Kept::default())]);
    assert_eq!((none.holds(), none.unsealed), (true, 1));
}

type Tamper = fn(&mut Grade);

#[test]
fn a_changed_member_is_noticed() {
    let cases: &[(&str, Tamper)] = &[
        ("score", |grade| grade.score = Points::HUNDRED),
        ("max_score", |grade| grade.max_score = Points::whole(200)),
        ("feedback", |grade| grade.feedback.push('!')),
        ("reason", |grade| grade.reason = Some("so".to_owned())),
        ("reasons", |grade| {
            grade.review_reasons.push("blank".to_owned());
        }),
        ("run", |grade| grade.run = 9),
        ("rationale", |grade| grade.criteria[0].rationale.clear()),
        ("quote", |grade| grade.criteria[0].evidence[0].quote.clear()),
        ("missing", |grade| grade.criteria[0].missing.clear()),
        ("grader", |grade| {
            grade.grader = Grader::Human {
                user_id: id(7),
                blind: false,
            }
        }),
        ("created", |grade| {
            grade.created_at = Timestamp::from_unix_millis(1);
        }),
        ("rubric_hash", |grade| grade.rubric_hash.clear()),
        ("text_hash", |grade| receipt(grade).text_hash.clear()),
        ("answer_hash", |grade| receipt(grade).answer_hash = None),
        ("previous", |grade| receipt(grade).previous.clear()),
        ("sequence", |grade| receipt(grade).sequence = 9),
        ("hash", |grade| receipt(grade).hash.clear()),
    ];
    for (name, tamper) in cases {
        let (mut records, head) = chain();
        tamper(&mut records[2].0);
        let found = verify(TEXT, &head, &records).first_broken.unwrap();
        assert_eq!(
            (found.grade_id, found.reason),
            (Some(id(12)), BreakReason::RecordChanged),
            "{name}"
        );
    }
}

fn receipt(grade: &mut Grade) -> &mut Receipt {
    grade.receipt.as_mut().unwrap()
}

#[test]
fn what_a_record_rests_on_is_held_against_it() {
    let (records, head) = chain();
    let first = |text: &str, records: &[(Grade, Kept)]| verify(text, &head, records).first_broken;
    let changed = first("Wash your feet.", &records);
    assert_eq!(
        changed,
        Some(broken(Some(10), Some(1), BreakReason::TextChanged))
    );
    let mut other = records.clone();
    other[1].1.rubric = None;
    let changed = first(TEXT, &other);
    assert_eq!(
        changed,
        Some(broken(Some(11), Some(2), BreakReason::RubricChanged))
    );
    let mut other = records;
    other[1].1.answer = Some("{}".to_owned());
    let changed = first(TEXT, &other);
    assert_eq!(
        changed,
        Some(broken(Some(11), Some(2), BreakReason::AnswerChanged))
    );
}

#[test]
fn a_record_taken_away_leaves_a_gap_wherever_it_stood() {
    for (gone, place) in [(0, Some(11)), (1, Some(12)), (2, None)] {
        let (mut records, head) = chain();
        records.remove(gone);
        let sequence = u32::try_from(gone + 1).unwrap();
        let expected = Some(broken(place, Some(sequence), BreakReason::RecordMissing));
        assert_eq!(verify(TEXT, &head, &records).first_broken, expected);
    }
    let (_, head) = chain();
    let all = verify(TEXT, &head, &[]).first_broken;
    assert_eq!(all, Some(broken(None, Some(1), BreakReason::RecordMissing)));
}

#[test]
fn a_record_sealed_anew_no_longer_fits_its_neighbours() {
    let (mut records, head) = chain();
    let mut forged = bare(11);
    forged.score = Points::HUNDRED;
    let before = head_after(&records[0].0);
    records[1].0 = forged.sealed(&before, TEXT, &kept());
    let found = verify(TEXT, &head, &records).first_broken;
    assert_eq!(
        found,
        Some(broken(Some(12), Some(3), BreakReason::LinkBroken))
    );
    let (mut records, head) = chain();
    let mut forged = bare(12);
    forged.score = Points::HUNDRED;
    let before = head_after(&records[1].0);
    records[2].0 = forged.sealed(&before, TEXT, &kept());
    let found = verify(TEXT, &head, &records).first_broken;
    assert_eq!(
        found,
        Some(broken(Some(12), Some(3), BreakReason::LinkBroken))
    );
}

#[test]
fn a_record_without_a_receipt_after_the_first_that_has_one_is_named() {
    let (mut records, head) = chain();
    records[1].0.receipt = None;
    let found = verify(TEXT, &head, &records).first_broken;
    assert_eq!(
        found,
        Some(broken(Some(11), None, BreakReason::RecordChanged))
    );
    let (mut records, head) = chain();
    records.push((bare(20), Kept::default()));
    let found = verify(TEXT, &head, &records).first_broken;
    assert_eq!(
        found,
        Some(broken(Some(20), None, BreakReason::RecordChanged))
    );
}

/// All records of a chain as they are after their person was erased.
fn erased(records: Vec<(Grade, Kept)>) -> Vec<(Grade, Kept)> {
    let records = records.into_iter();
    records.map(|(grade, kept)| grade.erased(kept)).collect()
}

#[test]
fn an_erased_chain_holds_without_a_word_of_it() {
    let (records, head) = chain();
    let records = erased(records);
    let text = format!("{records:?}");
    for word in [
        "Says what to do",
        "Wash",
        "Good.",
        "for how long",
        "points\\\":70",
    ] {
        assert!(!text.contains(word), "{word}");
    }
    let found = verify("", &head, &records);
    assert!(found.holds(), "{found:?}");
    assert_eq!((found.records, found.unsealed, found.erased), (3, 0, 3));
    // Doing it again changes nothing.
    assert_eq!(erased(records.clone()), records);
}

#[test]
fn an_erased_record_still_cannot_change() {
    let (records, head) = chain();
    let mut records = erased(records);
    records[1].0.score = Points::HUNDRED;
    let found = verify("", &head, &records).first_broken;
    let expected = broken(Some(11), Some(2), BreakReason::RecordChanged);
    assert_eq!(found, Some(expected));
}

#[test]
fn an_erased_record_cannot_be_taken_away_or_replaced() {
    let (records, head) = chain();
    let mut records = erased(records);
    records.remove(1);
    let reason = |text: &str, records: &[(Grade, Kept)]| {
        let broken = verify(text, &head, records).first_broken;
        broken.unwrap().reason
    };
    assert_eq!(reason("", &records), BreakReason::RecordMissing);
    let (mut records, _) = chain();
    records[1].1.tombstone = Some(hash_of("mine"));
    assert_eq!(reason(TEXT, &records), BreakReason::RecordChanged);
}

#[test]
fn what_is_graded_after_an_erasure_follows_it() {
    let (records, head) = chain();
    let mut records = erased(records);
    let next = bare(13).sealed(&head, "", &kept());
    let head = head_after(&next);
    records.push((next, kept()));
    let found = verify("", &head, &records);
    assert!(found.holds(), "{found:?}");
    assert_eq!((found.records, found.erased), (4, 3));
}
