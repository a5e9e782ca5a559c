//! What the built-in grader reaches on published answers that people graded, computed anew from `tests/data`.
//!
//! The splits are those its constants were fitted on, so these figures say that the grader is the one that was
//! measured, not how good it is; for that see `docs/ai.md`. Only measuring here; no constant is made here.

use std::collections::BTreeMap;

use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::grades::GradingTask;
use lyceum_domain::points::Points;
use rstest::rstest;
use serde_json::{Value, json};

use super::anchors::{GradedAnchor, Vector, calibrated};
use super::criterion::{CriterionMatch, find};
use super::expected::Expected;
use super::flags::{is_instruction_like, security_flags};
use super::grading::{grade, question};
use super::grading_tests::task;
use super::reading::Reading;
use super::score::Features;
use super::similarity::Words;
use crate::language::Language;
use crate::numbers::count;

const TOLERANCE: f64 = 0.005;

/// A question with its references, ready to be graded against.
struct CorpusQuestion {
    words: Words,
    expected: Expected,
    language: Language,
    text: String,
    references: Vec<String>,
}

/// An answer, what a person gave for it, and what the grader finds in it.
pub(super) struct CorpusAnswer {
    question: String,
    text: String,
    pub(super) given: f64,
    pub(super) blank: bool,
    found: CriterionMatch,
    vector: Vector,
}

pub(super) struct Corpus {
    questions: BTreeMap<String, CorpusQuestion>,
    pub(super) answers: Vec<CorpusAnswer>,
}

impl Corpus {
    /// What the regression sees of an answer: the measures against the reference that it is held against.
    pub(super) fn features(&self, answer: &CorpusAnswer) -> Features {
        let question = &self.questions[&answer.question];
        let reading = Reading::new(&answer.text, &question.words, question.language, false);
        let (_, reference) = &question.expected.answers[answer.found.reference];
        reference.features(&reference.measures(&reading.whole), &reading.whole)
    }
}

fn rubric(references: &[String]) -> Rubric {
    let rubric = json!({"criteria": [{"id": "c", "name": "Answer", "max_points": 100, "reference_answers": references}]});
    Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap()
}

fn read_question(line: &str) -> (String, CorpusQuestion) {
    let row: Value = serde_json::from_str(line).unwrap();
    let language = Language::of_tag(row["language"].as_str().unwrap_or("en"));
    let references = row["references"].as_array().unwrap().iter();
    let references: Vec<String> = references
        .map(|one| one.as_str().unwrap().to_owned())
        .collect();
    let text = row["question"].as_str().unwrap().to_owned();
    let words = question("", &text, language);
    let expected = Expected::of(&rubric(&references).criteria[0], &words, language);
    let id = row["question_id"].as_str().unwrap().to_owned();
    let question = CorpusQuestion {
        words,
        expected,
        language,
        text,
        references,
    };
    (id, question)
}

/// Question, text and score of each answer.
fn rows(answers: &str) -> Vec<(String, String, f64)> {
    let mut reader = csv::Reader::from_reader(answers.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (id, text, score) = (column("question_id"), column("answer"), column("score"));
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| {
        (
            row[id].to_owned(),
            row[text].to_owned(),
            row[score].parse().unwrap(),
        )
    })
    .collect()
}

fn corpus((questions, answers): (&str, &str), keep: impl Fn(&str) -> bool) -> Corpus {
    let questions: BTreeMap<String, CorpusQuestion> =
        questions.lines().map(read_question).collect();
    let rows = rows(answers).into_iter().filter(|(id, _, _)| keep(id));
    let answers = rows.map(|(id, text, given)| {
        let question = &questions[&id];
        let reading = Reading::new(&text, &question.words, question.language, false);
        CorpusAnswer {
            given,
            blank: reading.blank,
            found: find(&question.expected, &reading),
            vector: Vector::of(&reading.compared, &reading.whole.words),
            question: id,
            text: text.clone(),
        }
    });
    let answers = answers.collect();
    Corpus { questions, answers }
}

