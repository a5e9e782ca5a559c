//! A whole evaluation: a data set, a grader, one run per number of anchors, one report.

use std::collections::BTreeSet;
use std::sync::Arc;

use lyceum_domain::hex;
use sha2::{Digest, Sha256};

use crate::asking::{Asker, Engine};
use crate::dataset::{Choice, Dataset, DatasetError};
use crate::metrics::Scale;
use crate::report::{DataPart, GradeReport, GraderPart, RunReport, VERSION, bands_of, run_report};
use crate::run::{Graded, Plan, run};

/// What is evaluated, and how it is compared.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// Answers and questions.
    pub dataset: Arc<Dataset>,
    /// Name of the file of answers, for the report.
    pub answers_file: String,
    /// Which answers.
    pub choice: Choice,
    /// How many anchors the grader is shown; one run each.
    pub anchors: Vec<usize>,
    /// How many bands scores are rounded to; as many as the people used where nobody says.
    pub bands: Option<usize>,
    /// From which share of the maximum on an answer passes.
    pub pass_mark: f64,
}

/// Evaluates a grader; `tell` hears of each answer as it is done.
///
/// # Errors
/// [`DatasetError::Empty`]
pub async fn evaluate(
    evaluation: &Evaluation,
    asker: &Asker,
    tell: &(dyn Fn(&Graded) + Sync),
) -> Result<GradeReport, DatasetError> {
    let dataset = &evaluation.dataset;
    let chosen = dataset.choose(&evaluation.choice)?;
    let people: Vec<f64> = chosen
        .iter()
        .filter_map(|at| Some(dataset.answers.get(*at)?.score))
        .collect();
    let scale = Scale {
        bands: evaluation.bands.unwrap_or_else(|| bands_of(&people)),
        pass: evaluation.pass_mark,
    };
    let mut seen = GraderPart::seen(&asker.engine);
    let mut runs: Vec<RunReport> = Vec::new();
    for anchors in &evaluation.anchors {
        let plan = Plan {
            chosen: chosen.clone(),
            anchors: *anchors,
            seed: evaluation.choice.seed,
        };
        let graded = run(dataset, &plan, asker, tell).await;
        for response in graded.iter().filter_map(|one| one.response.as_ref()) {
            seen.note(&response.model, &response.prompt_version);
        }
        runs.push(run_report(dataset, &graded, *anchors, scale));
    }
    Ok(GradeReport {
        report: "grade".to_owned(),
        version: VERSION,
        data: DataPart {
            answers_file: evaluation.answers_file.clone(),
            answers_sha256: dataset.answers_hash.clone(),
            questions_sha256: dataset.questions_hash.clone(),
            split: evaluation.choice.split.clone(),
            limit: evaluation.choice.limit,
            seed: evaluation.choice.seed,
        },
        grader: seen.finished(),
        bands: scale.bands,
        pass_mark: scale.pass,
        stopped: asker.tally().stop,
        runs,
    })
}

impl GraderPart {
    /// A grader of which nothing is known yet but who is asked.
    pub fn seen(engine: &Engine) -> Self {
        Self {
            provider: engine.address.clone(),
            model_asked: engine.resolved.model.clone(),
            models: Vec::new(),
            prompt_versions: Vec::new(),
            fingerprint: String::new(),
        }
    }

    /// Notes who answered, and with which prompt.
    pub fn note(&mut self, model: &str, prompt_version: &str) {
        for (known, new) in [
            (&mut self.models, model),
            (&mut self.prompt_versions, prompt_version),
        ] {
            if !known.iter().any(|one| one == new) {
                known.push(new.to_owned());
            }
        }
    }

    /// With its fingerprint.
    #[must_use]
    pub fn finished(mut self) -> Self {
        self.models.sort();
        self.prompt_versions.sort();
        let parts: BTreeSet<&str> = self
            .models
            .iter()
            .chain(&self.prompt_versions)
            .chain([&self.provider])
            .map(String::as_str)
            .collect();
        let joined: Vec<&str> = parts.into_iter().collect();
        self.fingerprint = hex::lower(&Sha256::digest(joined.join("\n").as_bytes()));
        self
    }
}
