//! Whether an AI grade is released or waits for a person, and why somebody should look.
//!
//! One pure function of what was judged and a few facts; nothing here changes points.

use super::{Judgement, NOBODY_JUDGED, PROVIDER_FAILED};
use crate::InvalidValue;
use crate::authoring::assignments::HumanReview;
use crate::points::Points;
use crate::words::words;

words!(
    /// Whether a person has looked at an AI grade.
    ReviewStatus {
        /// Nobody yet.
        Open = "open",
        /// Somebody has.
        Done = "done",
    }
);

/// How many of the first AI grades of an assignment a person is asked to look at.
pub const FIRST_GRADES: u32 = 10;
/// One grade of so many is picked for a look without any other reason.
pub const AUDIT_SHARE: u32 = 20;
/// What stands for the number of a text that is nobody's: no lot falls on it.
pub const HELD_BY_NO_LOT: u32 = 1;
/// Below this confidence, in hundredths, a criterion makes a grade wait.
const LOW_CONFIDENCE: u8 = 60;
/// Below this confidence a score in the middle waits: graders are good at right and wrong, less so in between.
const SURE_IN_THE_MIDDLE: u8 = 80;
/// The middle, in hundredths of the best score.
const MIDDLE: std::ops::RangeInclusive<i64> = 35..=75;

/// Reasons to look that hold nothing back.
const WEAK: [&str; 2] = ["first_of_assignment", "audit_sample"];
/// The text gives the grader orders: whoever grades it may have been talked round, so it waits also where nothing else
/// does.
const ORDERS: [&str; 2] = ["instruction_like_text", "instructions_in_submission"];
/// No certificate says that a grade like this may go out unseen.
pub const NOT_CERTIFIED: &str = "not_certified";
/// It would go out by a certificate, and was drawn to be graded blind.
pub const CERTIFICATE_AUDIT: &str = "certificate_audit";
/// The grader's confidence says nothing: nobody knows yet whether it sees what people here see.
const UNCALIBRATED: &str = "uncalibrated";

/// Reasons that say nothing of the text, but of the grader, the assignment, or how sure the grader is: any honest text may
/// have them.
const NOT_OF_TEXT: [&str; 12] = [
    "first_of_assignment",
    "audit_sample",
    "low_confidence",
    "middle_band",
    "criterion_missing",
    "feedback_replaced",
    "cannot_judge",
    NOBODY_JUDGED,
    PROVIDER_FAILED,
    UNCALIBRATED,
    NOT_CERTIFIED,
    CERTIFICATE_AUDIT,
];

/// Every reason to look that there is: of the grader, of judging, of what was handed in, and of the way that a grade goes.
pub const REVIEW_REASONS: &[&str] = &[
    "audit_sample",
    "blank",
    "cannot_judge",
    CERTIFICATE_AUDIT,
    "criterion_missing",
    "encoded_block",
    "evidence_not_found",
    "feedback_replaced",
    "first_of_assignment",
    "grading_vocabulary",
    "hidden_characters",
    "instruction_like_text",
    "instructions_in_submission",
    "keyword_list",
    "language_mismatch",
    "link",
    "low_confidence",
    "markup",
    "middle_band",
    "mixed_script",
    "much_unrelated_text",
    NOBODY_JUDGED,
    "negation_mismatch",
    "no_content_words",
    NOT_CERTIFIED,
    "off_topic",
    "off_topic_with_points",
    "points_without_evidence",
    PROVIDER_FAILED,
    "repeats_question",
    "repeats_rubric",
    "repetition",
    "scrambled_order",
    "several_answers",
    "too_long",
    UNCALIBRATED,
];

/// Reads a reason to look.
///
/// # Errors
/// [`InvalidValue`] naming those there are.
pub fn review_reason(text: &str) -> Result<&'static str, InvalidValue> {
    let known = REVIEW_REASONS.iter().copied().find(|word| *word == text);
    known.ok_or_else(|| InvalidValue::new(format!("must be one of {}", REVIEW_REASONS.join(" "))))
}

/// Whether a reason to look says something of the text, or of what was read out of it.
pub fn is_of_text(reason: &str) -> bool {
    !NOT_OF_TEXT.contains(&reason)
}

/// Whether the confidence of a grade with these reasons was ever held against what people say, and may be shown.
pub fn is_measured(review_reasons: &[String]) -> bool {
    !review_reasons.iter().any(|reason| reason == UNCALIBRATED)
}

/// What an assignment's certificate says of a grade that nothing else holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Release {
    /// None is asked for.
    #[default]
    Unasked,
    /// It may go out.
    Certified,
    /// It is to be graded blind.
    Audited,
    /// It has to wait.
    Uncertified,
}

