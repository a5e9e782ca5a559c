//! A written task with a rubric, about given topics.

use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::drafting::syllabus::AssignmentDraft;
use lyceum_domain::json::JsonObject;
use serde_json::{Value, json};

use super::Labels;
use crate::quoting::shorten;
use crate::template::fill;

/// Weights of understanding, applying and reasoning.
const WEIGHTS: [u8; 3] = [40, 40, 20];
/// Points of the levels, best first.
const LEVEL_POINTS: [u8; 4] = [10, 7, 4, 0];
/// Most key points a criterion is graded by.
const MAX_POINTS: usize = 8;

/// What a task is about.
pub(crate) struct Task<'a> {
    pub(crate) topic: &'a str,
    /// The topics as they stand in a sentence.
    pub(crate) topics: &'a str,
    /// What the lessons said, for the graders.
    pub(crate) key_points: &'a [String],
    pub(crate) minutes: u32,
}

/// A task with a rubric of three criteria with four levels each.
pub(crate) fn assignment(labels: &Labels, task: &Task<'_>) -> AssignmentDraft {
    AssignmentDraft {
        name: fill(labels.assignment, &[("topic", task.topic)]),
        instructions: fill(labels.task, &[("topics", task.topics)]),
        rubric: rubric(labels, task.key_points),
        minutes: task.minutes,
    }
}

fn rubric(labels: &Labels, key_points: &[String]) -> Rubric {
    let points: Vec<&str> = key_points
        .iter()
        .take(MAX_POINTS)
        .map(|point| shorten(point, 300))
        .collect();
    let criteria: Vec<Value> = labels
        .criteria
        .iter()
        .zip(WEIGHTS)
        .enumerate()
        .map(|(index, ((name, description), weight))| {
            let mut criterion = json!({
                "id": format!("c{}", index + 1), "name": name, "description": description,
                "weight": weight, "levels": levels(labels),
            });
            // The first criterion asks for the content, so only it is compared with it.
            if let (0, false, Value::Object(criterion)) = (index, points.is_empty(), &mut criterion)
            {
                criterion.insert("key_points".to_owned(), json!(points));
            }
            criterion
        })
        .collect();
    let mut object = JsonObject::new();
    object.insert("criteria".to_owned(), Value::Array(criteria));
    Rubric::parse("rubric", &object).unwrap_or_else(|_| Rubric::overall())
}

fn levels(labels: &Labels) -> Vec<Value> {
    let levels = labels.levels.iter().zip(LEVEL_POINTS).enumerate();
    levels
        .map(|(index, ((label, description), points))| {
            json!({"id": format!("l{}", index + 1), "label": label, "points": points, "description": description})
        })
        .collect()
}
