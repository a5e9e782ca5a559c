//! The report of a run as data: what is written as JSON, what the page shows and what `compare` reads.
//!
//! It holds scores and the names of answers, never their texts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::asking::Stop;
use crate::bootstrap::{Unit, intervals};
use crate::gates::Gate;
use crate::metrics::{FIGURES, Pair, Scale, figures};
use crate::numbers::rounded;

mod demands;
mod parts;

pub use parts::run_report;

/// Version of the report's form.
pub const VERSION: u32 = 1;

/// A grader held against people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GradeReport {
    /// Always `grade`.
    pub report: String,
    /// [`VERSION`].
    pub version: u32,
    /// What was graded.
    pub data: DataPart,
    /// Who graded.
    pub grader: GraderPart,
    /// How many bands the scores are rounded to where bands are compared.
    pub bands: usize,
    /// From which share of the maximum on an answer passes.
    pub pass_mark: f64,
    /// Why not everything was graded, where that is so.
    pub stopped: Option<Stop>,
    /// One per number of anchors.
    pub runs: Vec<RunReport>,
}

/// What was graded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataPart {
    /// Name of the file of answers.
    pub answers_file: String,
    /// Its SHA-256.
    pub answers_sha256: String,
    /// SHA-256 of the file of questions.
    pub questions_sha256: String,
    /// The split that was chosen.
    pub split: Option<String>,
    /// How many were drawn at most.
    pub limit: Option<usize>,
    /// Seed of the draws.
    pub seed: u64,
}

/// Who graded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraderPart {
    /// Where the provider is; `builtin` for the built-in engine, which is nowhere else.
    pub provider: String,
    /// The model that was asked.
    pub model_asked: String,
    /// The models that answered.
    pub models: Vec<String>,
    /// Versions of prompt or algorithm that answered.
    pub prompt_versions: Vec<String>,
    /// SHA-256 over the three: equal in two reports if the same answered.
    pub fingerprint: String,
}

/// A figure with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The figure; absent where the answers do not allow it.
    pub value: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
}

/// Figures by name.
pub type Figures = BTreeMap<String, Measured>;

/// One run: every answer, with so many anchors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    /// Graded answers of the same question that the grader was shown.
    pub anchors: usize,
    /// Answers with a score of person and grader: what every figure is of.
    pub n: usize,
    /// Questions they answer.
    pub questions: usize,
    /// What stands in the way of trusting the figures, in sentences.
    pub caveats: Vec<String>,
    /// Answers without a score, by reason.
    pub missing: BTreeMap<String, usize>,
    /// The figures, by the names of [`FIGURES`].
    pub figures: Figures,
    /// What the intervals were drawn by.
    pub resampled_by: Unit,
    /// Two people on the same answers, where there are two scores.
    pub human_human: Option<HumanHuman>,
    /// How it does with weak, middling and strong answers.
    pub score_bands: Vec<ScoreBand>,
    /// Rows: the person's band; columns: the grader's.
    pub confusion: Vec<Vec<usize>>,
    /// How far its confidence can be relied on.
    pub confidence: Confidence,
    /// What it asked people to look at.
    pub flags: Flags,
    /// Whether it quoted what is there.
    pub quotes: Quotes,
    /// How its answers came.
    pub validity: Validity,
    /// What it took.
    pub effort: Effort,
    /// Groups of learners.
    pub groups: BTreeMap<String, Group>,
    /// What it must reach to be relied on.
    pub gates: Vec<Gate>,
    /// Every answer, by name.
    pub answers: Vec<AnswerRow>,
}

/// Two people on the same answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HumanHuman {
    /// Answers with both.
    pub n: usize,
    /// The second person held against the first.
    pub figures: Figures,
    /// The grader held against the first, on the same answers.
    pub machine: Figures,
}

/// Answers of about the same worth, by the person's score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreBand {
    /// `low`, `mid` or `high`.
    pub name: String,
    /// Answers in it.
    pub n: usize,
    /// Mean of the person's scores.
    pub human_mean: Option<f64>,
    /// Mean of the grader's.
    pub machine_mean: Option<f64>,
    /// Mean distance.
    pub mae: Option<f64>,
    /// Share on the same side of the pass mark.
    pub accuracy: Option<f64>,
    /// Share in the same band.
    pub exact_agreement: Option<f64>,
}

