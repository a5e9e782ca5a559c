//! A model's plan of a course or of a unit: checked, and written out by the outline functions everybody uses.
//!
//! The model names lessons and key points; texts, quizzes and cards are made from those in `writing`.

mod rules;
mod writing;

use lyceum_domain::drafting::drafts::UnitTask;
use lyceum_domain::drafting::syllabus::{LessonDraft, SyllabusBrief, SyllabusDraft};
use serde::Deserialize;
use serde_json::Value;

use super::authoring::texts::wrong_language;
use super::authoring::{Broken, parsed, unless_broken};
use crate::language::Language;

/// Schema of the answer.
pub(super) const SCHEMA: &str = include_str!("../../schemas/syllabus.json");
/// Schema of the answer that plans a single unit.
pub(super) const UNIT_SCHEMA: &str = include_str!("../../schemas/unit.json");

#[derive(Deserialize)]
struct SyllabusPlan {
    language: String,
    summary: String,
    outcomes: Vec<LearningOutcome>,
    units: Vec<PlannedUnit>,
    assumptions: Vec<String>,
}

#[derive(Deserialize)]
struct LearningOutcome {
    id: String,
    statement: String,
    bloom: String,
}

#[derive(Deserialize)]
struct PlannedUnit {
    title: String,
    outcome_ids: Vec<String>,
    lessons: Vec<PlannedLesson>,
    activities: Vec<PlannedActivity>,
    assignments: Vec<PlannedAssignment>,
}

#[derive(Deserialize)]
struct PlannedLesson {
    title: String,
    objective: String,
    minutes: i64,
    key_points: Vec<String>,
    /// Absent in the plan of a single unit, which has no outcomes of its own.
    #[serde(default)]
    outcome_ids: Vec<String>,
}

#[derive(Deserialize)]
struct PlannedActivity {
    title: String,
    kind: String,
    minutes: i64,
    lesson_index: i64,
}

#[derive(Deserialize)]
struct PlannedAssignment {
    title: String,
    brief: String,
    minutes: i64,
    outcome_ids: Vec<String>,
    rubric: Vec<PlannedCriterion>,
}

#[derive(Deserialize)]
struct PlannedCriterion {
    title: String,
    weight: i64,
    levels: Vec<PlannedLevel>,
}

#[derive(Deserialize)]
struct PlannedLevel {
    label: String,
    points_percent: i64,
    descriptor: String,
}

#[derive(Deserialize)]
struct UnitPlan {
    language: String,
    lessons: Vec<PlannedLesson>,
    activities: Vec<PlannedActivity>,
}

impl PlannedUnit {
    /// A unit of lessons and activities alone.
    const fn of(
        title: String,
        lessons: Vec<PlannedLesson>,
        activities: Vec<PlannedActivity>,
    ) -> Self {
        Self {
            title,
            outcome_ids: Vec::new(),
            lessons,
            activities,
            assignments: Vec::new(),
        }
    }

    /// The minutes of everything in it; what the model says of the unit itself does not count.
    fn total(&self) -> i64 {
        let lessons = self.lessons.iter().map(|one| one.minutes);
        let activities = self.activities.iter().map(|one| one.minutes);
        let assignments = self.assignments.iter().map(|one| one.minutes);
        lessons
            .chain(activities)
            .chain(assignments)
            .fold(0, i64::saturating_add)
    }
}

/// Reads a document that fits the schema; the rules it breaks otherwise.
pub(super) fn read(document: &Value, brief: &SyllabusBrief) -> Result<SyllabusDraft, Broken> {
    let plan: SyllabusPlan = parsed(document)?;
    let broken = rules::of_course(&plan, &brief.language, brief.hours.minutes());
    unless_broken(broken, || ())?;
    let language = Language::of_tag(brief.language.as_str());
    let units = writing::units(&plan.units, &plan.outcomes, language).map_err(|rule| vec![rule])?;
    Ok(SyllabusDraft {
        summary: plan.summary,
        units,
        assumptions: plan.assumptions,
    })
}

/// Reads the lessons of one unit; the rules they break otherwise.
pub(super) fn read_unit(document: &Value, task: &UnitTask) -> Result<Vec<LessonDraft>, Broken> {
    let plan: UnitPlan = parsed(document)?;
    let language = Language::of_tag(task.frame.language.as_str());
    let points = plan.lessons.iter().flat_map(|lesson| &lesson.key_points);
    let text: Vec<&str> = points.map(String::as_str).collect();
    let wrong = wrong_language(&plan.language, &text.join("\n"), &task.frame.language);
    let mut broken: Broken = wrong.into_iter().collect();
    let unit = &task.frame.unit_name;
    broken.extend(rules::of_lessons(
        unit,
        &plan.lessons,
        &plan.activities,
        language,
    ));
    let there = task.lesson_names.iter().map(String::as_str);
    let planned = plan.lessons.iter().map(|lesson| lesson.title.as_str());
    broken.extend(rules::doubled("lessons", there.chain(planned)));
    let unit = PlannedUnit::of(unit.clone(), plan.lessons, plan.activities);
    broken.extend(rules::wrong_total(unit.total(), task.minutes));
    unless_broken(broken, || writing::lessons(&unit, language))
}