impl Release {
    const fn reason(self) -> Option<&'static str> {
        match self {
            Self::Unasked | Self::Certified => None,
            Self::Audited => Some(CERTIFICATE_AUDIT),
            Self::Uncertified => Some(NOT_CERTIFIED),
        }
    }
}

/// What is known about a grade beside the judgement itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LandingFacts {
    /// What the assignment asks for.
    pub review: HumanReview,
    /// Whether the grader's confidence means something: a language model's does, the built-in grader's with at least
    /// five graded examples. A judgement that says `uncalibrated` itself is not, whatever stands here.
    pub calibrated: bool,
    /// How many AI grades the assignment had before this one.
    pub graded_before: u32,
    /// What a certificate says of it, where the assignment asks for one.
    pub release: Release,
}

impl LandingFacts {
    /// Facts of a grader whose confidence means something, on an assignment that had its first grades long ago.
    pub const fn settled(review: HumanReview) -> Self {
        Self {
            review,
            calibrated: true,
            graded_before: u32::MAX,
            release: Release::Unasked,
        }
    }
}

/// Where a grade goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Whether it waits for a person and the learner sees none of it.
    pub held: bool,
    /// Whether a person is asked to look.
    pub review: Option<ReviewStatus>,
    /// Why a person should look, sorted.
    pub reasons: Vec<String>,
}

/// Decides over a judgement whose score is out of `max_score`; `audit` is any number that the submission always has
/// and nobody chooses.
///
/// Where nothing was judged there is no grade to release, and where the text gives the grader orders it may be theirs,
/// whatever the assignment asks for. Else `off` releases, `required` holds, and `optional` releases unless a reason is a
/// strong one, or a certificate is asked for and there is none that says so.
pub fn route(judged: &Judgement, max_score: Points, facts: LandingFacts, audit: u32) -> Route {
    let mut reasons = reasons(judged, max_score, facts, audit);
    let nothing_judged = judged
        .criteria
        .iter()
        .all(|result| result.not_judged.is_some())
        && !judged.criteria.is_empty();
    let strong = reasons
        .iter()
        .any(|reason| !WEAK.contains(&reason.as_str()));
    let held = nothing_judged
        || match facts.review {
            HumanReview::Required => true,
            HumanReview::Optional => strong,
            HumanReview::Off => reasons
                .iter()
                .any(|reason| ORDERS.contains(&reason.as_str())),
        };
    let wanting = facts.release.reason();
    let wanting = wanting.filter(|_| !held && facts.review == HumanReview::Optional);
    reasons.extend(wanting.map(str::to_owned));
    reasons.sort();
    let held = held || wanting.is_some();
    let asked = held || facts.review != HumanReview::Off;
    Route {
        held,
        review: asked.then_some(ReviewStatus::Open),
        reasons,
    }
}

fn reasons(judged: &Judgement, max_score: Points, facts: LandingFacts, audit: u32) -> Vec<String> {
    let mut reasons = judged.review_reasons.clone();
    let calibrated = facts.calibrated && is_measured(&reasons);
    let least = least_confidence(judged);
    let below = |limit: u8| least.is_some_and(|least| least < limit);
    let middle = is_in_the_middle(judged.score, max_score);
    // An uncalibrated grade asks for a look as it is, and its confidence says nothing. Where a certificate is asked for, what was
    // tested stands in the place of rules of thumb, and its audits in that of looks without a promise.
    let by_rule = calibrated && facts.release == Release::Unasked;
    let checks = [
        (UNCALIBRATED, !calibrated),
        ("low_confidence", by_rule && below(LOW_CONFIDENCE)),
        (
            "middle_band",
            by_rule && middle && below(SURE_IN_THE_MIDDLE),
        ),
        (
            "first_of_assignment",
            by_rule && facts.graded_before < FIRST_GRADES,
        ),
        ("audit_sample", by_rule && audit.is_multiple_of(AUDIT_SHARE)),
    ];
    let raised = checks.into_iter().filter(|(_, raised)| *raised);
    reasons.extend(raised.map(|(name, _)| name.to_owned()));
    reasons.sort();
    reasons.dedup();
    reasons
}

/// Whether these reasons, some of which hold it, would let it go out if a certificate said so.
pub fn wants_only_a_certificate(reasons: &[String]) -> bool {
    let is_wanting = |reason: &String| reason == NOT_CERTIFIED;
    reasons.iter().any(is_wanting)
        && reasons
            .iter()
            .all(|reason| is_wanting(reason) || WEAK.contains(&reason.as_str()))
}

/// The lowest confidence of what was judged, where the grader says.
pub fn least_confidence(judged: &Judgement) -> Option<u8> {
    let judged = judged
        .criteria
        .iter()
        .filter(|result| result.not_judged.is_none());
    judged.filter_map(|result| result.confidence).min()
}