const SEMEVAL: (&str, &str) = (
    include_str!("../../../../tests/data/semeval2013-task7/questions.jsonl"),
    include_str!("../../../../tests/data/semeval2013-task7/answers.csv"),
);
const SAF: (&str, &str) = (
    include_str!("../../../../tests/data/saf-v1/questions.jsonl"),
    include_str!("../../../../tests/data/saf-v1/answers.csv"),
);

pub(super) fn semeval() -> Corpus {
    corpus(SEMEVAL, |_| true)
}

fn beetle() -> Corpus {
    corpus(SEMEVAL, |id| id.starts_with("beetle"))
}

fn scientsbank() -> Corpus {
    corpus(SEMEVAL, |id| !id.starts_with("beetle"))
}

fn saf_en() -> Corpus {
    corpus(SAF, |id| id.starts_with("en"))
}

fn saf_de() -> Corpus {
    corpus(SAF, |id| id.starts_with("de"))
}

/// A row of numbers, the same on every machine (`SplitMix64`).
struct Draw(u64);

impl Draw {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let below = u64::try_from(below).unwrap();
        usize::try_from((z ^ (z >> 31)) % below).unwrap()
    }

    /// `k` different ones of `all`, but not `except`.
    fn some_of(&mut self, all: &[usize], k: usize, except: usize) -> Vec<usize> {
        let mut left: Vec<usize> = all.iter().copied().filter(|one| *one != except).collect();
        let mut drawn = Vec::new();
        while drawn.len() < k && !left.is_empty() {
            drawn.push(left.swap_remove(self.next(left.len())));
        }
        drawn
    }
}

/// The results of all answers, each with `k` others of the same question as anchors.
fn results(corpus: &Corpus, k: usize, seed: u64) -> Vec<f64> {
    let mut by_question: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, answer) in corpus.answers.iter().enumerate() {
        by_question.entry(&answer.question).or_default().push(index);
    }
    let mut draw = Draw(seed);
    let answers = corpus.answers.iter().enumerate();
    let graded = answers.map(|(index, answer)| {
        let drawn = draw.some_of(&by_question[answer.question.as_str()], k, index);
        let anchors: Vec<GradedAnchor> = drawn
            .iter()
            .map(|other| graded(answer, &corpus.answers[*other]))
            .collect();
        if answer.blank {
            0.0
        } else {
            calibrated(&answer.found, &anchors)
        }
    });
    graded.collect()
}

fn graded(answer: &CorpusAnswer, anchor: &CorpusAnswer) -> GradedAnchor {
    GradedAnchor {
        given: anchor.given,
        found: anchor.found,
        cosine: answer.vector.cosine(&anchor.vector),
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / count(numbers.len())
}

fn pearson(pairs: &[(f64, f64)]) -> f64 {
    let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (mean_a, mean_b) = (mean(&a), mean(&b));
    let (mut both, mut of_a, mut of_b) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        both += (a - mean_a) * (b - mean_b);
        of_a += (a - mean_a) * (a - mean_a);
        of_b += (b - mean_b) * (b - mean_b);
    }
    both / (of_a * of_b).sqrt()
}

/// Quadratic weighted kappa over quarters of the points.
fn kappa(pairs: &[(f64, f64)]) -> f64 {
    let quarter = |share: f64| (share * 4.0).round();
    let apart = |a: f64, b: f64| (a - b) * (a - b);
    let pairs: Vec<(f64, f64)> = pairs
        .iter()
        .map(|(a, b)| (quarter(*a), quarter(*b)))
        .collect();
    let observed: f64 = pairs.iter().map(|(a, b)| apart(*a, *b)).sum();
    let share = |of: &dyn Fn(&(f64, f64)) -> f64, level: f64| {
        count(
            pairs
                .iter()
                .filter(|pair| (of(pair) - level).abs() < 0.5)
                .count(),
        )
    };
    let levels = [0.0, 1.0, 2.0, 3.0, 4.0];
    let mut expected = 0.0;
    for a in levels {
        for b in levels {
            expected += apart(a, b) * share(&|pair| pair.0, a) * share(&|pair| pair.1, b);
        }
    }
    1.0 - observed * count(pairs.len()) / expected
}

