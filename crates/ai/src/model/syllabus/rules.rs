//! The rules of a plan: times, outcomes that are taught and shown, rubrics, verbs, sizes, language.
//!
//! Outcomes first, then how they are shown, then what leads there: backward design (Wiggins and `McTighe` 2005).

use std::collections::BTreeSet;

use lyceum_domain::text::LanguageTag;

use super::{PlannedActivity, PlannedAssignment, PlannedLesson, PlannedUnit, SyllabusPlan};
use crate::language::Language;
use crate::model::authoring::Broken;
use crate::model::authoring::texts::{folded, wrong_language};
use crate::verbs::vague_verb;

const UNITS: std::ops::RangeInclusive<usize> = 2..=12;
const LESSONS: std::ops::RangeInclusive<usize> = 1..=8;
const LESSON_MINUTES: std::ops::RangeInclusive<i64> = 10..=90;
const OUTCOMES: std::ops::RangeInclusive<usize> = 3..=8;
const LEVELS: std::ops::RangeInclusive<usize> = 3..=5;
/// How far planned minutes may be off, in per cent; what is nearer is fitted without asking.
const MINUTES_OFF: i64 = 15;

/// The rules that a plan of a course breaks.
pub(super) fn of_course(plan: &SyllabusPlan, language: &LanguageTag, minutes: u32) -> Broken {
    let mut broken = Broken::new();
    let units = &plan.units;
    broken.extend(wrong_language(&plan.language, &text_of(plan), language));
    if !UNITS.contains(&units.len()) {
        broken.push("there must be 2 to 12 units".to_owned());
    }
    let known = Language::of_tag(language.as_str());
    for unit in units {
        broken.extend(of_lessons(
            &unit.title,
            &unit.lessons,
            &unit.activities,
            known,
        ));
        broken.extend(unit.assignments.iter().flat_map(of_assignment));
    }
    let titles = units.iter().map(|unit| unit.title.as_str());
    broken.extend(doubled("units", titles));
    let lessons = units.iter().flat_map(|unit| &unit.lessons);
    broken.extend(doubled(
        "lessons",
        lessons.map(|lesson| lesson.title.as_str()),
    ));
    broken.extend(of_outcomes(plan, known));
    broken.extend(wrong_total(
        units.iter().map(PlannedUnit::total).sum(),
        minutes,
    ));
    broken
}

/// The rules that a plan of lessons breaks; `unit` is told in them.
pub(super) fn of_lessons(
    unit: &str,
    lessons: &[PlannedLesson],
    activities: &[PlannedActivity],
    language: Language,
) -> Broken {
    let mut broken = Broken::new();
    if unit.trim().is_empty() {
        broken.push("every unit needs a title".to_owned());
    }
    if !LESSONS.contains(&lessons.len()) {
        broken.push(format!("unit {unit:?} must have 1 to 8 lessons"));
    }
    for lesson in lessons {
        let title = &lesson.title;
        if title.trim().is_empty() || !LESSON_MINUTES.contains(&lesson.minutes) {
            broken.push(format!(
                "lesson {title:?} needs a title and 10 to 90 minutes"
            ));
        }
        if lesson
            .key_points
            .iter()
            .all(|point| point.trim().is_empty())
        {
            broken.push(format!("lesson {title:?} needs key points"));
        }
        broken.extend(vague_verb(&lesson.objective, language));
    }
    for activity in activities {
        let at = usize::try_from(activity.lesson_index).ok();
        if at.is_none_or(|at| at >= lessons.len()) || activity.minutes < 0 {
            broken.push(format!(
                "activity {:?} in unit {unit:?} needs the lesson_index of a lesson of its unit, from 0, and minutes",
                activity.title
            ));
        }
    }
    broken
}

/// Names that stand twice.
pub(super) fn doubled<'a>(what: &str, titles: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut seen = BTreeSet::new();
    let twice = titles
        .into_iter()
        .find(|title| !seen.insert(folded(title)))?;
    Some(format!(
        "the titles of {what} must differ: {twice:?} stands twice"
    ))
}

/// What is too far off to be fitted.
pub(super) fn wrong_total(planned: i64, wanted: u32) -> Option<String> {
    let wanted = i64::from(wanted);
    ((planned - wanted).abs() * 100 > wanted * MINUTES_OFF).then(|| {
        format!("the minutes of all lessons, activities and assignments must add up to {wanted}, not {planned}")
    })
}

