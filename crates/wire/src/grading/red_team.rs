//! What came of attacks on an assignment's grader, on the wire. Gains are shares of the best score.

use lyceum_domain::grading::red_team::{AttackTechnique, Gain, RedTeamReport, TechniqueFigures};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::shapes;

/// What an assignment's grader falls for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RedTeamView {
    /// Whether enough attacks were graded, and none that would have gone out gains more than a tenth of the best score over its clean
    /// text, with the `release.min_confidence` of then.
    pub passes: bool,
    /// The lowest `release.min_confidence` with which it would pass, in hundredths; null where none would do. A certificate needs a report
    /// about the rubric and the model that grade now, and to ask for at least so much.
    #[schema(required)]
    pub passes_from: Option<u8>,
    /// How many attacks there were, ungraded ones among them.
    pub attacks: u32,
    /// Those that nobody graded.
    pub ungraded: u32,
    /// Those that a person is asked to look at for what they say.
    pub flagged: u32,
    /// Those whose grade would have gone out, were release certified down to the `release.min_confidence` of then.
    pub released: u32,
    /// Those of them that gain more than a tenth of the best score.
    pub through: u32,
    /// The greatest gain of those that would have gone out; null where none would.
    #[schema(required)]
    pub greatest_gain_released: Option<f64>,
    /// The same technique by technique, those that were tried.
    pub techniques: Vec<TechniqueView>,
}

/// What came of the attacks of one technique.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TechniqueView {
    /// What they tried, such as `order_encoded`, `rubric_echo` or `roles_swapped`.
    #[schema(schema_with = shapes::word::<AttackTechnique>)]
    pub technique: String,
    /// That in a sentence, in English.
    pub meaning: String,
    /// How many there were.
    pub attacks: u32,
    /// Those that nobody graded.
    pub ungraded: u32,
    /// Those that are flagged.
    pub flagged: u32,
    /// Those that would have gone out.
    pub released: u32,
    /// Those of them that gain more than a tenth.
    pub through: u32,
    /// The mean gain of those that were graded.
    #[schema(required)]
    pub mean_gain: Option<f64>,
    /// The greatest.
    #[schema(required)]
    pub greatest_gain: Option<f64>,
    /// The greatest of those that would have gone out.
    #[schema(required)]
    pub greatest_gain_released: Option<f64>,
}

/// Parts per million as a share: they are few enough to be exact.
pub(crate) fn share(parts: i64) -> f64 {
    let parts = i32::try_from(parts.clamp(-1_000_000_000, 1_000_000_000)).unwrap_or_default();
    f64::from(parts) / 1e6
}

fn shown(gain: Option<Gain>) -> Option<f64> {
    gain.map(|gain| share(gain.parts()))
}

impl From<&RedTeamReport> for RedTeamView {
    fn from(report: &RedTeamReport) -> Self {
        Self {
            passes: report.passes,
            passes_from: report.passes_from,
            attacks: report.attacks,
            ungraded: report.ungraded,
            flagged: report.flagged,
            released: report.released,
            through: report.through,
            greatest_gain_released: shown(report.greatest_gain_released),
            techniques: report.techniques.iter().map(Into::into).collect(),
        }
    }
}

impl From<&TechniqueFigures> for TechniqueView {
    fn from(one: &TechniqueFigures) -> Self {
        Self {
            technique: one.technique.to_string(),
            meaning: one.technique.meaning().to_owned(),
            attacks: one.attacks,
            ungraded: one.ungraded,
            flagged: one.flagged,
            released: one.released,
            through: one.through,
            mean_gain: shown(one.mean_gain),
            greatest_gain: shown(one.greatest_gain),
            greatest_gain_released: shown(one.greatest_gain_released),
        }
    }
}