/// Accuracy and macro-F1 of passing and not passing.
fn two_way(pairs: &[(f64, f64)]) -> (f64, f64) {
    let cell = |given: bool, found: bool| {
        let is = |(a, b): &&(f64, f64)| (*a >= 0.5) == given && (*b >= 0.5) == found;
        count(pairs.iter().filter(is).count())
    };
    let (yes, no) = (cell(true, true), cell(false, false));
    let wrong = cell(true, false) + cell(false, true);
    let f1 = |hit: f64| 2.0 * hit / (2.0 * hit + wrong);
    (
        (yes + no) / count(pairs.len()),
        f64::midpoint(f1(yes), f1(no)),
    )
}

fn pairs(corpus: &Corpus, results: &[f64], with_blanks: bool) -> Vec<(f64, f64)> {
    let answers = corpus.answers.iter().zip(results);
    let kept = answers.filter(|(answer, _)| with_blanks || !answer.blank);
    kept.map(|(answer, result)| (answer.given, *result))
        .collect()
}

fn assert_near(name: &str, found: &[f64], pinned: &[f64]) {
    let near = found
        .iter()
        .zip(pinned)
        .all(|(a, b)| (a - b).abs() < TOLERANCE);
    assert!(
        near && found.len() == pinned.len(),
        "{name}: {found:.4?}, pinned {pinned:?}"
    );
}

/// Accuracy, macro-F1 and what answers to other questions get on average.
#[rstest]
#[case("Beetle", beetle(), 3941, [0.7757, 0.7742, 0.1414])]
#[case("SciEntsBank", scientsbank(), 4969, [0.7253, 0.7012, 0.0194])]
fn answers_pass_as_people_let_them_pass(
    #[case] name: &str,
    #[case] corpus: Corpus,
    #[case] n: usize,
    #[case] pinned: [f64; 3],
) {
    assert_eq!(corpus.answers.len(), n);
    let (accuracy, f1) = two_way(&pairs(&corpus, &results(&corpus, 0, 0), true));
    let off_topic = off_topic(&corpus);
    assert!(off_topic <= 0.15, "{name}: {off_topic}");
    assert_near(name, &[accuracy, f1, off_topic], &pinned);
}

/// Pearson and quadratic weighted kappa with blanks, and then without, for 0, 3, 5, 10 and 20 anchors; and what
/// answers to other questions get on average.
#[rstest]
#[case("SAF en", saf_en(), [
    [0.6728, 0.4031, 0.4705, 0.2245], [0.7563, 0.7036, 0.5633, 0.4969], [0.7800, 0.7381, 0.5936, 0.5334],
    [0.8033, 0.7703, 0.6307, 0.5757], [0.8199, 0.7916, 0.6600, 0.6069]], 0.1170)]
#[case("SAF de", saf_de(), [
    [0.4552, 0.0778, 0.4552, 0.0778], [0.5910, 0.4203, 0.5910, 0.4203], [0.6315, 0.5031, 0.6315, 0.5031],
    [0.6884, 0.6124, 0.6884, 0.6124], [0.7179, 0.6696, 0.7179, 0.6696]], 0.0138)]
fn anchors_bring_results_nearer_to_what_people_gave(
    #[case] name: &str,
    #[case] corpus: Corpus,
    #[case] pinned: [[f64; 4]; 5],
    #[case] pinned_off_topic: f64,
) {
    let found = [0, 3, 5, 10, 20].map(|k| with_anchors(&corpus, k));
    assert!(
        found.is_sorted_by(|fewer, more| fewer[3] < more[3]),
        "{name}: {found:.4?}"
    );
    let off_topic = off_topic(&corpus);
    assert!(off_topic <= 0.15, "{name}: {off_topic}");
    assert_near(name, found.as_flattened(), pinned.as_flattened());
    assert_near(name, &[off_topic], &[pinned_off_topic]);
}

