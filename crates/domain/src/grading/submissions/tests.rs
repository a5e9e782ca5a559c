use super::*;
use crate::Id;
use crate::authoring::assignments::HumanReview;
use crate::authoring::late_policy::{AskedLatePolicy, LatePolicy};
use rstest::rstest;
use std::time::Duration;
use uuid::Uuid;

fn now() -> Timestamp {
    Timestamp::from_unix_millis(1_000)
}

fn teacher() -> UserId {
    Id::from_uuid(Uuid::from_u128(7))
}

fn submission() -> Submission {
    let frame = SubmissionFrame {
        workspace_id: Id::from_uuid(Uuid::nil()),
        id: Id::from_uuid(Uuid::nil()),
        course_id: Id::from_uuid(Uuid::nil()),
        user_id: Id::from_uuid(Uuid::nil()),
        attempt: 1,
        max_score: Points::HUNDRED,
        assignment_version: 1,
        due: Some(DueTerms {
            due_at: Timestamp::from_unix_millis(0),
            late_policy: None,
        }),
    };
    let new = NewSubmission {
        assignment_id: Id::from_uuid(Uuid::nil()),
        cohort_id: None,
        content: SubmissionContent::Text(LongText::parse("text").unwrap()),
        draft: false,
        metadata: Metadata::default(),
    };
    Submission::new(frame, new, now())
}

fn judged(score: u16, reasons: &[&str]) -> Judgement {
    Judgement {
        criteria: Vec::new(),
        score: Points::whole(score),
        review_reasons: reasons.iter().map(|&reason| reason.to_owned()).collect(),
    }
}

fn landing(judged: &Judgement, review: HumanReview) -> AiLanding<'_> {
    AiLanding {
        judged,
        feedback: "",
        model: "m",
        grader_hash: "the grader",
        read_at: now(),
        facts: LandingFacts::settled(review),
    }
}

fn terms(due_ms: i64, percent_per_day: i64) -> DueTerms {
    let asked = AskedLatePolicy {
        percent_per_day,
        ..AskedLatePolicy::default()
    };
    DueTerms {
        due_at: Timestamp::from_unix_millis(due_ms),
        late_policy: Some(LatePolicy::parse(asked, "").unwrap()),
    }
}

const DAY_MS: i64 = 86_400_000;

#[test]
fn what_counts_is_what_was_earned_less_what_is_taken_off() {
    let mut late = submission();
    late.due = Some(terms(-DAY_MS, 10));
    assert_eq!((late.score(), late.late_deduction()), (None, Points::ZERO));
    late.grade_by_person(
        Points::whole(80),
        Vec::new(),
        String::new(),
        teacher(),
        now(),
    )
    .unwrap();
    assert_eq!(late.late_deduction(), Points::whole(20));
    assert_eq!(late.score(), Some(Points::whole(60)));
    assert_eq!(late.grade.unwrap().score, Points::whole(80));
}

#[test]
fn a_draft_is_judged_by_what_holds_when_it_is_handed_in() {
    let mut draft = submission();
    draft.status = SubmissionStatus::Draft;
    (draft.submitted_at, draft.due, draft.late) = (None, None, false);
    assert!(!draft.ease_due(None, now()), "nothing was handed in");
    draft.submit(3, Some(terms(0, 10)), now()).unwrap();
    assert_eq!((draft.due, draft.late), (Some(terms(0, 10)), true));
    assert_eq!(draft.assignment_version, Some(3));
}

proptest::proptest! {
    /// Whatever is changed afterwards, in whatever order, nobody is worse off.
    #[test]
    fn terms_that_came_later_are_never_worse(changes in proptest::collection::vec((-5 * DAY_MS..DAY_MS, 1..=100i64, proptest::bool::ANY), 1..8)) {
        let mut late = submission();
        late.grade_by_person(Points::whole(80), Vec::new(), String::new(), teacher(), now()).unwrap();
        for (due_ms, percent, is_none) in changes {
            let (before, was_late, version) = (late.score(), late.late, late.stamp.version);
            let eased = late.ease_due((!is_none).then(|| terms(due_ms, percent)), now());
            proptest::prop_assert!(late.score() >= before);
            proptest::prop_assert!(was_late || !late.late);
            proptest::prop_assert_eq!(eased, late.stamp.version > version);
        }
    }
}

#[test]
fn handing_in_after_the_due_date_is_late() {
    assert!(submission().late);
}

#[test]
fn only_the_newest_run_may_land() {
    let mut submission = submission();
    let first = submission
        .ask_ai(RunOverrides::default(), now(), now())
        .unwrap();
    let second = submission
        .ask_ai(RunOverrides::default(), now(), now())
        .unwrap();
    assert!(!submission.awaits(first) && submission.awaits(second));
}