fn is_in_the_middle(score: Points, max_score: Points) -> bool {
    let max = i64::from(max_score.hundredths());
    let score = i64::from(score.hundredths()) * 100;
    (MIDDLE.start() * max..=MIDDLE.end() * max).contains(&score) && max > 0
}

#[cfg(test)]
mod tests {
    use super::super::{CriterionResult, NOBODY_JUDGED};
    use super::*;
    use rstest::rstest;

    fn result(confidence: Option<u8>, not_judged: Option<&str>) -> CriterionResult {
        CriterionResult {
            criterion_id: "a".to_owned(),
            name: "A".to_owned(),
            level_id: None,
            score: Points::ZERO,
            max_score: Points::whole(4),
            rationale: String::new(),
            evidence: Vec::new(),
            confidence,
            missing: Vec::new(),
            not_judged: not_judged.map(str::to_owned),
        }
    }

    fn judged(score: u16, confidence: Option<u8>, reasons: &[&str]) -> Judgement {
        Judgement {
            criteria: vec![
                result(confidence, None),
                result(Some(0), Some(NOBODY_JUDGED)),
            ],
            score: Points::whole(score),
            review_reasons: reasons.iter().map(|&reason| reason.to_owned()).collect(),
        }
    }

    fn facts(review: HumanReview) -> LandingFacts {
        LandingFacts::settled(review)
    }

    #[test]
    fn a_reason_is_one_of_those_there_are() {
        assert!(REVIEW_REASONS.is_sorted());
        let all = NOT_OF_TEXT.iter().chain(&ORDERS).chain(&WEAK);
        for reason in all {
            assert_eq!(review_reason(reason).unwrap(), *reason);
        }
        for wrong in ["", "Link", "something_new", "link,blank"] {
            assert!(review_reason(wrong).is_err(), "{wrong}");
        }
    }

    #[rstest]
    #[case::sure(90, Some(90), &[], false)]
    #[case::silent(50, None, &[], false)]
    #[case::flagged(90, Some(90), &["link"], true)]
    #[case::off_topic(10, Some(90), &["off_topic"], true)]
    #[case::unknown_to_us(90, Some(90), &["something_new"], true)]
    #[case::audited(90, Some(90), &["audit_sample", "first_of_assignment"], false)]
    #[case::unsure(90, Some(59), &["low_confidence"], true)]
    #[case::just_sure(90, Some(60), &[], false)]
    #[case::middle(50, Some(79), &["middle_band"], true)]
    #[case::sure_in_the_middle(50, Some(80), &[], false)]
    #[case::low_edge(35, Some(79), &["middle_band"], true)]
    #[case::below_it(34, Some(79), &[], false)]
    #[case::high_edge(75, Some(79), &["middle_band"], true)]
    #[case::above_it(76, Some(79), &[], false)]
    fn review_that_is_optional_holds_for_strong_reasons(
        #[case] score: u16,
        #[case] confidence: Option<u8>,
        #[case] reasons: &[&str],
        #[case] held: bool,
    ) {
        let from_confidence = ["low_confidence", "middle_band"];
        let given: Vec<&str> = reasons
            .iter()
            .copied()
            .filter(|reason| !from_confidence.contains(reason))
            .collect();
        let judged = judged(score, confidence, &given);
        let route = route(&judged, Points::HUNDRED, facts(HumanReview::Optional), 7);
        assert_eq!((route.held, route.review), (held, Some(ReviewStatus::Open)));
        assert_eq!(route.reasons, reasons);
    }

    #[test]
    fn off_releases_and_required_holds_whatever_was_found() {
        let doubtful = judged(50, Some(10), &["evidence_not_found"]);
        let off = route(&doubtful, Points::HUNDRED, facts(HumanReview::Off), 7);
        let found = ["evidence_not_found", "low_confidence", "middle_band"];
        assert_eq!((off.held, off.review), (false, None));
        assert_eq!(off.reasons, found);
        let clean = judged(90, Some(90), &[]);
        let required = route(&clean, Points::HUNDRED, facts(HumanReview::Required), 7);
        assert_eq!(
            (required.held, required.review),
            (true, Some(ReviewStatus::Open))
        );
        assert!(required.reasons.is_empty());
    }

    #[rstest]
    fn what_gives_the_grader_orders_waits_whatever_the_assignment_asks_for(
        #[values("instruction_like_text", "instructions_in_submission")] order: &str,
        #[values(HumanReview::Off, HumanReview::Optional, HumanReview::Required)]
        review: HumanReview,
    ) {
        let talked_round = judged(100, Some(99), &[order]);
        let route = route(&talked_round, Points::HUNDRED, facts(review), 7);
        assert_eq!((route.held, route.review), (true, Some(ReviewStatus::Open)));
        assert_eq!(route.reasons, [order]);
    }