/// The mean over three draws of `k` anchors.
fn with_anchors(corpus: &Corpus, k: usize) -> [f64; 4] {
    let mut means = [0.0; 4];
    for seed in 1..=3 {
        let results = results(corpus, k, seed);
        let (all, said) = (
            pairs(corpus, &results, true),
            pairs(corpus, &results, false),
        );
        let figures = [pearson(&all), kappa(&all), pearson(&said), kappa(&said)];
        for (mean, figure) in means.iter_mut().zip(figures) {
            *mean += figure / 3.0;
        }
    }
    means
}

/// Beetle asks nearly the same many times over within a module, and its questions share their answers.
fn other_topic(id: &str, other: &str) -> bool {
    let module = |id: &str| {
        id.starts_with("beetle")
            .then(|| id.split(':').nth(1).unwrap().to_owned())
    };
    id != other && (module(id).is_none() || module(id) != module(other))
}

/// What every third answer gets on average where it is given to another question of the same corpus.
fn off_topic(corpus: &Corpus) -> f64 {
    let mut draw = Draw(7);
    let ids: std::collections::BTreeSet<&str> = corpus
        .answers
        .iter()
        .map(|answer| answer.question.as_str())
        .collect();
    let answers = corpus.answers.iter().step_by(3);
    let found: Vec<f64> = answers
        .map(|answer| {
            let ids = ids.iter().copied();
            let others: Vec<&str> = ids.filter(|id| other_topic(id, &answer.question)).collect();
            let other = &corpus.questions[others[draw.next(others.len())]];
            let reading = Reading::new(&answer.text, &other.words, other.language, false);
            find(&other.expected, &reading).probability
        })
        .collect();
    mean(&found)
}

#[test]
fn honest_answers_are_hardly_ever_taken_for_tricks() {
    let mut raised: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let (mut flagged, mut all) = (0, 0);
    for (questions, answers) in [SEMEVAL, SAF] {
        let questions: BTreeMap<String, CorpusQuestion> =
            questions.lines().map(read_question).collect();
        for (id, text, _) in rows(answers) {
            let question = &questions[&id];
            let taught = format!("{} {}", question.text, question.references.join(" "));
            let flags = security_flags(&text, &taught);
            all += 1;
            flagged += usize::from(!flags.is_empty());
            for flag in flags {
                raised.entry(flag).or_default().push(text.clone());
            }
        }
    }
    let share = count(flagged) / count(all);
    assert!(
        share <= 0.005 && all > 11_000,
        "{share} of {all}: {raised:#?}"
    );
}

const ORDERS: &str = include_str!("../../../../tests/data/orders/orders.jsonl");
const MORE_ORDERS: &str = include_str!("../../../../tests/data/orders/more.jsonl");
const UNSEEN: &str = include_str!("../../../../tests/data/orders/unseen.jsonl");
const UNSEEN_ANEW: &str = include_str!("../../../../tests/data/orders/unseen_anew.jsonl");
const UNSEEN_AT_LAST: &str = include_str!("../../../../tests/data/orders/unseen_at_last.jsonl");
const HONEST: &str = include_str!("../../../../tests/data/orders/honest.jsonl");

/// The lines of a set of texts, each with whether it is taken for an order.
fn looked_at(set: &str) -> Vec<(Value, bool)> {
    let lines = set
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let looked = lines.map(|case| {
        let is = is_instruction_like(case["text"].as_str().unwrap());
        (case, is)
    });
    looked.collect()
}

/// The detector was built with these sets in view, so the shares say nothing of other texts.
#[rstest]
#[case::written_before_it(ORDERS, 60, 1)]
#[case::written_with_it(MORE_ORDERS, 991, 75)]
#[case::written_unseen_and_read_since(UNSEEN, 60, 2)]
#[case::written_unseen_anew_and_read_since(UNSEEN_ANEW, 60, 4)]
fn orders_that_the_detector_was_built_with_are_seen(
    #[case] set: &str,
    #[case] all: usize,
    #[case] at_most_missed: usize,
) {
    let looked = looked_at(set);
    let missed = looked.iter().filter(|(_, is)| !is);
    let missed: Vec<&Value> = missed.map(|(case, _)| case).collect();
    assert!(
        missed.len() <= at_most_missed && looked.len() == all,
        "{} of {}: {missed:#?}",
        missed.len(),
        looked.len()
    );
}