/// How far confidence can be relied on, when "right" means the same side of the pass mark, or the same band.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// Answers for which the grader said how sure it is.
    pub n: usize,
    /// Right means: the same side of the pass mark.
    pub pass: Reliance,
    /// Right means: the same band.
    pub band: Reliance,
}

/// Confidence against being right.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reliance {
    /// Expected calibration error, ten bins.
    pub ece: Option<f64>,
    /// Chance that a right answer has the higher confidence.
    pub auroc: Option<f64>,
    /// Per bin of confidence.
    pub bins: Vec<Bin>,
    /// The most certain share of answers and how often it is right there.
    pub coverage: Vec<Point>,
}

/// Answers of about the same confidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Mean confidence.
    pub confidence: f64,
    /// Share that is right.
    pub right: f64,
    /// Answers.
    pub n: usize,
}

/// A point of the coverage curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Share of the answers.
    pub share: f64,
    /// Share of these that is right.
    pub right: f64,
}

/// Reasons to have a person look.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flags {
    /// Share of answers with any.
    pub any: Option<f64>,
    /// Share of answers with one that suspects an attack.
    pub security: Option<f64>,
    /// Answers per reason.
    pub by_reason: BTreeMap<String, usize>,
}

/// Passages that the grader named.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quotes {
    /// How many.
    pub named: usize,
    /// Those that stand in the answer.
    pub verified: usize,
    /// Their share.
    pub rate: Option<f64>,
}

/// How the grader's answers came, as far as the provider recorded it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validity {
    /// Fit for use at once.
    pub first_time: usize,
    /// Fit after a repair.
    pub after_repair: usize,
    /// Not fit, also after a repair.
    pub failed: usize,
    /// Refused.
    pub refused: usize,
}

/// What a run took; answers from an earlier run count with what they took then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Requests.
    pub calls: usize,
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// Tokens read that the provider still had.
    pub tokens_cached: u64,
    /// In US dollars, where prices are known.
    pub cost_usd: Option<f64>,
    /// For a hundred answers.
    pub cost_per_100_usd: Option<f64>,
    /// Half of the answers took at most this.
    pub latency_p50_ms: Option<f64>,
    /// All but a twentieth took at most this.
    pub latency_p95_ms: Option<f64>,
}

/// A group of learners.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Answers.
    pub n: usize,
    /// Mean of the person's scores.
    pub human_mean: Option<f64>,
    /// Mean of the grader's.
    pub machine_mean: Option<f64>,
    /// (machine − person) / deviation of all human scores.
    pub smd: Option<f64>,
    /// Difference between standardised means: 0 for a grader that is equally strict to everybody.
    pub dsm: Option<f64>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerRow {
    /// Its question.
    pub question_id: String,
    /// Its name.
    pub answer_id: String,
    /// The person's score.
    pub human: f64,
    /// The second person's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<f64>,
    /// The grader's.
    pub machine: Option<f64>,
    /// How sure it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Reasons to have a person look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Why there is no score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

impl GradeReport {
    /// The scale its scores were compared on.
    pub fn scale(&self) -> Scale {
        Scale {
            bands: self.bands,
            pass: self.pass_mark,
        }
    }
}

/// Every figure with its interval.
pub fn measure(pairs: &[Pair], scale: Scale, resamples: usize) -> (Unit, Figures) {
    let (unit, intervals) = intervals(pairs, scale, resamples);
    let figures = figures(pairs, scale);
    let named = FIGURES.iter().zip(figures.iter().zip(&intervals));
    let measured = named.map(|(name, (value, interval))| {
        // Without the figure itself, an interval would only confuse.
        let interval = interval.filter(|_| value.is_some());
        let measured = Measured {
            value: value.map(rounded),
            low: interval.map(|(low, _)| rounded(low)),
            high: interval.map(|(_, high)| rounded(high)),
        };
        ((*name).to_owned(), measured)
    });
    (unit, measured.collect())
}

/// How many bands the people used: the fewest of equal distance, from 2 to 11, that hold every score; 11 otherwise.
pub fn bands_of(scores: &[f64]) -> usize {
    let fits = |bands: &usize| {
        let steps = f64::from(u32::try_from(bands.saturating_sub(1)).unwrap_or(1));
        scores.iter().all(|score| {
            let place = score * steps;
            (place - place.round()).abs() < 0.01 * steps
        })
    };
    (2..=11).find(fits).unwrap_or(11)
}