#[rstest]
#[case(HumanReview::Off, &["evidence_not_found"], SubmissionStatus::Graded, GradeStatus::Final)]
#[case(HumanReview::Optional, &[], SubmissionStatus::Graded, GradeStatus::Final)]
#[case(HumanReview::Optional, &["evidence_not_found"], SubmissionStatus::InReview, GradeStatus::Suggested)]
#[case(HumanReview::Optional, &["uncalibrated"], SubmissionStatus::InReview, GradeStatus::Suggested)]
#[case(HumanReview::Off, &["uncalibrated"], SubmissionStatus::Graded, GradeStatus::Final)]
#[case(HumanReview::Optional, &["cannot_judge"], SubmissionStatus::InReview, GradeStatus::Suggested)]
#[case(HumanReview::Optional, &["keyword_list"], SubmissionStatus::InReview, GradeStatus::Suggested)]
#[case(HumanReview::Required, &[], SubmissionStatus::InReview, GradeStatus::Suggested)]
fn review_decides_what_a_landed_run_is_worth(
    #[case] review: HumanReview,
    #[case] reasons: &[&str],
    #[case] status: SubmissionStatus,
    #[case] worth: GradeStatus,
) {
    let mut submission = submission();
    submission
        .ask_ai(RunOverrides::default(), now(), now())
        .unwrap();
    let landed = submission
        .land_ai(&landing(&judged(70, reasons), review), now())
        .unwrap();
    assert_eq!((submission.status, landed), (status, worth));
    assert_eq!(submission.ai, AiGrading::Ready);
}

#[test]
fn which_grades_are_picked_for_a_look_hangs_on_the_submission_alone() {
    let picked = |number: u128| {
        let mut submission = submission();
        submission.id = Id::from_uuid(Uuid::from_u128(number));
        submission
            .ask_ai(RunOverrides::default(), now(), now())
            .unwrap();
        let judged = judged(90, &[]);
        let landing = landing(&judged, HumanReview::Optional);
        submission.land_ai(&landing, now()).unwrap();
        assert_eq!(submission.status, SubmissionStatus::Graded);
        submission.review_reasons == ["audit_sample"]
    };
    let count = (0..2_000).filter(|number| picked(*number)).count();
    assert!((60..=140).contains(&count), "{count} of 2000");
    assert_eq!(
        (0..40).map(picked).collect::<Vec<_>>(),
        (0..40).map(picked).collect::<Vec<_>>()
    );
}

#[test]
fn a_person_wins_over_every_later_run() {
    let mut submission = submission();
    submission
        .grade_by_person(
            Points::whole(300),
            Vec::new(),
            String::new(),
            teacher(),
            now(),
        )
        .unwrap();
    submission
        .ask_ai(RunOverrides::default(), now(), now())
        .unwrap();
    let landed = submission
        .land_ai(&landing(&judged(10, &[]), HumanReview::Off), now())
        .unwrap();
    let grade = submission.grade.unwrap();
    assert_eq!(
        (grade.by, grade.score),
        (GradeSource::Human, Points::HUNDRED)
    );
    assert_eq!(landed, GradeStatus::Suggested);
    assert_eq!(submission.ai_proposal.unwrap().score, Points::whole(10));
}

fn explanation() -> Explanation {
    Explanation {
        rationale: "Because.".to_owned(),
        model: "m".to_owned(),
    }
}

fn graded(submission: &mut Submission, score: u16) {
    submission
        .grade_by_person(
            Points::whole(score),
            Vec::new(),
            String::new(),
            teacher(),
            now(),
        )
        .unwrap();
}

#[test]
fn what_has_no_grade_cannot_be_explained() {
    assert_eq!(submission().ask_why("a".into(), now()), Err(NotGraded));
}

#[test]
fn only_the_last_explanation_of_the_same_grade_may_land() {
    let mut submission = submission();
    graded(&mut submission, 5);
    submission.ask_why("a".into(), now()).unwrap();
    submission.ask_why("b".into(), now()).unwrap();
    assert!(!submission.awaits_explanation("a") && submission.awaits_explanation("b"));
    let before = (
        submission.grade.clone(),
        submission.ai.clone(),
        submission.status,
    );
    submission.land_explanation(explanation(), now());
    assert!(!submission.awaits_explanation("b"));
    let after = (
        submission.grade.clone(),
        submission.ai.clone(),
        submission.status,
    );
    assert_eq!(before, after);
    submission.ask_why("c".into(), now()).unwrap();
    // The same grade given again is another grade.
    graded(&mut submission, 5);
    assert!(!submission.awaits_explanation("c"));
    assert_eq!(submission.explanation, None);
}