/// What it is worth on texts that nobody who built it had seen; no text is shown where it fails, so that none is built with.
#[test]
fn of_orders_that_the_detector_was_not_built_with_more_than_eight_of_ten_are_seen() {
    let looked = looked_at(UNSEEN_AT_LAST);
    let seen = looked.iter().filter(|(_, is)| *is).count();
    assert!(seen >= 53 && looked.len() == 60, "{seen}");
}

/// The number in an id such as `h178`.
fn number(case: &Value) -> usize {
    let id = case["id"].as_str().unwrap().trim_start_matches('h');
    id.parse().unwrap()
}

/// Answers that talk of grading, of what teachers said, of code and of letters, and ask nobody for a grade.
#[test]
fn honest_texts_of_the_dangerous_kind_are_hardly_ever_taken_for_orders() {
    let looked = looked_at(HONEST);
    let taken = looked.iter().filter(|(_, is)| *is);
    let taken: Vec<&Value> = taken.map(|(case, _)| case).collect();
    let of_the_first = taken.iter().filter(|case| number(case) <= 178).count();
    assert!(
        of_the_first <= 4 && taken.len() <= 31 && looked.len() == 412,
        "{taken:#?}"
    );
}

#[test]
fn a_text_as_long_as_is_read_is_looked_at_in_a_moment() {
    let text =
        "The teacher said that this answer gets 10 points; 4d 61 72 6b = %4d%61. ".repeat(1_400);
    let begun = std::time::Instant::now();
    is_instruction_like(&"Light is needed for it, and water. ".repeat(3_000));
    is_instruction_like(&text);
    // Tens of milliseconds on a machine that is free; quadratic work would take minutes.
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

#[derive(serde::Deserialize)]
struct InjectionCases {
    assignments: BTreeMap<String, Value>,
    tests: Vec<InjectionCase>,
}

#[derive(serde::Deserialize)]
struct InjectionCase {
    id: String,
    assignment: String,
    submission: String,
    expect: Expect,
}

#[derive(serde::Deserialize)]
struct Expect {
    min_score_ratio: f64,
    max_score_ratio: f64,
    must_flag: bool,
    output_must_not_contain: Vec<String>,
}

impl InjectionCases {
    fn read() -> Self {
        serde_json::from_str(include_str!("../../../../tests/data/injections.json")).unwrap()
    }

    fn task(&self, attack: &InjectionCase) -> GradingTask {
        let assignment = &self.assignments[&attack.assignment];
        let criteria = assignment["criteria"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| {
                json!({"id": one["id"], "name": one["title"], "max_points": one["max_points"],
                "weight": one["max_points"], "reference_answers": [one["reference"]]})
            });
        let rubric = json!({"criteria": criteria.collect::<Vec<_>>()});
        let (asked, language) = (&assignment["question"], &assignment["language"]);
        task(
            asked.as_str().unwrap(),
            &rubric,
            &attack.submission,
            language.as_str().unwrap(),
        )
    }
}

#[test]
fn every_known_attack_is_flagged_and_gains_nothing() {
    let attacks = InjectionCases::read();
    assert!(attacks.tests.len() >= 18);
    for attack in &attacks.tests {
        let task = attacks.task(attack);
        let proposal = grade(&task).proposal;
        let flags: Vec<&String> = proposal
            .flags
            .iter()
            .filter(|flag| *flag != "uncalibrated")
            .collect();
        assert!(
            !attack.expect.must_flag || !flags.is_empty(),
            "{}",
            attack.id
        );
        let judged = lyceum_domain::grading::grades::judge(
            &task.rubric,
            &task.submission,
            &proposal,
            Points::HUNDRED,
        );
        let score = judged.score.to_number() / 100.0;
        let least = attack.expect.min_score_ratio;
        assert!(
            score <= attack.expect.max_score_ratio && score >= least,
            "{}: {score} {flags:?}",
            attack.id
        );
        let secrets = attack.expect.output_must_not_contain.iter();
        for secret in secrets {
            assert!(!proposal.feedback.contains(secret), "{}", attack.id);
        }
    }
}