    #[test]
    fn without_calibration_confidence_says_nothing() {
        let unsure = judged(50, Some(10), &[]);
        let mut uncalibrated = facts(HumanReview::Optional);
        uncalibrated.calibrated = false;
        uncalibrated.graded_before = 0;
        let by_facts = route(&unsure, Points::HUNDRED, uncalibrated, 0);
        assert_eq!((by_facts.held, by_facts.reasons.len()), (true, 1));
        let said = judged(50, Some(10), &["uncalibrated"]);
        let by_grader = route(&said, Points::HUNDRED, facts(HumanReview::Optional), 0);
        assert_eq!(by_grader, by_facts);
        assert_eq!(by_facts.reasons, ["uncalibrated"]);
        let mut off = uncalibrated;
        off.review = HumanReview::Off;
        assert!(!route(&unsure, Points::HUNDRED, off, 0).held);
    }

    #[test]
    fn the_first_grades_and_one_in_twenty_ask_for_a_look() {
        let clean = judged(90, Some(90), &[]);
        let mut first = facts(HumanReview::Optional);
        let reasons = |facts, audit| route(&clean, Points::HUNDRED, facts, audit).reasons;
        first.graded_before = FIRST_GRADES - 1;
        assert_eq!(reasons(first, 7), ["first_of_assignment"]);
        first.graded_before = FIRST_GRADES;
        assert!(reasons(first, 7).is_empty());
        let audited = (0..200).filter(|audit| !reasons(first, *audit).is_empty());
        assert_eq!(audited.count(), 10);
    }

    #[rstest]
    #[case(Release::Certified, &[], false)]
    #[case(Release::Uncertified, &["not_certified"], true)]
    #[case(Release::Audited, &["certificate_audit"], true)]
    fn where_a_certificate_is_asked_for_it_says_what_goes_out(
        #[case] release: Release,
        #[case] reasons: &[&str],
        #[case] held: bool,
    ) {
        let clean = judged(90, Some(90), &[]);
        let mut asked = facts(HumanReview::Optional);
        asked.release = release;
        let found = route(&clean, Points::HUNDRED, asked, 7);
        assert_eq!(
            (found.held, found.reasons.as_slice()),
            (
                held,
                &reasons
                    .iter()
                    .map(|one| (*one).to_owned())
                    .collect::<Vec<_>>()[..]
            )
        );
        // What has another reason to wait says that one, and review that is off or required asks no certificate.
        let flagged = judged(90, Some(90), &["link"]);
        assert_eq!(route(&flagged, Points::HUNDRED, asked, 7).reasons, ["link"]);
        for review in [HumanReview::Off, HumanReview::Required] {
            asked.review = review;
            assert!(route(&clean, Points::HUNDRED, asked, 7).reasons.is_empty());
        }
    }

    #[test]
    fn where_a_certificate_is_asked_for_no_rule_of_thumb_takes_its_place() {
        let unsure = judged(50, Some(10), &[]);
        let mut asked = facts(HumanReview::Optional);
        asked.graded_before = 0;
        asked.release = Release::Uncertified;
        let route = route(&unsure, Points::HUNDRED, asked, 0);
        assert_eq!(
            (route.held, route.reasons),
            (true, vec![NOT_CERTIFIED.to_owned()])
        );
        let mut unmeasured = asked;
        unmeasured.calibrated = false;
        let route = super::route(&unsure, Points::HUNDRED, unmeasured, 0);
        assert_eq!(
            (route.held, route.reasons),
            (true, vec![UNCALIBRATED.to_owned()])
        );
    }

    #[test]
    fn only_what_nothing_else_holds_wants_a_certificate() {
        let wants = |reasons: &[&str]| {
            let reasons: Vec<String> = reasons.iter().map(|one| (*one).to_owned()).collect();
            wants_only_a_certificate(&reasons)
        };
        assert!(wants(&["not_certified"]));
        assert!(wants(&[
            "audit_sample",
            "first_of_assignment",
            "not_certified"
        ]));
        assert!(!wants(&["audit_sample"]));
        assert!(!wants(&["link", "not_certified"]));
        assert!(!wants(&[]));
    }

    #[rstest]
    fn where_nothing_was_judged_nothing_is_released(
        #[values(HumanReview::Off, HumanReview::Optional, HumanReview::Required)]
        review: HumanReview,
    ) {
        let mut nothing = judged(0, Some(90), &[NOBODY_JUDGED]);
        nothing.criteria.remove(0);
        let route = route(&nothing, Points::HUNDRED, facts(review), 7);
        assert_eq!((route.held, route.review), (true, Some(ReviewStatus::Open)));
        assert_eq!(route.reasons, [NOBODY_JUDGED]);
    }
}
