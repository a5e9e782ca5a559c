//! Syllabi as AI drafts them: checked, and fitted to the hours asked for.

use thiserror::Error;

use crate::authoring::activities::{ActivityContent, ActivityKind};
use crate::authoring::courses::Hours;
use crate::authoring::rubric::Rubric;
use crate::text::LanguageTag;

/// What a syllabus is drafted from.
#[derive(Debug, Clone, PartialEq)]
pub struct SyllabusBrief {
    /// Name of the course.
    pub course_name: String,
    /// Language to write in.
    pub language: LanguageTag,
    /// What the course is to be.
    pub brief: String,
    /// How long it is to be.
    pub hours: Hours,
    /// Guidance of the course.
    pub instructions: String,
    /// A text whose facts alone may be used; empty where none was given.
    pub source_text: String,
    /// The model asked for; empty means the provider's own.
    pub model: String,
}

/// An activity of a drafted lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct ActivityDraft {
    /// What kind.
    pub kind: ActivityKind,
    /// Its name.
    pub name: String,
    /// Its content.
    pub content: ActivityContent,
    /// Minutes it takes; part of the lesson's time.
    pub minutes: u32,
}

/// A drafted lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct LessonDraft {
    /// Its name.
    pub name: String,
    /// One or two sentences.
    pub summary: String,
    /// What a learner will be able to do.
    pub objectives: Vec<String>,
    /// Its text, Markdown.
    pub content: String,
    /// Minutes of the lesson itself.
    pub minutes: u32,
    /// What the learner does in it.
    pub activities: Vec<ActivityDraft>,
}

/// A drafted assignment at the end of a unit.
#[derive(Debug, Clone, PartialEq)]
pub struct AssignmentDraft {
    /// Its name.
    pub name: String,
    /// What is to be done.
    pub instructions: String,
    /// What is judged.
    pub rubric: Rubric,
    /// Minutes it takes; counted to the unit's last lesson.
    pub minutes: u32,
}

/// A drafted unit.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitDraft {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// What a learner will be able to do.
    pub objectives: Vec<String>,
    /// Its lessons.
    pub lessons: Vec<LessonDraft>,
    /// Its assignments.
    pub assignments: Vec<AssignmentDraft>,
}

/// A drafted syllabus.
#[derive(Debug, Clone, PartialEq)]
pub struct SyllabusDraft {
    /// What the course is about, in a paragraph.
    pub summary: String,
    /// Its units.
    pub units: Vec<UnitDraft>,
    /// What the brief did not say.
    pub assumptions: Vec<String>,
}

/// A draft that cannot become a course.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnusableSyllabus {
    /// No unit, or a unit without a lesson.
    #[error("the draft has no lessons")]
    NoLessons,
    /// More lessons than minutes, or no time planned at all.
    #[error("the draft plans no time that could be fitted to the hours")]
    NoTime,
}

impl SyllabusDraft {
    /// Every lesson in order.
    pub fn lessons(&self) -> impl Iterator<Item = &LessonDraft> {
        self.units.iter().flat_map(|unit| &unit.lessons)
    }

    /// Fits the plan to the hours: afterwards every lesson's minutes hold its activities' (and a unit's last
    /// lesson its assignments') and all lessons' minutes together are exactly `hours · 60`.
    ///
    /// Shares are kept by the method of largest remainders (Hamilton), in steps of five minutes where every lesson
    /// gets one, else in whole minutes.
    ///
    /// # Errors
    /// [`UnusableSyllabus`]
    pub fn fit_to(&mut self, hours: Hours) -> Result<(), UnusableSyllabus> {
        if self.units.is_empty() || self.units.iter().any(|unit| unit.lessons.is_empty()) {
            return Err(UnusableSyllabus::NoLessons);
        }
        let fitted = fitted_minutes(&self.planned_minutes(), hours.minutes())?;
        let lessons = self.units.iter_mut().flat_map(|unit| &mut unit.lessons);
        for (lesson, minutes) in lessons.zip(fitted) {
            lesson.minutes = minutes;
        }
        Ok(())
    }

    fn planned_minutes(&self) -> Vec<u64> {
        let mut minutes = Vec::new();
        for unit in &self.units {
            let assignments: u64 = unit.assignments.iter().map(|a| u64::from(a.minutes)).sum();
            let last = unit.lessons.len().saturating_sub(1);
            for (index, lesson) in unit.lessons.iter().enumerate() {
                let activities: u64 = lesson.activities.iter().map(|a| u64::from(a.minutes)).sum();
                let own = u64::from(lesson.minutes) + activities;
                minutes.push(if index == last {
                    own + assignments
                } else {
                    own
                });
            }
        }
        minutes
    }
}

/// What timetables are counted in, in minutes.
const STEP: u32 = 5;

