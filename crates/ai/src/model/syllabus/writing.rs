//! A checked plan, written out: outlines of lessons, content of activities, assignments with rubrics.

use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::drafting::syllabus::{ActivityDraft, AssignmentDraft, LessonDraft, UnitDraft};
use lyceum_domain::json::JsonObject;
use lyceum_domain::text::Name;
use serde_json::{Value, json};

use super::{
    LearningOutcome, PlannedActivity, PlannedAssignment, PlannedCriterion, PlannedLesson,
    PlannedUnit,
};
use crate::language::Language;
use crate::outline::{
    Course, Labels, LessonOutline, Origin, QuizSource, cards, explainer, markdown, pairs, podcast,
    quiz, reflection,
};
use crate::quoting::shorten;
use crate::template::fill;

/// Longest summary of a lesson, in characters.
const SUMMARY_CHARS: usize = 400;

/// Writes out the units of a course; what of a rubric does not fit otherwise.
pub(super) fn units(
    units: &[PlannedUnit],
    outcomes: &[LearningOutcome],
    language: Language,
) -> Result<Vec<UnitDraft>, String> {
    let writer = Writer::of(units, outcomes, language);
    units.iter().map(|unit| writer.unit(unit)).collect()
}

/// Writes out lessons that were planned for one unit.
pub(super) fn lessons(unit: &PlannedUnit, language: Language) -> Vec<LessonDraft> {
    Writer::of(std::slice::from_ref(unit), &[], language).lessons(unit)
}

fn key_points(units: &[PlannedUnit]) -> Vec<String> {
    let lessons = units.iter().flat_map(|unit| &unit.lessons);
    lessons
        .flat_map(|lesson| lesson.key_points.clone())
        .collect()
}

fn lesson_names(units: &[PlannedUnit]) -> Vec<String> {
    let lessons = units.iter().flat_map(|unit| &unit.lessons);
    lessons.map(|lesson| lesson.title.clone()).collect()
}

/// What all parts of a plan are written with.
struct Writer<'a> {
    labels: &'static Labels,
    language: Language,
    course: Course,
    all_names: Vec<String>,
    outcomes: &'a [LearningOutcome],
}

impl<'a> Writer<'a> {
    fn of(units: &[PlannedUnit], outcomes: &'a [LearningOutcome], language: Language) -> Self {
        Self {
            labels: Labels::of(language),
            language,
            course: Course::of(&key_points(units), language),
            all_names: lesson_names(units),
            outcomes,
        }
    }

    fn lessons(&self, unit: &PlannedUnit) -> Vec<LessonDraft> {
        let mut lessons: Vec<LessonDraft> = unit
            .lessons
            .iter()
            .map(|lesson| self.lesson(lesson))
            .collect();
        for activity in &unit.activities {
            let last = lessons.len().saturating_sub(1);
            let at = usize::try_from(activity.lesson_index)
                .unwrap_or(0)
                .min(last);
            let draft = unit
                .lessons
                .get(at)
                .and_then(|lesson| self.activity(activity, unit, lesson));
            if let (Some(lesson), Some(draft)) = (lessons.get_mut(at), draft) {
                lesson.activities.push(draft);
            }
        }
        lessons
    }

    fn unit(&self, unit: &PlannedUnit) -> Result<UnitDraft, String> {
        let lessons = self.lessons(unit);
        let named: Vec<String> = unit
            .lessons
            .iter()
            .map(|lesson| self.labels.quoted(&lesson.title))
            .collect();
        Ok(UnitDraft {
            name: short(&unit.title),
            description: fill(
                self.labels.unit_description,
                &[("topics", &named.join(", "))],
            ),
            objectives: self.objectives(unit),
            lessons,
            assignments: unit
                .assignments
                .iter()
                .map(assignment)
                .collect::<Result<_, _>>()?,
        })
    }

    fn objectives(&self, unit: &PlannedUnit) -> Vec<String> {
        let outcomes = self.outcomes.iter();
        outcomes
            .filter(|outcome| unit.outcome_ids.contains(&outcome.id))
            .map(|outcome| outcome.statement.clone())
            .take(20)
            .collect()
    }

    fn lesson(&self, lesson: &PlannedLesson) -> LessonDraft {
        let outline = outline(lesson);
        LessonDraft {
            name: short(&lesson.title),
            summary: summary(lesson),
            objectives: vec![lesson.objective.clone()],
            content: markdown(self.labels, &outline),
            minutes: minutes(lesson.minutes),
            activities: Vec::new(),
        }
    }

