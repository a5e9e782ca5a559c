//! Rubrics as they are documented.
//!
//! On their way in and out they are carried as they came, because members that we do not know are kept; these
//! types say which members we do know.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::points::PointsNumber;

/// What a submission is judged by. Other members are kept as they came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RubricInput {
    /// What is judged, in order; an empty list is no rubric, which is also how none is shown.
    #[schema(max_items = 50)]
    pub criteria: Vec<RubricCriterionInput>,
}

/// One thing that is judged. Other members, such as `reference_answers` and `key_points`, are kept as they came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RubricCriterionInput {
    /// Unique within the rubric; minted when absent.
    #[schema(min_length = 1, max_length = 64)]
    pub id: Option<String>,
    /// Such as `Accuracy`.
    #[schema(min_length = 1, max_length = 255, pattern = r"\S")]
    pub name: String,
    /// What it means.
    #[schema(max_length = 20_000)]
    pub description: Option<String>,
    /// How much it counts against the others, above 0; 1 when absent.
    pub weight: Option<PointsNumber>,
    /// Best possible points, above 0; the best level's where there are levels, else 100 when absent.
    pub max_points: Option<PointsNumber>,
    /// Levels to choose from.
    #[schema(min_items = 2, max_items = 12)]
    pub levels: Option<Vec<RubricLevelInput>>,
}

/// One level of a criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RubricLevelInput {
    /// Unique within the criterion; minted when absent.
    #[schema(min_length = 1, max_length = 64)]
    pub id: Option<String>,
    /// Such as `good`.
    #[schema(min_length = 1, max_length = 255, pattern = r"\S")]
    pub label: String,
    /// What reaching it gives.
    pub points: PointsNumber,
    /// What it takes.
    #[schema(max_length = 20_000)]
    pub description: Option<String>,
}

/// What a submission is judged by, ids included; without criteria where the course's rubric or the service's is
/// used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RubricView {
    /// What is judged, in order.
    pub criteria: Vec<RubricCriterion>,
}

/// One thing that is judged, with whatever members were given beside these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RubricCriterion {
    /// Unique within the rubric.
    pub id: String,
    /// Such as `Accuracy`.
    pub name: String,
    /// What it means.
    pub description: String,
    /// How much it counts against the others.
    pub weight: PointsNumber,
    /// Best possible points.
    pub max_points: PointsNumber,
    /// Levels to choose from; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<RubricLevel>>,
}

/// One level of a criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RubricLevel {
    /// Unique within the criterion.
    pub id: String,
    /// Such as `good`.
    pub label: String,
    /// What reaching it gives.
    pub points: PointsNumber,
    /// What it takes.
    pub description: String,
}
