//! A model's judgement of a submission: checked against the rubric and the text, turned into a proposal.
//!
//! Rules that are broken are named to the model, without a word of the student's. Points, totals and whether a grade is
//! released are the domain's business.

use std::sync::atomic::{AtomicBool, Ordering};

use lyceum_domain::authoring::rubric::{Criterion, Rubric};
use lyceum_domain::drafting::pseudonyms::Pseudonyms;
use lyceum_domain::grading::grades::{
    CriterionProposal, GradeProposal, GradingTask, MAX_QUOTES, Passages, too_few_stand,
};
use lyceum_domain::points::Points;
use serde::Deserialize;
use serde_json::Value;

use super::answers;
use super::feedback_rules::{Secrets, broken_rules as broken_in_feedback, neutral};
use super::grading_prompt::{self, RULES};
use super::language_check::is_other_language;
use super::masking::unmasked;
use super::prompts::{MAX_SUBMISSION, nonce};
use super::quotations::Quotation;
use crate::builtin::{is_instruction_like, security_flags};

/// Schema of the answer.
pub(super) const SCHEMA: &str = include_str!("../../schemas/grade.json");

#[derive(Deserialize)]
struct Graded {
    criteria: Vec<GradedCriterion>,
    overall: Overall,
    integrity: Integrity,
}

#[derive(Deserialize)]
struct GradedCriterion {
    criterion_id: String,
    evidence: Vec<Quotation>,
    rationale: String,
    level_id: Option<String>,
    points: f64,
    confidence: f64,
    missing: Vec<String>,
}

#[derive(Deserialize)]
struct Overall {
    feedback: String,
}

#[derive(Deserialize)]
struct Integrity {
    instructions_in_submission: bool,
    off_topic: bool,
    language: String,
}

/// Reason to look where the model's feedback broke a rule also after the repair, and nothing else did.
const FEEDBACK_REPLACED: &str = "feedback_replaced";
/// How far points may be from what they should be: half a hundredth is what rounding forgives.
const ROUNDING: f64 = 0.005;

/// One submission that a model is asked about.
pub(super) struct Grading<'a> {
    task: &'a GradingTask,
    names: Pseudonyms,
    nonce: String,
    messages: Vec<Value>,
    /// Whether an answer was read already, so that the next one is the repaired one.
    repairing: AtomicBool,
}

impl<'a> Grading<'a> {
    /// Prepares the messages; nothing private is in them.
    pub(super) fn of(task: &'a GradingTask) -> Self {
        let mut names = Pseudonyms::of(&task.private);
        let nonce = nonce();
        let messages = grading_prompt::messages(task, &mut names, &nonce);
        Self {
            task,
            names,
            nonce,
            messages,
            repairing: AtomicBool::new(false),
        }
    }

    /// What the model is told.
    pub(super) fn messages(&self) -> Vec<Value> {
        self.messages.clone()
    }

    /// Reads a document that fits the schema; the rules it breaks otherwise.
    ///
    /// Quotes that do not stand in the submission are sent back once, and so is feedback that breaks a rule. If they still
    /// do not, or it still does, the rest may be of use: the domain drops the quotes, a neutral sentence takes the place
    /// of the feedback, and a person looks.
    pub(super) fn read(&self, document: &Value) -> Result<GradeProposal, Vec<String>> {
        let document = unmasked(document.clone(), &self.names);
        let graded: Graded =
            serde_json::from_value(document).map_err(|error| vec![error.to_string()])?;
        let mut broken = broken_rules(&graded, &self.task.rubric);
        let mut feedback = graded.overall.feedback.clone();
        let in_feedback = broken_in_feedback(&feedback, &self.task.feedback, &self.secrets());
        let repaired = self.repairing.swap(true, Ordering::Relaxed);
        if !repaired || !broken.is_empty() {
            broken.extend(in_feedback.iter().cloned());
            broken.extend(invented_quotes(&graded, &self.task.submission));
        }
        if !broken.is_empty() {
            return Err(broken);
        }
        let mut flags = flags(&graded.integrity, self.task);
        if !in_feedback.is_empty() {
            neutral(&self.task.feedback).clone_into(&mut feedback);
            flags.push(FEEDBACK_REPLACED.to_owned());
        }
        Ok(GradeProposal {
            criteria: graded.criteria.into_iter().map(proposal).collect(),
            feedback,
            flags,
        })
    }