    /// An activity with content, or none if nothing can be made of the key points.
    fn activity(
        &self,
        activity: &PlannedActivity,
        unit: &PlannedUnit,
        lesson: &PlannedLesson,
    ) -> Option<ActivityDraft> {
        let kind = kind(&activity.kind);
        let label = match kind {
            ActivityKind::Quiz => self.labels.quiz,
            ActivityKind::Flashcards => self.labels.flashcards,
            ActivityKind::Explainer
            | ActivityKind::Podcast
            | ActivityKind::Video
            | ActivityKind::Reflection => self.labels.reflection,
        };
        let name = if activity.title.trim().is_empty() {
            fill(label, &[("topic", &lesson.title)])
        } else {
            activity.title.clone()
        };
        Some(ActivityDraft {
            kind,
            name: short(&name),
            content: self.content(kind, unit, lesson)?,
            minutes: minutes(activity.minutes),
        })
    }

    fn content(
        &self,
        kind: ActivityKind,
        unit: &PlannedUnit,
        lesson: &PlannedLesson,
    ) -> Option<ActivityContent> {
        match kind {
            ActivityKind::Quiz => self.quiz(unit),
            ActivityKind::Flashcards => cards(&self.cards(unit, lesson)),
            ActivityKind::Explainer => explainer(self.labels, self.language, &outline(lesson)),
            ActivityKind::Podcast => podcast(self.labels, &outline(lesson)),
            ActivityKind::Reflection => reflection(self.labels, &lesson.title),
            // No model is asked for videos.
            ActivityKind::Video => None,
        }
    }

    fn quiz(&self, unit: &PlannedUnit) -> Option<ActivityContent> {
        let lessons = unit.lessons.iter();
        let lessons: Vec<Vec<String>> = lessons.map(|lesson| lesson.key_points.clone()).collect();
        let source = QuizSource {
            lessons: &lessons,
            course: &self.course,
            headings: &self.all_names,
        };
        quiz(self.labels, &source).content
    }

    /// Terms of the unit, or else the lesson's name with what it says.
    fn cards(&self, unit: &PlannedUnit, lesson: &PlannedLesson) -> Vec<(String, String)> {
        let found = pairs(&key_points(std::slice::from_ref(unit)), self.language);
        if !found.is_empty() {
            return found;
        }
        let points = lesson.key_points.iter();
        points
            .filter(|point| !point.trim().is_empty() && !lesson.title.trim().is_empty())
            .map(|point| (lesson.title.clone(), point.clone()))
            .collect()
    }
}

/// What the lesson says first, in a sentence or two.
fn summary(lesson: &PlannedLesson) -> String {
    let first: Vec<&str> = lesson
        .key_points
        .iter()
        .take(2)
        .map(String::as_str)
        .collect();
    shorten(&first.join(" "), SUMMARY_CHARS).to_owned()
}

fn outline(lesson: &PlannedLesson) -> LessonOutline<'_> {
    LessonOutline {
        topic: &lesson.title,
        objective: &lesson.objective,
        text: &[],
        key_points: &lesson.key_points,
        terms: &[],
        origin: Origin::Model,
    }
}

/// A discussion or an exercise is, on this platform, a prompt to think and write about.
fn kind(word: &str) -> ActivityKind {
    ActivityKind::parse(word).unwrap_or(ActivityKind::Reflection)
}

fn assignment(planned: &PlannedAssignment) -> Result<AssignmentDraft, String> {
    let criteria: Vec<Value> = planned.rubric.iter().map(criterion).collect();
    let mut object = JsonObject::new();
    object.insert("criteria".to_owned(), Value::Array(criteria));
    let rubric = Rubric::parse("rubric", &object)
        .map_err(|error| format!("assignment {:?}: {error}", planned.title))?;
    Ok(AssignmentDraft {
        name: short(&planned.title),
        instructions: planned.brief.clone(),
        rubric,
        minutes: minutes(planned.minutes),
    })
}

fn criterion(planned: &PlannedCriterion) -> Value {
    let levels: Vec<Value> = planned
        .levels
        .iter()
        .map(|level| {
            json!({"label": level.label, "points": level.points_percent.clamp(0, 100), "description": level.descriptor})
        })
        .collect();
    json!({"name": planned.title, "weight": planned.weight.max(1), "levels": levels})
}

fn short(title: &str) -> String {
    Name::clamp(title, "…").as_str().to_owned()
}

/// Negative minutes are none; the caller fits all of them to the hours.
fn minutes(planned: i64) -> u32 {
    u32::try_from(planned.clamp(0, 600)).unwrap_or(0)
}
