//! What all that learners did at one task says about it, on the wire.

use lyceum_domain::authoring::courses::gradebook::{CountingAttempt, GradedItem};
use lyceum_domain::grading::gradebook::{
    Distribution, ItemAnalysis, TaskStatistics, Thousandths, TimeToFeedback, WeekOfDecisions,
};
use lyceum_domain::ids::CohortId;
use lyceum_domain::points::Points;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::points::PointsNumber;
use crate::shapes;

/// How the points of a task are spread, and how difficult and how telling each of its parts is. Of each learner one attempt counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StatisticsView {
    /// Always `statistics`.
    pub object: String,
    /// `asg_…`, or `act_…` of a scored quiz.
    pub item_id: String,
    /// The cohort whose learners these are; null for all.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Cohort>, required)]
    pub cohort_id: Option<String>,
    /// Best possible points; of a quiz that asks some of its questions only, what they come to on average.
    pub max_score: PointsNumber,
    /// Which attempt of each learner counts, as the course's `gradebook` says.
    #[schema(schema_with = shapes::word::<CountingAttempt>)]
    pub attempt: String,
    /// How many learners have handed something in.
    pub learners: usize,
    /// Whether all of it was looked at; else only the newest that were handed in: 20,000, of a task of more than ten parts fewer.
    pub is_complete: bool,
    /// How the points that count are spread; null while nobody has any that are out.
    #[schema(required)]
    pub distribution: Option<DistributionView>,
    /// How long learners waited for the grades that are out; null of quizzes, which answer at once, and while none is out.
    #[schema(required)]
    pub time_to_feedback: Option<TimeToFeedbackView>,
    /// What members made of AI's grades, by the week in which they decided, the oldest first: the weeks in which anybody did, the newest 52.
    /// Empty of quizzes. Most who decide have seen AI's grade: how good AI is, blind grades say (`calibration`).
    pub decisions: Vec<WeekOfDecisionsView>,
    /// The criteria of the rubric that grades now, or the questions, in their order.
    pub parts: Vec<PartStatisticsView>,
}

/// How points are spread, rounded half up to hundredths. Quartiles are those of R's default and of `QUARTILE.INC` of spreadsheets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DistributionView {
    /// How many learners have points.
    pub learners: usize,
    /// The fewest points.
    pub min: PointsNumber,
    /// What a quarter of the learners do not go above.
    pub lower_quartile: PointsNumber,
    /// What half of them do not go above.
    pub median: PointsNumber,
    /// What three quarters of them do not go above.
    pub upper_quartile: PointsNumber,
    /// The most points.
    pub max: PointsNumber,
    /// Their mean.
    pub mean: PointsNumber,
    /// How many learners are in each tenth of the best possible points, the lowest first.
    #[schema(min_items = 10, max_items = 10)]
    pub bins: Vec<usize>,
}

/// From handing in to when the grade that stands was there for its learner: given by a person, released by AI, or let stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TimeToFeedbackView {
    /// How many grades are counted. Those are not that somebody let stand before it was kept when.
    pub grades: usize,
    /// What half of them did not take longer than, in seconds.
    pub median_seconds: u64,
    /// What nine tenths of them did not take longer than, in seconds.
    pub ninth_decile_seconds: u64,
    /// The longest, in seconds.
    pub longest_seconds: u64,
    /// How many took so long, the shortest first.
    pub spread: Vec<WaitCount>,
}

/// How many grades took so long.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitCount {
    /// Longer than the one before and no longer than this, in seconds; null: longer than all of them.
    #[schema(required)]
    pub up_to_seconds: Option<u64>,
    /// How many grades.
    pub grades: usize,
}

/// What members made of AI's grades in a week: of those that are out, and that were decided about since it is kept when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WeekOfDecisionsView {
    /// Its Monday, 0:00 UTC.
    #[schema(format = DateTime)]
    pub begins_at: String,
    /// How many grades of AI were decided about: let stand, or replaced.
    pub decisions: usize,
    /// How many kept AI's points.
    pub same: usize,
    /// How many are at most a tenth of the best possible points away from AI's, those with the same points among them.
    pub within_tenth: usize,
    /// How much higher AI's points are on average, as a part of the best possible, to three decimals; below 0 it was the stricter one.
    #[schema(minimum = -1, maximum = 1)]
    pub mean_difference: f64,
}

