//! A whole submission, judged by word matching.
//!
//! Puts the pieces together: what is read, what each criterion found, the anchors, the points, the flags, the words.

use lyceum_domain::authoring::rubric::{Criterion, canonical};
use lyceum_domain::grading::grades::{Anchor, CriterionProposal, GradeProposal, GradingTask};
use lyceum_domain::points::Points;
use serde_json::{Value, json};

use super::anchors::{GradedAnchor, Vector, calibrated, stratified};
use super::constants::{CALIBRATED, CALIBRATED_BONUS, UNSURE, VERSION, constants_hash};
use super::criterion::{CriterionMatch, find};
use super::doubts::Compared;
use super::echo::Echo;
use super::evidence::{coverage, missing_ideas, quotes};
use super::expected::{Expected, Source};
use super::feedback::{
    CriterionShare, ExpectedWords, cannot_judge, feedback, nothing_to_compare, rationale,
};
use super::flags::{Subject, raise};
use super::reading::Reading;
use super::similarity::Words;
use crate::language::Language;

/// Too few anchors to know the teacher's scale.
const UNCALIBRATED: &str = "uncalibrated";
/// A criterion that is not about content: left to a person, or to a provider.
pub(crate) const NOT_JUDGED: &str = "needs_person_or_provider";
/// A criterion that is but a name, and too few graded examples to make up for it.
pub(crate) const CANNOT_JUDGE: &str = "cannot_judge";

/// Some of the text only says the rubric back.
const REPEATS_RUBRIC: &str = "repeats_rubric";

/// What the built-in grader made of a submission.
pub(crate) struct GradingOutcome {
    pub(crate) proposal: GradeProposal,
    /// The grade records of the anchors that were used, by criterion.
    anchors: Vec<(String, Vec<String>)>,
}

impl GradingOutcome {
    /// The outcome as canonical JSON, the same bytes for the same task on every machine.
    pub(crate) fn to_json(&self) -> String {
        let criteria = self.proposal.criteria.iter().zip(&self.anchors);
        let criteria = criteria.map(|(criterion, (_, anchors))| {
            let quotes = criterion.quotes.iter();
            let quotes = quotes.map(|(text, which)| json!({"text": text, "occurrence": which}));
            json!({
                "criterion_id": criterion.criterion_id,
                "level_id": criterion.level_id,
                "points": criterion.points.to_json(),
                "confidence": criterion.confidence,
                "rationale": criterion.rationale,
                "evidence": quotes.collect::<Vec<_>>(),
                "missing": criterion.missing,
                "not_judged": criterion.not_judged,
                "anchors": anchors,
            })
        });
        canonical(&json!({
            "grader": {"kind": "built_in", "id": VERSION, "llm": false, "constants_hash": constants_hash()},
            "criteria": criteria.collect::<Vec<Value>>(),
            "feedback": self.proposal.feedback,
            "flags": self.proposal.flags,
        }))
    }
}

/// An anchor, read once for all criteria.
struct AnchorReading<'a> {
    anchor: &'a Anchor,
    reading: Reading<'a>,
    cosine: f64,
}

/// A criterion, what it expects, what was found and what that is worth.
struct Judged<'a> {
    criterion: &'a Criterion,
    expected: &'a Expected,
    found: CriterionMatch,
    /// The share of the points, 0 to 1, four decimals.
    share: f64,
    anchors: Vec<String>,
    /// Why it is not judged, if it is not.
    open: Option<&'static str>,
}

/// Judges a submission; the same task, its anchors in the same order, always gets the same answer.
pub(crate) fn grade(task: &GradingTask) -> GradingOutcome {
    let language = Language::of_tag(&task.course_language);
    let question = question(&task.assignment_name, &task.instructions, language);
    let criteria = task.rubric.criteria.iter();
    let expected: Vec<Expected> = criteria
        .map(|criterion| Expected::of(criterion, &question, language))
        .collect();
    let with_windows = expected.iter().any(|one| one.source == Source::Points);
    let echo = Echo::of(&task.rubric, language);
    let read = |text| Reading::for_rubric(&echo, text, &question, language, with_windows);
    let reading = read(&task.submission);
    let examples = examples(task, &reading, read);
    let judged: Vec<Judged<'_>> = task
        .rubric
        .criteria
        .iter()
        .zip(&expected)
        .map(|(criterion, expected)| judge(criterion, expected, &reading, &examples))
        .collect();
    let flags = flags(task, &judged, &reading, &question, language);
    propose(task, &judged, &reading, &question, flags)
}