    fn secrets(&self) -> Secrets<'_> {
        let task = self.task;
        let mut references = Vec::new();
        for criterion in &task.rubric.criteria {
            criterion
                .extra
                .values()
                .for_each(|value| collect_texts(value, &mut references));
        }
        task.rubric
            .extra
            .values()
            .for_each(|value| collect_texts(value, &mut references));
        let mut marks = vec![self.nonce.clone()];
        if is_instruction_like(&task.submission) {
            let taught = format!(
                "{} {}",
                task.instructions,
                Value::Object(task.rubric.to_json())
            );
            marks.extend(codes(&task.submission).filter(|code| !taught.contains(code.as_str())));
        }
        Secrets {
            references,
            known: vec![&task.assignment_name, &task.instructions, &task.submission],
            rules: RULES,
            marks,
        }
    }
}

/// What an answer proposes, or the rules that it breaks: the way of every model's answer, for whoever holds one and
/// has no model to send the rules back to.
///
/// # Errors
/// The rules that the answer breaks, each in a sentence.
pub fn read_grade(task: &GradingTask, answer: &str) -> Result<GradeProposal, Vec<String>> {
    let nothing = || vec!["the answer has no JSON object in it".to_owned()];
    let document = answers::object_in(answer).ok_or_else(nothing)?;
    let schema: Value = serde_json::from_str(SCHEMA).map_err(|error| vec![error.to_string()])?;
    let broken = answers::broken_rules(&schema, &document);
    if broken.is_empty() {
        Grading::of(task).read(&document)
    } else {
        Err(broken)
    }
}