/// Outcomes can be seen, ask for enough, and every one is taught and shown.
fn of_outcomes(plan: &SyllabusPlan, language: Language) -> Broken {
    let outcomes = &plan.outcomes;
    let mut broken: Broken = outcomes
        .iter()
        .filter_map(|outcome| vague_verb(&outcome.statement, language))
        .collect();
    if !OUTCOMES.contains(&outcomes.len()) {
        broken.push("there must be 3 to 8 outcomes".to_owned());
    }
    let higher = outcomes
        .iter()
        .filter(|outcome| !["remember", "understand"].contains(&outcome.bloom.as_str()));
    if higher.count() * 3 < outcomes.len() {
        broken.push(
            "at least a third of the outcomes must ask for more than to understand".to_owned(),
        );
    }
    let ids: BTreeSet<&str> = outcomes.iter().map(|outcome| outcome.id.as_str()).collect();
    if ids.len() != outcomes.len() {
        broken.push("the ids of outcomes must differ".to_owned());
    }
    let (mut taught, mut shown, mut named) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for unit in &plan.units {
        named.extend(strs(&unit.outcome_ids));
        taught.extend(
            unit.lessons
                .iter()
                .flat_map(|lesson| strs(&lesson.outcome_ids)),
        );
        shown.extend(
            unit.assignments
                .iter()
                .flat_map(|one| strs(&one.outcome_ids)),
        );
        shown.extend(asked_in_quizzes(unit));
    }
    named.extend(taught.iter().chain(&shown));
    for unknown in named.difference(&ids) {
        broken.push(format!("there is no outcome {unknown:?}"));
    }
    for id in &ids {
        if !taught.contains(id) {
            broken.push(format!("outcome {id:?} must be taught in a lesson"));
        }
        if !shown.contains(id) {
            broken.push(format!(
                "outcome {id:?} must be shown in an assignment or a quiz"
            ));
        }
    }
    broken
}

/// A quiz asks about its lesson and those of the unit before it.
fn asked_in_quizzes(unit: &PlannedUnit) -> impl Iterator<Item = &str> {
    let quizzes = unit.activities.iter().filter(|one| one.kind == "quiz");
    let behind = quizzes
        .filter_map(|quiz| usize::try_from(quiz.lesson_index).ok())
        .max();
    let covered = behind.map_or(0, |at| at.saturating_add(1));
    unit.lessons
        .iter()
        .take(covered)
        .flat_map(|lesson| strs(&lesson.outcome_ids))
}

fn strs(ids: &[String]) -> impl Iterator<Item = &str> {
    ids.iter().map(String::as_str)
}

/// A rubric that adds up, with levels from all to nothing.
fn of_assignment(assignment: &PlannedAssignment) -> Broken {
    let title = &assignment.title;
    let mut rules = Vec::new();
    if title.trim().is_empty() || assignment.brief.trim().is_empty() || assignment.minutes < 0 {
        rules.push("needs a title, a brief and minutes".to_owned());
    }
    let weights: i64 = assignment
        .rubric
        .iter()
        .map(|criterion| criterion.weight)
        .sum();
    if weights != 100
        || assignment
            .rubric
            .iter()
            .any(|criterion| criterion.weight <= 0)
    {
        rules.push(format!(
            "needs criteria whose weights add up to 100, not {weights}"
        ));
    }
    for criterion in &assignment.rubric {
        let percents: Vec<i64> = criterion
            .levels
            .iter()
            .map(|level| level.points_percent)
            .collect();
        let falls = percents.is_sorted_by(|above, below| above > below);
        let whole = percents.first() == Some(&100) && percents.last() == Some(&0);
        if !LEVELS.contains(&percents.len()) || !falls || !whole {
            rules.push(format!(
                "needs 3 to 5 levels for criterion {:?}, from 100 percent falling to 0",
                criterion.title
            ));
        }
    }
    let named = rules.into_iter();
    named
        .map(|rule| format!("assignment {title:?} {rule}"))
        .collect()
}

/// What people read of a plan, for the vote on its language.
fn text_of(plan: &SyllabusPlan) -> String {
    let mut texts = vec![plan.summary.as_str()];
    texts.extend(
        plan.outcomes
            .iter()
            .map(|outcome| outcome.statement.as_str()),
    );
    for unit in &plan.units {
        texts.push(&unit.title);
        for lesson in &unit.lessons {
            texts.extend([lesson.title.as_str(), lesson.objective.as_str()]);
            texts.extend(strs(&lesson.key_points));
        }
        texts.extend(unit.assignments.iter().map(|one| one.brief.as_str()));
    }
    texts.join("\n")
}
