//! Calibration on the wire.

use std::collections::BTreeMap;

use lyceum_domain::grading::calibration::agreement::{Agreement, Estimate};
use lyceum_domain::grading::certificates::offer::{Offer, Trial};
use lyceum_domain::ids::{AssignmentId, SubmissionId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::shapes;

/// How AI and the teacher of an assignment agree, and which answers to grade next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CalibrationView {
    /// Always `calibration`.
    pub object: String,
    /// The assignment.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Assignment>)]
    pub assignment_id: String,
    /// How many answers people graded from which a grader learns: the newest fifty at most, and none that they only let
    /// stand.
    pub examples: usize,
    /// How many of these were graded blind.
    pub blind_grades: usize,
    /// Submissions (`sub_…`) that wait for a blind grade.
    pub waiting_blind: Vec<String>,
    /// Which to grade next for the grader to learn from: a typical one of each fifth of what AI gives.
    pub next: Vec<String>,
    /// Which to grade to find out how good it is: at most twenty, drawn by lot, the same until they are graded.
    pub drawn: Vec<String>,
    /// How AI and the teacher agree on what was graded blind; null before the first.
    #[schema(required)]
    pub agreement: Option<AgreementView>,
    /// What became of AI's grades of the newest two thousand answers as things are.
    pub standing: StandingView,
    /// Whether a certificate is worth a try; null where the assignment asks for none, or there is one, or a try is under way.
    #[schema(required)]
    pub offer: Option<OfferView>,
}

/// Whether a certificate is worth a try, by what people graded already: advice that proves nothing, since examples may have been
/// chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OfferView {
    /// How many answers wait that could be drawn from, of the newest two thousand.
    pub at_hand: u32,
    /// How many are needed for a try, if AI were equally sure of all and nothing else held any; null where no number is enough.
    #[schema(required)]
    pub needed: Option<u32>,
    /// How many more have to be handed in before it can be tried; null where no number is enough.
    #[schema(required)]
    pub missing: Option<u32>,
    /// Of how many graded examples this is: each graded by the built-in grader as if it had not seen it, or blind and by a language
    /// model before. Those that would wait anyway are not counted.
    pub examples: u32,
    /// On how many of them AI and the teacher disagree.
    pub disagreements: u32,
    /// What a try with few, usual and many tests would come to.
    pub tries: Vec<TrialView>,
    /// The lowest `max_disagreement` that the usual number of tests proves with a chance of at least one in five; null where there
    /// is none, or no example.
    #[schema(required)]
    pub least_offered: Option<u8>,
}

/// What a try with so many tests would come to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TrialView {
    /// How many answers you would grade blind: what to send as `tests`.
    pub tests: u32,
    /// With how many disagreements among them the promise still holds.
    pub disagreements_borne: u32,
    /// The estimated chance that it holds, 0 to 1, for what AI is at least as sure of as `min_confidence` says; where that is null, the
    /// best that there is. Null without an example.
    #[schema(required)]
    pub chance: Option<f64>,
    /// The lowest confidence down to which the chance is at least one in five; null where trying is not advised.
    #[schema(required)]
    pub min_confidence: Option<u8>,
}

/// How AI's grade was come by that the teacher's is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// The built-in grader graded each answer anew, with all examples but that one.
    LeaveOneOut,
    /// What the language model last said of it.
    AsGraded,
}

/// How AI and the teacher agree, each figure with the interval that holds it in 90 of 100 cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgreementView {
    /// How AI's grades were come by.
    pub method: Method,
    /// How many answers this is about.
    pub answers: u32,
    /// The share to which both gave the same points.
    pub exact: EstimateView,
    /// The share on which they are at most a tenth of the points apart.
    pub within_tenth: EstimateView,
    /// The share that one passes and the other fails, at half the points.
    pub flips: EstimateView,
    /// The share on which they disagree: one passes and the other fails it, or they are more than a quarter of the points
    /// apart.
    pub disagreements: EstimateView,
    /// How much higher AI grades on average, as a part of the best score; below 0 it is stricter. Null below five answers.
    #[schema(required)]
    pub mean_difference: Option<EstimateView>,
    /// Quadratic weighted kappa: 1 for the same points everywhere, 0 for what chance gives. Null below five answers, and
    /// where nothing varies.
    #[schema(required)]
    pub kappa: Option<EstimateView>,
}

/// A figure and its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EstimateView {
    /// The figure.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What became of AI's grades. What waits for a blind grade is not counted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct StandingView {
    /// Answers that a person decided about.
    pub decided: u32,
    /// AI grades that are out and that nobody has looked at.
    pub released: u32,
    /// AI grades that wait for a person.
    pub held: u32,
    /// Answers that AI has not graded, nor anybody else.
    pub ungraded: u32,
    /// Why grades wait, and how many for it; one may wait for several reasons.
    pub held_because: BTreeMap<String, u32>,
}

impl CalibrationView {
    /// Of an assignment: how many examples there are and how many of them are blind; which answers wait for a blind grade,
    /// are to be graded next, and are drawn; how AI and the teacher agree; what became of AI's grades.
    pub fn new(
        assignment: AssignmentId,
        (examples, blind_grades): (usize, usize),
        [waiting_blind, next, drawn]: [&[SubmissionId]; 3],
        agreement: Option<(&Agreement, Method)>,
        standing: StandingView,
    ) -> Self {
        let names = |ids: &[SubmissionId]| ids.iter().map(ToString::to_string).collect();
        Self {
            object: "calibration".to_owned(),
            assignment_id: assignment.to_string(),
            examples,
            blind_grades,
            waiting_blind: names(waiting_blind),
            next: names(next),
            drawn: names(drawn),
            agreement: agreement.map(|(found, method)| AgreementView::new(found, method)),
            standing,
            offer: None,
        }
    }
}

impl From<&Offer> for OfferView {
    fn from(offer: &Offer) -> Self {
        Self {
            at_hand: offer.at_hand,
            needed: offer.needed,
            missing: offer.missing(),
            examples: offer.examples.tests(),
            disagreements: offer.examples.errors(),
            tries: offer.tries.iter().map(TrialView::from).collect(),
            least_offered: offer.least_offered,
        }
    }
}

impl From<&Trial> for TrialView {
    /// The chance in whole hundredths: no more of it means anything.
    fn from(trial: &Trial) -> Self {
        Self {
            tests: trial.tests,
            disagreements_borne: trial.borne,
            chance: trial.chance.map(|chance| (chance * 100.0).round() / 100.0),
            min_confidence: trial.floor,
        }
    }
}

impl AgreementView {
    fn new(found: &Agreement, method: Method) -> Self {
        let Agreement {
            answers,
            exact,
            within_tenth,
            flips,
            disagreements,
            mean_difference,
            kappa,
        } = found;
        Self {
            method,
            answers: *answers,
            exact: exact.into(),
            within_tenth: within_tenth.into(),
            flips: flips.into(),
            disagreements: disagreements.into(),
            mean_difference: mean_difference.as_ref().map(Into::into),
            kappa: kappa.as_ref().map(Into::into),
        }
    }
}

impl From<&Estimate> for EstimateView {
    /// To four decimals: no more of it means anything.
    fn from(estimate: &Estimate) -> Self {
        let shown = |value: f64| (value * 1e4).round() / 1e4;
        Self {
            value: shown(estimate.value),
            low: shown(estimate.low),
            high: shown(estimate.high),
        }
    }
}
