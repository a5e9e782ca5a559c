//! A whole submission, judged by word matching.
//!
//! Puts the pieces together: what is read, what each criterion found, the points, the flags, the words.

use lyceum_domain::grades::{CriterionProposal, GradeProposal, GradingTask};
use lyceum_domain::points::Points;
use lyceum_domain::rubric::Criterion;

use super::criterion::{Finding, Passage, Reading, References, judge, unrelated};
use super::feedback::{Part, feedback, rationale};
use super::flags::{Subject, is_blank, is_instruction_like, raise};
use super::score::share_of_new;
use super::similarity::Words;
use crate::language::Language;
use crate::sentences::{Sentence, sentences};
use crate::words::{MAX_CHARS, Stem, stems};

/// Version of the algorithm.
pub(crate) const VERSION: &str = "builtin-lexical-0";

/// Most sentences compared; what comes later in so long a text is left to a person.
const MAX_SENTENCES: usize = 150;
/// Highest confidence, in hundredths, where a flag is raised or nobody wrote a reference.
const UNSURE: u8 = 20;
/// Highest confidence without graded examples: a word match cannot tell a paraphrase from a gap.
const UNCALIBRATED_LIMIT: u8 = 60;
/// A flag that every result of this version carries, so it says nothing about this text.
const UNCALIBRATED: &str = "uncalibrated";

/// Judges a submission; the same task always gets the same answer.
pub(crate) fn grade(task: &GradingTask) -> GradeProposal {
    let language = Language::of_tag(&task.course_language);
    let question = Words::new(stems(
        &format!("{}\n{}", task.assignment_name, task.instructions),
        language,
    ));
    let reading = Reading::new(passages(&task.submission, language, &question));
    let references: Vec<References> = task
        .rubric
        .criteria
        .iter()
        .map(|criterion| References::of(criterion, &task.instructions, language))
        .collect();
    let blank = is_blank(&task.submission);
    let findings: Vec<Finding> = if blank {
        vec![Finding::default(); references.len()]
    } else {
        references
            .iter()
            .map(|references| judge(references, &reading, &question, &task.submission))
            .collect()
    };
    let flags = flags(task, blank, &question, language, |strange| {
        strange_findings(
            &findings,
            unrelated(&references, &reading.passages, &question),
            strange,
        );
    });
    propose(task, &references, &findings, flags, blank)
}

/// The sentences that are compared: not orders to the grader, and not the question said again.
pub(super) fn passages<'a>(
    text: &'a str,
    language: Language,
    question: &Words,
) -> Vec<Passage<'a>> {
    let end = text
        .char_indices()
        .nth(MAX_CHARS)
        .map_or(text.len(), |(at, _)| at);
    let read = text.get(..end).unwrap_or(text);
    sentences(read)
        .into_iter()
        .take(MAX_SENTENCES)
        .filter(|sentence| !is_instruction_like(sentence.text))
        .map(|sentence: Sentence<'a>| Passage {
            sentence,
            stems: stems(sentence.text, language),
        })
        .filter(|passage| says_something(&passage.stems, question))
        .collect()
}

fn says_something(stems: &[Stem], question: &Words) -> bool {
    !stems.is_empty() && (stems.len() < 5 || share_of_new(stems, question) > 0.2)
}

fn flags(
    task: &GradingTask,
    blank: bool,
    question: &Words,
    language: Language,
    add_strange: impl FnOnce(&mut Vec<&'static str>),
) -> Vec<&'static str> {
    let mut flags = vec![UNCALIBRATED];
    if blank {
        flags.push("blank");
    }
    let all = stems(&task.submission, language);
    if all.is_empty() && !blank {
        flags.push("no_content_words");
    }
    let taught = format!(
        "{} {} {}",
        task.assignment_name,
        task.instructions,
        serde_json::Value::Object(task.rubric.to_json())
    );
    flags.extend(raise(&Subject {
        text: &task.submission,
        stems: &all,
        question,
        taught: &taught,
        language,
    }));
    add_strange(&mut flags);
    flags
}

/// Flags that only show once the criteria were compared.
fn strange_findings(findings: &[Finding], unrelated: f64, flags: &mut Vec<&'static str>) {
    let any = |is: fn(&Finding) -> bool| findings.iter().any(is);
    if any(|found| found.negation > 0.3 && found.reached > 0.3) {
        flags.push("negation_mismatch");
    }
    if any(|found| found.order.0 < 0.05 && found.order.1 > 0.7) {
        flags.push("scrambled_order");
    }
    if unrelated > 0.8 && any(|found| found.reached > 0.3) {
        flags.push("much_unrelated_text");
    }
}

fn propose(
    task: &GradingTask,
    references: &[References],
    findings: &[Finding],
    flags: Vec<&'static str>,
    blank: bool,
) -> GradeProposal {
    let doubtful = flags.iter().any(|flag| *flag != UNCALIBRATED);
    let language = Language::of_tag(&task.course_language);
    let criteria: Vec<CriterionProposal> = task
        .rubric
        .criteria
        .iter()
        .zip(findings.iter().zip(references))
        .map(|(criterion, (finding, references))| {
            let unsure = doubtful || references.weak;
            let rationale = rationale(
                language,
                &finding.matched,
                &finding.missing,
                references.weak,
            );
            propose_criterion(criterion, finding, unsure, rationale)
        })
        .collect();
    let parts: Vec<Part<'_>> = task
        .rubric
        .criteria
        .iter()
        .zip(&criteria)
        .map(|(criterion, proposal)| Part {
            name: &criterion.name,
            percent: percent_of(proposal.points, criterion.max_points),
        })
        .collect();
    GradeProposal {
        feedback: feedback(&parts, blank, &task.feedback),
        criteria,
        flags: flags.into_iter().map(str::to_owned).collect(),
    }
}

fn propose_criterion(
    criterion: &Criterion,
    finding: &Finding,
    unsure: bool,
    rationale: String,
) -> CriterionProposal {
    // Without a passage to point at there is nothing to give points for.
    let reached = if finding.quotes.is_empty() {
        0.0
    } else {
        finding.reached
    };
    let wanted = Points::from_number(reached * criterion.max_points.to_number());
    let level = criterion.nearest_level(wanted);
    let points = level.map_or(wanted, |level| level.points);
    let confidence = percent((2.0 * reached - 1.0).abs());
    CriterionProposal {
        criterion_id: criterion.id.clone(),
        level_id: level.map(|level| level.id.clone()),
        points,
        rationale,
        // Where nothing is given, a passage would only suggest that there was something.
        quotes: if points > Points::ZERO {
            finding.quotes.clone()
        } else {
            Vec::new()
        },
        confidence: Some(if unsure {
            confidence.min(UNSURE)
        } else {
            confidence.min(UNCALIBRATED_LIMIT)
        }),
        missing: finding.missing.clone(),
        not_judged: None,
    }
}

/// A share from 0 to 1 in hundredths.
fn percent(share: f64) -> u8 {
    // Points keep hundredths, which is the same rounding without a cast.
    u8::try_from(Points::from_number(share.clamp(0.0, 1.0)).hundredths()).unwrap_or(100)
}

fn percent_of(points: Points, max: Points) -> u8 {
    let percent = i64::from(points.hundredths()) * 100 / i64::from(max.hundredths()).max(1);
    u8::try_from(percent).unwrap_or(100)
}