/// What was asked: the words that prove little when they come back.
pub(crate) fn question(name: &str, instructions: &str, language: Language) -> Words {
    Words::of(&format!("{name}\n{instructions}"), language)
}

fn examples<'a>(
    task: &'a GradingTask,
    reading: &Reading<'_>,
    read: impl Fn(&'a str) -> Reading<'a>,
) -> Vec<AnchorReading<'a>> {
    if task.anchors.is_empty() {
        return Vec::new();
    }
    let own = Vector::of(&reading.compared, &reading.whole.words);
    let examples = task.anchors.iter().map(|anchor| {
        let reading = read(&anchor.text);
        AnchorReading {
            anchor,
            cosine: own.cosine(&Vector::of(&reading.compared, &reading.whole.words)),
            reading,
        }
    });
    examples.collect()
}

fn judge<'a>(
    criterion: &'a Criterion,
    expected: &'a Expected,
    reading: &Reading<'_>,
    examples: &[AnchorReading<'_>],
) -> Judged<'a> {
    let used = if expected.source == Source::Nothing {
        Vec::new()
    } else {
        used(criterion, examples)
    };
    let open = match expected.source {
        Source::Nothing => Some(NOT_JUDGED),
        Source::OwnWords if expected.is_bare && used.len() < CALIBRATED => Some(CANNOT_JUDGE),
        Source::OwnWords | Source::Answers | Source::Points => None,
    };
    if open.is_some() {
        return Judged {
            criterion,
            expected,
            found: CriterionMatch::default(),
            share: 0.0,
            anchors: Vec::new(),
            open,
        };
    }
    let found = find(expected, reading);
    let graded: Vec<GradedAnchor> = used
        .iter()
        .map(|(given, example)| GradedAnchor {
            given: *given,
            found: find(expected, &example.reading),
            cosine: example.cosine,
        })
        .collect();
    let share = if reading.blank {
        0.0
    } else {
        calibrated(&found, &graded)
    };
    let ids = used
        .iter()
        .map(|(_, example)| example.anchor.grade_id.clone());
    Judged {
        criterion,
        expected,
        found,
        share,
        anchors: ids.collect(),
        open,
    }
}

/// The anchors in which a person judged this criterion, with the share of its points that they gave.
fn used<'a, 'b>(
    criterion: &Criterion,
    examples: &'a [AnchorReading<'b>],
) -> Vec<(f64, &'a AnchorReading<'b>)> {
    let most = criterion.max_points.to_number();
    let graded = examples.iter().filter_map(|example| {
        let mut points = example.anchor.points.iter();
        let (_, points) = points.find(|(id, _)| *id == criterion.id)?;
        Some(((points.to_number() / most).clamp(0.0, 1.0), example))
    });
    stratified(graded.collect(), Anchor::MOST)
}

fn flags(
    task: &GradingTask,
    judged: &[Judged<'_>],
    reading: &Reading<'_>,
    question: &Words,
    language: Language,
) -> Vec<&'static str> {
    let taught = format!(
        "{} {} {}",
        task.assignment_name,
        task.instructions,
        Value::Object(task.rubric.to_json())
    );
    let all = Words::of(&task.submission, language);
    let mut flags = raise(&Subject {
        text: &task.submission,
        words: &all,
        question,
        taught: &taught,
        language,
    });
    if reading.echoes {
        flags.push(REPEATS_RUBRIC);
    }
    let compared = judged.iter().filter(|one| one.open.is_none());
    let compared = Compared {
        criteria: compared
            .map(|one| (one.expected, one.found, one.share))
            .collect(),
        words: &reading.whole.words,
        text: &reading.compared,
        question,
        language,
    };
    let doubts = compared.doubts();
    flags.extend(
        doubts
            .into_iter()
            .filter(|doubt| !flags.contains(doubt))
            .collect::<Vec<_>>(),
    );
    let left = [NOT_JUDGED, CANNOT_JUDGE].into_iter();
    flags.extend(left.filter(|why| judged.iter().any(|one| one.open == Some(*why))));
    let too_few = |one: &Judged<'_>| one.open.is_none() && one.anchors.len() < CALIBRATED;
    if judged.iter().any(too_few) {
        flags.push(UNCALIBRATED);
    }
    flags
}

