//! What certificates would come to on a data set that people graded: declared, drawn and looked at as the service does it, many times
//! over, so that it shows how often one is earned, what goes out, and how often the promise is broken.
//!
//! A task is a question with its answers. Ten of them, or as many as one likes, are examples; the others are graded once, each by these
//! examples, and classes are drawn from them with replacement. So what is right above each threshold is known exactly. How people and
//! grader disagree, what may go out and what is drawn is decided by `lyceum_domain::grading`, as in the service.

mod grading;
mod redraws;
mod shares;

use std::sync::Arc;

use lyceum_domain::authoring::release_terms::{AskedTerms, ReleaseTerms};
use lyceum_domain::grading::certificates::declaration::Terms;
use serde::{Deserialize, Serialize};

use crate::asking::{Asker, Stop};
use crate::dataset::{Choice, Dataset, DatasetError};
use crate::report::{DataPart, GraderPart, VERSION};

pub use grading::Task;
pub use shares::Share;

/// A question with fewer answers beside its examples says too little.
pub const FEWEST_ANSWERS: usize = 25;

/// What is simulated.
#[derive(Debug, Clone)]
pub struct Simulation {
    /// Answers and questions.
    pub dataset: Arc<Dataset>,
    /// Name of the file of answers, for the report.
    pub answers_file: String,
    /// Which answers.
    pub choice: Choice,
    /// How many examples the grader is shown.
    pub examples: usize,
    /// What is promised: the highest shares of disagreements, in hundredths.
    pub promises: Vec<u8>,
    /// How many answers are to be graded blind.
    pub tests: Vec<u32>,
    /// How many answers a class hands in.
    pub class: usize,
    /// How many classes are drawn of each task.
    pub redraws: u32,
    /// By more than this share of the points, in hundredths, two grades disagree.
    pub points_share: u8,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReleaseReport {
    /// Always `release`.
    pub report: String,
    /// Version of the shape of reports.
    pub version: u32,
    /// What was graded.
    pub data: DataPart,
    /// Who graded.
    pub grader: GraderPart,
    /// How many examples the grader was shown.
    pub examples: usize,
    /// How many answers a class handed in.
    pub class: usize,
    /// How many classes were drawn of each task.
    pub redraws: u32,
    /// By more than this share of the points, in hundredths, two grades disagreed.
    pub points_share: u8,
    /// How many tasks there are.
    pub tasks: usize,
    /// How many of their answers were graded, without the examples.
    pub answers: usize,
    /// The share of these that nothing but a certificate would hold.
    pub releasable: Option<f64>,
    /// The share of disagreements among those.
    pub disagreement: Option<f64>,
    /// Why it stopped early, if it did.
    pub stopped: Option<Stop>,
    /// What came of each promise with each number of tests.
    pub rows: Vec<ReleaseRow>,
}

/// What came of one promise with one number of tests. Shares are of all tries, unless it says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReleaseRow {
    /// The highest share of disagreements that was promised, in hundredths.
    pub max_disagreement: u8,
    /// How many answers were to be graded blind; more were drawn where fewer could prove nothing.
    pub tests: u32,
    /// Whether only those tasks were tried of which the offer said that it is worth it, down to the confidence that it named.
    pub as_offered: bool,
    /// Which share of the tasks that was.
    pub tried: f64,
    /// How many certificates were tried for.
    pub tries: u32,
    /// How many answers were graded blind, on average of the tries in which any were drawn.
    pub drawn: Option<f64>,
    /// Earned.
    pub certified: Option<Share>,
    /// What went out of those in the class that nobody graded blind.
    pub released: Option<Share>,
    /// The same where it was certified.
    pub released_where_certified: Option<f64>,
    /// The share of disagreements among all that went out.
    pub disagreement: Option<f64>,
    /// More disagreed among what went out than was promised.
    pub broken_at_hand: Option<Share>,
    /// Above the threshold more disagree in the whole task than was promised, so also among later answers.
    pub broken_of_later: Option<Share>,
}

/// Grades the tasks and simulates certificates; `tell` hears of each answer as it is graded.
///
/// # Errors
/// [`DatasetError::Empty`], also where no question has enough answers.
pub async fn simulate(
    simulation: &Simulation,
    asker: &Asker,
    tell: &(dyn Fn() + Sync),
) -> Result<ReleaseReport, DatasetError> {
    let mut seen = GraderPart::seen(&asker.engine);
    let tasks = grading::graded(simulation, asker, &mut seen, tell).await?;
    let answers = tasks.iter().flat_map(|task| &task.answers);
    let free: Vec<bool> = answers.clone().flatten().map(|one| one.is_error).collect();
    let errors = free.iter().filter(|is_error| **is_error).count();
    let answers = answers.count();
    Ok(ReleaseReport {
        report: "release".to_owned(),
        version: VERSION,
        data: simulation.data(),
        grader: seen.finished(),
        examples: simulation.examples,
        class: simulation.class,
        redraws: simulation.redraws,
        points_share: simulation.points_share,
        tasks: tasks.len(),
        answers,
        releasable: shares::part(free.len(), answers),
        disagreement: shares::part(errors, free.len()),
        stopped: asker.tally().stop,
        rows: redraws::rows(simulation, &tasks),
    })
}

impl Simulation {
    fn data(&self) -> DataPart {
        DataPart {
            answers_file: self.answers_file.clone(),
            answers_sha256: self.dataset.answers_hash.clone(),
            questions_sha256: self.dataset.questions_hash.clone(),
            split: self.choice.split.clone(),
            limit: self.choice.limit,
            seed: self.choice.seed,
        }
    }

    /// What a teacher would ask for who promises so much; none where nobody may.
    fn terms(&self, max_disagreement: u8) -> Option<Terms> {
        let asked = AskedTerms {
            max_disagreement: Some(max_disagreement.into()),
            points_share: Some(self.points_share.into()),
            ..AskedTerms::default()
        };
        let terms = ReleaseTerms::parse(&asked, "").ok()?;
        Some(Terms::from(&terms))
    }
}