/// Every text in the members of a rubric that only graders read.
fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(entries) => entries.iter().for_each(|entry| collect_texts(entry, texts)),
        Value::Object(members) => members
            .values()
            .for_each(|member| collect_texts(member, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Words that are no words: what somebody who gives orders to a grader wants to see again.
fn codes(text: &str) -> impl Iterator<Item = String> {
    let words = text.split_whitespace();
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words
        .filter(|word| {
            let has = |is: fn(char) -> bool| word.contains(is);
            let joined = has(|c| matches!(c, '-' | '_')) && !has(char::is_lowercase);
            word.chars().count() >= 6
                && has(char::is_alphabetic)
                && (has(char::is_numeric) || joined)
        })
        .map(str::to_owned)
}

/// The criteria whose quotes do not stand in the submission, more than a third of them; by number, because what the
/// student wrote is not sent again.
fn invented_quotes(graded: &Graded, submission: &str) -> Vec<String> {
    let passages = Passages::of(submission);
    let mut broken = Vec::new();
    for given in &graded.criteria {
        let asked = given.evidence.iter().take(MAX_QUOTES);
        let missing: Vec<String> = asked
            .clone()
            .zip(1..)
            .filter(|(passage, _)| passages.locate(passage.quote(), 1).is_none())
            .map(|(_, number)| number.to_string())
            .collect();
        if too_few_stand(asked.len() - missing.len(), asked.len()) {
            broken.push(format!(
                "criterion {}: evidence {} does not stand in the submission, character by character; copy it from there \
                 or leave it out",
                given.criterion_id,
                missing.join(", ")
            ));
        }
    }
    broken
}

fn broken_rules(graded: &Graded, rubric: &Rubric) -> Vec<String> {
    let mut broken = Vec::new();
    for criterion in &rubric.criteria {
        let times = graded
            .criteria
            .iter()
            .filter(|given| given.criterion_id == criterion.id)
            .count();
        if times != 1 {
            broken.push(format!(
                "criterion {} must be judged exactly once, not {times} times",
                criterion.id
            ));
        }
    }
    for given in &graded.criteria {
        match rubric.criterion(&given.criterion_id) {
            None => broken.push(format!("there is no criterion {}", given.criterion_id)),
            Some(criterion) => broken.extend(broken_by(given, criterion)),
        }
    }
    broken
}

fn broken_by(given: &GradedCriterion, criterion: &Criterion) -> Vec<String> {
    let mut broken = Vec::new();
    let id = &criterion.id;
    broken.extend(broken_points(given, criterion));
    if !(0.0..=1.0).contains(&given.confidence) {
        broken.push(format!(
            "criterion {id}: confidence must be between 0 and 1"
        ));
    }
    broken
}

/// Points are those of the level, or within the criterion and in its steps.
fn broken_points(given: &GradedCriterion, criterion: &Criterion) -> Option<String> {
    let id = &criterion.id;
    let max = criterion.max_points;
    let known: Vec<&str> = criterion
        .levels
        .iter()
        .map(|level| level.id.as_str())
        .collect();
    let equals = |points: Points| (given.points - points.to_number()).abs() <= ROUNDING;
    let named = given.level_id.as_deref();
    match (named, named.and_then(|level| criterion.level(level))) {
        (Some(_), Some(level)) => (!equals(level.points)).then(|| {
            let (level, points) = (&level.id, level.points);
            format!("criterion {id}: level {level} gives {points} points")
        }),
        (Some(_), None) if known.is_empty() => Some(format!(
            "criterion {id} has no levels, so level_id must be null"
        )),
        (Some(level), None) => Some(format!(
            "criterion {id} has no level {level}; it has {}",
            known.join(", ")
        )),
        (None, _) if !(-ROUNDING..=max.to_number() + ROUNDING).contains(&given.points) => Some(
            format!("criterion {id}: points must be between 0 and {max}"),
        ),
        (None, _) if equals(criterion.nearest_points(Points::from_number(given.points))) => None,
        (None, _) if known.is_empty() => {
            let step = criterion.step().unwrap_or_default();
            Some(format!(
                "criterion {id}: points must be multiples of {step}"
            ))
        }
        (None, _) => Some(format!(
            "criterion {id}: level_id must be one of {}, and points those of the level",
            known.join(", ")
        )),
    }
}

fn proposal(given: GradedCriterion) -> CriterionProposal {
    CriterionProposal {
        criterion_id: given.criterion_id,
        level_id: given.level_id,
        points: Points::from_number(given.points),
        rationale: given.rationale,
        quotes: given.evidence.iter().map(Quotation::located).collect(),
        // Points keep hundredths, which is what a confidence in hundredths needs.
        confidence: u8::try_from(Points::from_number(given.confidence).hundredths()).ok(),
        missing: given.missing,
        not_judged: None,
    }
}

/// Reasons to have a person look: the model's, and our own, because a model that was talked into something will not
/// say so.
fn flags(integrity: &Integrity, task: &GradingTask) -> Vec<String> {
    let submission = &task.submission;
    let checks = [
        (
            "instructions_in_submission",
            integrity.instructions_in_submission,
        ),
        ("off_topic", integrity.off_topic),
        ("too_long", submission.chars().nth(MAX_SUBMISSION).is_some()),
        (
            "language_mismatch",
            is_in_another_language(&integrity.language, task),
        ),
    ];
    let raised = checks.into_iter().filter(|(_, raised)| *raised);
    // What a model that was talked round would not tell.
    let seen = security_flags(submission, &taught(task));
    raised
        .map(|(name, _)| name)
        .chain(seen)
        .map(str::to_owned)
        .collect()
}

/// Everything that the teacher wrote.
fn taught(task: &GradingTask) -> String {
    let rubric = Value::Object(task.rubric.to_json());
    format!("{} {} {rubric}", task.assignment_name, task.instructions)
}

/// Whether a submission is written neither in the course's language nor in that of the feedback, by the model's word
/// or by our own count.
fn is_in_another_language(said: &str, task: &GradingTask) -> bool {
    let expected = [
        task.course_language.as_str(),
        task.feedback.language.as_str(),
    ];
    let said = primary(said);
    // `mul` are several languages, `und` and `zxx` none that is known.
    let tells = matches!(said.len(), 2..=3) && !["mul", "und", "zxx"].contains(&said.as_str());
    let by_model = tells && expected.iter().all(|tag| primary(tag) != said);
    let counted = |tag: &&str| is_other_language(&task.submission, tag);
    by_model || expected.iter().all(counted)
}

/// The language of a BCP-47 tag without script and region.
fn primary(tag: &str) -> String {
    let first = tag.trim().split(['-', '_']).next();
    first.unwrap_or_default().to_ascii_lowercase()
}
