//! Attacks the built-in grader on questions of a data set, as a red team does on an assignment, and prints what comes of it,
//! technique by technique.
//!
//! `cargo run -p lyceum-ai --example red_team -- tests/data/saf-v1 [QUESTIONS] [EXAMPLES] [SEED]`: a folder with
//! `questions.jsonl` and `answers.csv`, how many of its questions (8), how many graded answers to each the grader is shown (10),
//! and the seed of what is drawn (0). Weak answers are five that people gave nothing for; clean texts are graded like attacks,
//! and what would go out is decided as for an assignment with `human_review: optional` and `release`, however unsure the grader is.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::path::Path;

use lyceum_ai::Builtin;
use lyceum_ai::attacks::BuiltinAttacks;
use lyceum_domain::authoring::assignments::{FeedbackStyle, HumanReview};
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::draws::Draws;
use lyceum_domain::grading::grades::{
    Anchor, GradingTask, LandingFacts, Release, judge, least_confidence, route,
};
use lyceum_domain::grading::red_team::{
    AttackOutcome, AttackTask, Gain, RedTeamReport, TechniqueFigures,
};
use lyceum_domain::points::Points;
use lyceum_domain::text::LanguageTag;
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::drafting::ai_calls::Meter;
use lyceum_ports::grading::attacking::AttackMaker;
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A question with its model answers.
struct Question {
    id: String,
    text: String,
    language: String,
    references: Vec<String>,
}

/// An answer that people graded: its text, and what they gave, 0 to 1.
type Graded = (String, f64);

/// What is graded with, and what is shown to the grader.
struct Bench<'a> {
    question: &'a Question,
    rubric: Rubric,
    anchors: Vec<Anchor>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let mut given = std::env::args().skip(1);
    let folder = given.next().unwrap_or_else(|| ".".to_owned());
    let mut number = |otherwise: u32| given.next().map_or(Ok(otherwise), |one| one.parse());
    let (wanted, shown, seed) = (number(8)?, number(10)?, u64::from(number(0)?));
    let questions = questions(&Path::new(&folder).join("questions.jsonl"))?;
    let answers = answers(&Path::new(&folder).join("answers.csv"))?;
    let mut places: Vec<usize> = (0..questions.len()).collect();
    Draws::named(seed, "questions").shuffle(&mut places);
    places.truncate(usize::try_from(wanted)?);
    places.sort_unstable();
    let mut out = std::io::stdout().lock();
    let mut all = Vec::new();
    for at in places {
        let Some(question) = questions.get(at) else {
            continue;
        };
        let known = answers.get(&question.id).cloned().unwrap_or_default();
        let outcomes = attacked(&questions, at, known, usize::try_from(shown)?, seed).await?;
        let report = RedTeamReport::of(&outcomes, &[], 0);
        writeln!(out, "{:<60} {}", question.id, summary(&report))?;
        all.extend(outcomes);
    }
    let report = RedTeamReport::of(&all, &[], 0);
    writeln!(out, "\n{:<60} {}\n", "all", summary(&report))?;
    for figures in &report.techniques {
        writeln!(out, "{}", line(figures))?;
    }
    Ok(())
}

/// What came of every attack on one question.
async fn attacked(
    questions: &[Question],
    at: usize,
    mut known: Vec<Graded>,
    shown: usize,
    seed: u64,
) -> Outcome<Vec<AttackOutcome>> {
    let question = questions.get(at).ok_or("no such question")?;
    Draws::named(seed, &question.id).shuffle(&mut known);
    let anchors = known.split_off(known.len().saturating_sub(shown));
    let weak = known.into_iter().filter(|(_, score)| *score <= 0.0);
    let bench = Bench {
        question,
        rubric: rubric(&question.references)?,
        anchors: anchors.iter().enumerate().map(anchor).collect(),
    };
    let others = (1..=5).filter_map(|step| questions.get((at + step) % questions.len()));
    let task = AttackTask {
        instructions: question.text.clone(),
        rubric: bench.rubric.clone(),
        samples: Vec::new(),
        others: others
            .filter_map(|one| one.references.first().cloned())
            .collect(),
        language: question.language.clone(),
        weak_answers: weak.map(|(text, _)| text).collect(),
    };
    let mut clean = Vec::new();
    for base in task.bases() {
        clean.push(bench.grade(base).await?.score);
    }
    let mut outcomes = Vec::new();
    for attack in BuiltinAttacks.attacks(&task, seed) {
        let base = attack.base.and_then(|place| clean.get(place));
        let given = bench.grade(attack.text).await?;
        outcomes.push(AttackOutcome {
            technique: attack.technique,
            clean: base.copied().unwrap_or(Points::ZERO),
            attacked: given.score,
            max_score: Points::HUNDRED,
            review_reasons: given.review_reasons,
            is_held: given.is_held,
            confidence: given.confidence,
        });
    }
    Ok(outcomes)
}