/// What a criterion or a question says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PartStatisticsView {
    /// Of the criterion or the question.
    pub id: String,
    /// The criterion's name; the beginning of the question, as it is written.
    pub name: String,
    /// Best possible points.
    pub max_score: PointsNumber,
    /// How many learners were judged by it while it was worth as much.
    pub learners: usize,
    /// The mean share of its points, 0 to 1, to three decimals: the higher, the easier. Null where nobody was judged by it.
    #[schema(value_type = f64, minimum = 0, maximum = 1, nullable, required)]
    pub difficulty: Option<f64>,
    /// How points at it go with points at the rest of the task, -1 to 1, to three decimals (corrected item-total correlation). Near 0 it
    /// does not tell who is good at the rest; below, something is probably wrong with it. Null for fewer than 10 learners and where all
    /// have the same points at it or at the rest.
    #[schema(value_type = f64, minimum = -1, maximum = 1, nullable, required)]
    pub discrimination: Option<f64>,
}

/// What a part of a task is called, and what it is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPart {
    /// Unique within the task.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Best possible points.
    pub best_possible: Points,
}

/// What statistics are of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatisticsSubject {
    /// The task.
    pub item: GradedItem,
    /// Its learners, where they are not all.
    pub cohort_id: Option<CohortId>,
    /// Best possible points.
    pub best_possible: Points,
    /// Which attempt counts.
    pub attempt: CountingAttempt,
    /// Its parts in their order.
    pub parts: Vec<NamedPart>,
}

impl StatisticsView {
    /// Of a task.
    pub fn new(of: &StatisticsSubject, found: &TaskStatistics, is_complete: bool) -> Self {
        let parts = of.parts.iter().zip(&found.parts);
        Self {
            object: "statistics".to_owned(),
            item_id: of.item.to_string(),
            cohort_id: of.cohort_id.map(|id| id.to_string()),
            max_score: PointsNumber(of.best_possible),
            attempt: of.attempt.to_string(),
            learners: found.learners,
            is_complete,
            distribution: found.distribution.as_ref().map(Into::into),
            time_to_feedback: found.time_to_feedback.as_ref().map(Into::into),
            decisions: found.decisions.iter().copied().map(Into::into).collect(),
            parts: parts.map(|(part, found)| part_view(part, *found)).collect(),
        }
    }
}

fn part_view(part: &NamedPart, found: ItemAnalysis) -> PartStatisticsView {
    PartStatisticsView {
        id: part.id.clone(),
        name: part.name.clone(),
        max_score: PointsNumber(part.best_possible),
        learners: found.learners,
        difficulty: found.difficulty.map(number),
        discrimination: found.discrimination.map(number),
    }
}

fn number(figure: Thousandths) -> f64 {
    f64::from(figure.thousandths()) / 1_000.0
}

impl From<WeekOfDecisions> for WeekOfDecisionsView {
    fn from(week: WeekOfDecisions) -> Self {
        let WeekOfDecisions {
            begins_at,
            decisions,
            same,
            within_tenth,
            mean_difference,
        } = week;
        Self {
            begins_at: begins_at.to_string(),
            decisions,
            same,
            within_tenth,
            mean_difference: number(mean_difference),
        }
    }
}

impl From<&Distribution> for DistributionView {
    fn from(spread: &Distribution) -> Self {
        Self {
            learners: spread.learners,
            min: PointsNumber(spread.min),
            lower_quartile: PointsNumber(spread.lower_quartile),
            median: PointsNumber(spread.median),
            upper_quartile: PointsNumber(spread.upper_quartile),
            max: PointsNumber(spread.max),
            mean: PointsNumber(spread.mean),
            bins: spread.bins.to_vec(),
        }
    }
}

impl From<&TimeToFeedback> for TimeToFeedbackView {
    fn from(waits: &TimeToFeedback) -> Self {
        let steps = TimeToFeedback::STEPS.map(|step| Some(step.as_secs()));
        let counted = steps.into_iter().chain([None]).zip(waits.spread);
        Self {
            grades: waits.grades,
            median_seconds: waits.median.as_secs(),
            ninth_decile_seconds: waits.ninth_decile.as_secs(),
            longest_seconds: waits.longest.as_secs(),
            spread: counted
                .map(|(up_to_seconds, grades)| WaitCount {
                    up_to_seconds,
                    grades,
                })
                .collect(),
        }
    }
}