/// Divides minutes in proportion to those planned: in steps of five where they divide and everything gets one,
/// else in whole minutes of which everything gets at least one; together they are exactly `total`.
///
/// # Errors
/// [`UnusableSyllabus::NoTime`] if no time is planned at all, or there are fewer minutes than things.
pub fn fitted_minutes(planned: &[u64], total: u32) -> Result<Vec<u32>, UnusableSyllabus> {
    let in_steps_of_five = || {
        let steps = largest_remainders(planned, u64::from(total / STEP))?;
        let all = total.is_multiple_of(STEP) && !steps.contains(&0);
        all.then(|| {
            steps
                .into_iter()
                .map(|steps| steps * u64::from(STEP))
                .collect()
        })
    };
    let in_minutes = || {
        let count = u32::try_from(planned.len()).ok()?;
        let over_one_each = total.checked_sub(count)?;
        let parts = largest_remainders(planned, u64::from(total))?;
        if !parts.contains(&0) {
            return Some(parts);
        }
        let rest = largest_remainders(planned, u64::from(over_one_each))?;
        Some(rest.into_iter().map(|part| part + 1).collect())
    };
    let fitted: Option<Vec<u64>> = in_steps_of_five().or_else(in_minutes);
    let minutes = fitted.ok_or(UnusableSyllabus::NoTime)?.into_iter();
    Ok(minutes
        .map(|minutes| u32::try_from(minutes).unwrap_or(u32::MAX))
        .collect())
}

/// Divides `total` in proportion to `shares`, in whole numbers that add up to it; `None` if all shares are 0.
pub fn largest_remainders(shares: &[u64], total: u64) -> Option<Vec<u64>> {
    let sum: u128 = shares.iter().map(|share| u128::from(*share)).sum();
    if sum == 0 {
        return None;
    }
    let exact = |share: &u64| u128::from(*share) * u128::from(total);
    let mut parts: Vec<u64> = shares
        .iter()
        .map(|share| u64::try_from(exact(share) / sum).unwrap_or(u64::MAX))
        .collect();
    let given: u64 = parts.iter().sum();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by_key(|index| {
        let remainder = shares.get(*index).map_or(0, |share| exact(share) % sum);
        (std::cmp::Reverse(remainder), *index)
    });
    let left = usize::try_from(total.saturating_sub(given)).ok()?;
    for index in order.into_iter().take(left) {
        if let Some(part) = parts.get_mut(index) {
            *part += 1;
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lesson(minutes: u32) -> LessonDraft {
        LessonDraft {
            name: "L".into(),
            summary: String::new(),
            objectives: Vec::new(),
            content: String::new(),
            minutes,
            activities: Vec::new(),
        }
    }

    fn draft(minutes: &[u32]) -> SyllabusDraft {
        let unit = UnitDraft {
            name: "U".into(),
            description: String::new(),
            objectives: Vec::new(),
            lessons: minutes.iter().map(|minutes| lesson(*minutes)).collect(),
            assignments: Vec::new(),
        };
        SyllabusDraft {
            summary: String::new(),
            units: vec![unit],
            assumptions: Vec::new(),
        }
    }

    proptest! {
        #[test]
        fn parts_always_add_up(shares in prop::collection::vec(0..10_000_u64, 1..60), total in 0..100_000_u64) {
            match largest_remainders(&shares, total) {
                Some(parts) => prop_assert_eq!(parts.iter().sum::<u64>(), total),
                None => prop_assert!(shares.iter().all(|share| *share == 0)),
            }
        }

        #[test]
        fn a_fitted_syllabus_takes_exactly_its_hours(minutes in prop::collection::vec(0..90_u32, 1..80), hours in 1..=1000_i64) {
            let mut draft = draft(&minutes);
            let hours = Hours::parse(hours).unwrap();
            let lessons = u32::try_from(minutes.len()).unwrap();
            let can = lessons <= hours.minutes() && minutes.iter().any(|minutes| *minutes > 0);
            prop_assert_eq!(draft.fit_to(hours).is_ok(), can);
            if can {
                let sum: u32 = draft.lessons().map(|lesson| lesson.minutes).sum();
                prop_assert_eq!(sum, hours.minutes());
                prop_assert!(draft.lessons().all(|lesson| lesson.minutes > 0));
            }
        }

        #[test]
        fn lessons_of_a_usual_length_are_fitted_in_steps_of_five(minutes in prop::collection::vec(10..90_u32, 1..40)) {
            let hours = i64::from(minutes.iter().sum::<u32>().div_ceil(60));
            let mut draft = draft(&minutes);
            draft.fit_to(Hours::parse(hours).unwrap()).unwrap();
            prop_assert!(draft.lessons().all(|lesson| lesson.minutes.is_multiple_of(5)));
        }
    }

    #[test]
    fn where_there_is_no_step_of_five_for_each_minutes_are_whole() {
        let minutes = [1, 1, 60, 60, 60];
        assert_eq!(fitted_minutes(&minutes, 60), Ok(vec![2, 1, 19, 19, 19]));
        assert_eq!(fitted_minutes(&[30, 60], 90), Ok(vec![30, 60]));
        assert_eq!(fitted_minutes(&[30, 60], 91), Ok(vec![30, 61]));
    }

    #[test]
    fn a_draft_without_lessons_or_time_is_unusable() {
        let hours = Hours::DEFAULT;
        assert_eq!(draft(&[]).fit_to(hours), Err(UnusableSyllabus::NoLessons));
        assert_eq!(draft(&[0, 0]).fit_to(hours), Err(UnusableSyllabus::NoTime));
        let mut none = draft(&[1]);
        none.units.clear();
        assert_eq!(none.fit_to(hours), Err(UnusableSyllabus::NoLessons));
    }
}