#[test]
fn a_landed_run_has_newer_reasons_and_a_persons_grade_is_still_explained() {
    let mut submission = submission();
    graded(&mut submission, 5);
    submission
        .ask_ai(RunOverrides::default(), now(), now())
        .unwrap();
    submission.land_explanation(explanation(), now());
    submission.ask_why("a".into(), now()).unwrap();
    submission
        .land_ai(&landing(&judged(10, &[]), HumanReview::Off), now())
        .unwrap();
    assert_eq!(submission.explanation, None);
    assert!(submission.awaits_explanation("a"));
}

#[test]
fn only_a_grade_of_ai_that_nobody_decided_about_can_be_stale() {
    let mut submission = submission();
    let since = |millis| Some(Timestamp::from_unix_millis(millis));
    assert_eq!(submission.is_stale(since(9_000)), None);
    let judged = judged(80, &[]);
    let landed = Timestamp::from_unix_millis(2_000);
    submission
        .ask_ai(RunOverrides::default(), landed, landed)
        .unwrap();
    submission
        .land_ai(&landing(&judged, HumanReview::Required), landed)
        .unwrap();
    // What changed while AI was being asked is not in its grade.
    let stale = [None, since(1_000), since(1_001)].map(|since| submission.is_stale(since));
    assert_eq!(stale, [Some(false), Some(false), Some(true)]);
    let mut decided = submission.clone();
    decided.approve(teacher(), landed).unwrap();
    assert_eq!(decided.is_stale(since(9_000)), None);
    decided.reopen(landed).unwrap();
    assert_eq!(decided.is_stale(since(9_000)), Some(true));
    submission.hide_ai(landed).unwrap();
    assert_eq!(submission.is_stale(since(9_000)), None);
}

#[test]
fn who_decided_is_noted_with_the_grade_and_taken_back_with_the_decision() {
    let mut submission = submission();
    let decided_by = |submission: &Submission| submission.grade.as_ref().unwrap().decided_by;
    let other = Id::from_uuid(Uuid::from_u128(8));
    submission
        .land_ai(&landing(&judged(80, &[]), HumanReview::Required), now())
        .unwrap();
    assert_eq!(decided_by(&submission), None);
    let later = now().plus(Duration::from_mins(5));
    submission.approve(other, later).unwrap();
    assert_eq!(decided_by(&submission), Some(other));
    let grade = submission.grade.clone().unwrap();
    assert_eq!((grade.at, grade.decided_at), (now(), Some(later)));
    submission.give_back(now()).unwrap();
    submission.reopen(now()).unwrap();
    assert_eq!(decided_by(&submission), Some(other));
    submission
        .grade_by_person(
            Points::whole(3),
            Vec::new(),
            String::new(),
            teacher(),
            now(),
        )
        .unwrap();
    assert_eq!(decided_by(&submission), Some(teacher()));
    assert_eq!(submission.grade.as_ref().unwrap().decided_at, Some(now()));
    // One after the other: the first grade of a person, and then that AI's stands.
    submission.reopen(now()).unwrap();
    assert_eq!(decided_by(&submission), Some(other));
    assert_eq!(submission.for_learner().grade.unwrap().decided_by, None);
}

#[test]
fn a_decision_that_is_taken_back_was_nobodys() {
    let mut submission = submission();
    submission
        .land_ai(&landing(&judged(80, &[]), HumanReview::Required), now())
        .unwrap();
    submission.approve(teacher(), now()).unwrap();
    submission.reopen(now()).unwrap();
    let grade = submission.grade.unwrap();
    assert_eq!((grade.decided_by, grade.decided_at), (None, None));
}

#[test]
fn lists_know_a_grade_by_what_counts_of_it_and_of_no_grade_that_is_hidden() {
    let mut submission = submission();
    assert_eq!(submission.listed_grade(), None);
    submission.due = Some(terms(0, 10));
    submission
        .land_ai(&landing(&judged(80, &[]), HumanReview::Required), now())
        .unwrap();
    let listed = submission.listed_grade().unwrap();
    assert_eq!((listed.by, listed.decided_by), (GradeSource::Ai, None));
    assert_eq!((listed.at, listed.score), (now(), Points::whole(70)));
    submission.hide_ai(now()).unwrap();
    assert_eq!(submission.listed_grade(), None);
    submission
        .grade_by_person(
            Points::whole(60),
            Vec::new(),
            String::new(),
            teacher(),
            now(),
        )
        .unwrap();
    let listed = submission.listed_grade().unwrap();
    assert_eq!(
        (listed.by, listed.score),
        (GradeSource::Human, Points::whole(50))
    );
    assert_eq!(listed.decided_by, Some(teacher()));
}