fn propose(
    task: &GradingTask,
    judged: &[Judged<'_>],
    reading: &Reading<'_>,
    question: &Words,
    flags: Vec<&'static str>,
) -> GradingOutcome {
    let language = Language::of_tag(&task.course_language);
    // These say nothing about this text.
    let doubtful = flags
        .iter()
        .any(|flag| ![UNCALIBRATED, NOT_JUDGED, CANNOT_JUDGE].contains(flag));
    let criteria: Vec<CriterionProposal> = judged
        .iter()
        .map(|one| match one.open {
            Some(why) => not_judged(one.criterion, why, language),
            None => propose_criterion(one, reading, question, doubtful, language),
        })
        .collect();
    let parts: Vec<CriterionShare<'_>> = judged
        .iter()
        .zip(&criteria)
        .filter(|(_, proposal)| proposal.not_judged.is_none())
        .map(|(one, proposal)| CriterionShare {
            name: &one.criterion.name,
            percent: percent_of(proposal.points, one.criterion.max_points),
        })
        .collect();
    let anchors = judged
        .iter()
        .map(|one| (one.criterion.id.clone(), one.anchors.clone()));
    GradingOutcome {
        anchors: anchors.collect(),
        proposal: GradeProposal {
            feedback: feedback(&parts, reading.blank, &task.feedback),
            criteria,
            flags: flags.into_iter().map(str::to_owned).collect(),
        },
    }
}

fn propose_criterion(
    one: &Judged<'_>,
    reading: &Reading<'_>,
    question: &Words,
    doubtful: bool,
    language: Language,
) -> CriterionProposal {
    let (criterion, expected) = (one.criterion, one.expected);
    let wanted = points(criterion, one.share);
    let level = criterion.nearest_level(wanted);
    let (matched, missing) = coverage(expected, one.found.reference, reading);
    let said = ExpectedWords {
        matched: &matched,
        missing: &missing,
        weak: expected.source == Source::OwnWords,
    };
    CriterionProposal {
        criterion_id: criterion.id.clone(),
        level_id: level.map(|level| level.id.clone()),
        points: level.map_or(wanted, |level| level.points),
        rationale: rationale(language, &said),
        quotes: if reading.blank {
            Vec::new()
        } else {
            quotes(expected, one.found.reference, reading, question)
        },
        confidence: Some(confidence(
            one.share,
            one.anchors.len(),
            doubtful || said.weak,
        )),
        missing: missing_ideas(expected, one.found.reference, reading, language),
        not_judged: None,
    }
}

fn not_judged(criterion: &Criterion, why: &str, language: Language) -> CriterionProposal {
    let said = if why == CANNOT_JUDGE {
        nothing_to_compare(language)
    } else {
        cannot_judge(language)
    };
    CriterionProposal {
        criterion_id: criterion.id.clone(),
        level_id: None,
        points: Points::ZERO,
        rationale: said.to_owned(),
        quotes: Vec::new(),
        confidence: Some(0),
        missing: Vec::new(),
        not_judged: Some(why.to_owned()),
    }
}

/// The share of a criterion's points, in hundredths, or in the steps that the criterion's `step` gives; levels come
/// after.
fn points(criterion: &Criterion, share: f64) -> Points {
    let most = i64::from(criterion.max_points.hundredths());
    let exact = (i64::from(ten_thousandths(share)) * most + 5_000) / 10_000;
    let step = criterion.extra.get("step");
    let step = step.and_then(|step| Points::from_json(step).ok());
    let step = step.map_or(1, |step| i64::from(step.hundredths()).max(1));
    let stepped = (exact + step / 2) / step * step;
    Points::from_hundredths(stepped).at_most(criterion.max_points)
}

/// How sure the grader is, in hundredths: how far from the middle, and a little more where it is calibrated; never
/// more than [`UNSURE`] where it has a reason to doubt.
fn confidence(share: f64, anchors: usize, doubtful: bool) -> u8 {
    let clear = ((2 * ten_thousandths(share) - 10_000).abs() + 50) / 100;
    let bonus = if anchors >= CALIBRATED {
        CALIBRATED_BONUS
    } else {
        0
    };
    let most = if doubtful { UNSURE } else { 100 };
    u8::try_from((clear + bonus).min(most)).unwrap_or(100)
}

/// A share of four decimals as a whole number.
fn ten_thousandths(share: f64) -> i32 {
    // Points keep hundredths, which is the same rounding without a cast.
    Points::from_number(share.clamp(0.0, 1.0) * 100.0).hundredths()
}

fn percent_of(points: Points, max: Points) -> u8 {
    let percent = i64::from(points.hundredths()) * 100 / i64::from(max.hundredths()).max(1);
    u8::try_from(percent).unwrap_or(100)
}