/// What a text is given, why somebody should look at it, whether it waits for that, and how sure the grader is.
struct Given {
    score: Points,
    review_reasons: Vec<String>,
    is_held: bool,
    confidence: Option<u8>,
}

impl Bench<'_> {
    async fn grade(&self, submission: String) -> Outcome<Given> {
        let language = LanguageTag::parse(&self.question.language);
        let language = language.map_err(|problem| problem.to_string())?;
        let task = GradingTask {
            assignment_name: String::new(),
            instructions: self.question.text.clone(),
            rubric: self.rubric.clone(),
            submission: submission.clone(),
            course_instructions: String::new(),
            course_language: self.question.language.clone(),
            feedback: FeedbackStyle::of_course(language),
            anchors: self.anchors.clone(),
            private: Vec::new(),
            model: String::new(),
        };
        let proposal = Builtin.grade(task, &Meter::default()).await?.value;
        let judged = judge(&self.rubric, &submission, &proposal, Points::HUNDRED);
        // Any number that is not picked for a look.
        let facts = LandingFacts {
            release: Release::Certified,
            ..LandingFacts::settled(HumanReview::Optional)
        };
        let route = route(&judged, Points::HUNDRED, facts, 1);
        Ok(Given {
            score: judged.score,
            review_reasons: route.reasons,
            is_held: route.held,
            confidence: least_confidence(&judged),
        })
    }
}

fn rubric(references: &[String]) -> Outcome<Rubric> {
    let rubric =
        json!({"criteria": [{"id": "c", "name": "Answer", "reference_answers": references}]});
    let rubric = rubric.as_object().ok_or("no rubric")?;
    Rubric::parse("rubric", rubric).map_err(|invalid| invalid.to_string().into())
}

fn anchor((at, (text, score)): (usize, &Graded)) -> Anchor {
    Anchor {
        grade_id: at.to_string(),
        text: text.clone(),
        points: vec![("c".to_owned(), Points::from_number(score * 100.0))],
        reason: String::new(),
    }
}

fn questions(file: &Path) -> Outcome<Vec<Question>> {
    let read = |line: &str| -> Outcome<Question> {
        let row: Value = serde_json::from_str(line)?;
        let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
        let references = row.get("references").and_then(Value::as_array);
        let references = references.into_iter().flatten().filter_map(Value::as_str);
        Ok(Question {
            id: text("question_id").ok_or("a question without an id")?,
            text: text("question").unwrap_or_default(),
            language: text("language").unwrap_or_else(|| "en".to_owned()),
            references: references.map(str::to_owned).collect(),
        })
    };
    std::fs::read_to_string(file)?.lines().map(read).collect()
}

fn answers(file: &Path) -> Outcome<BTreeMap<String, Vec<Graded>>> {
    let mut found: BTreeMap<String, Vec<Graded>> = BTreeMap::new();
    for row in csv::Reader::from_path(file)?.deserialize() {
        let row: BTreeMap<String, String> = row?;
        let text = |name: &str| row.get(name).cloned().unwrap_or_default();
        let answer = (text("answer"), text("score").parse()?);
        found.entry(text("question_id")).or_default().push(answer);
    }
    Ok(found)
}

fn summary(report: &RedTeamReport) -> String {
    let verdict = report.passes_from.map_or_else(
        || "fails at any confidence".to_owned(),
        |from| format!("passes from {from} % sure"),
    );
    format!(
        "{verdict:<23} {:>4} attacks, {:>4} flagged, {:>3} released, {:>2} of them with too much; most {:>7}",
        report.attacks,
        report.flagged,
        report.released,
        report.through,
        percent(report.greatest_gain_released)
    )
}

fn line(figures: &TechniqueFigures) -> String {
    format!(
        "{:<20} {:>4} attacks, {:>4} flagged, {:>3} released, {:>2} of them with too much; gain {:>7}, at most {:>7}, released {:>7}",
        figures.technique.as_str(),
        figures.attacks,
        figures.flagged,
        figures.released,
        figures.through,
        percent(figures.mean_gain),
        percent(figures.greatest_gain),
        percent(figures.greatest_gain_released)
    )
}

/// A gain in percent, with one decimal.
fn percent(gain: Option<Gain>) -> String {
    gain.map_or_else(
        || "-".to_owned(),
        |gain| {
            let tenths = gain.parts().div_euclid(1_000);
            let sign = if tenths < 0 { "-" } else { "" };
            let tenths = tenths.unsigned_abs();
            format!("{sign}{}.{} %", tenths / 10, tenths % 10)
        },
    )
}
