//! Syllabi as AI drafts them: checked, and fitted to the hours asked for.

use thiserror::Error;

use crate::activities::{ActivityContent, ActivityKind};
use crate::courses::Hours;
use crate::rubric::Rubric;
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
    /// Shares are kept by the method of largest remainders (Hamilton), in whole minutes.
    ///
    /// # Errors
    /// [`UnusableSyllabus`]
    pub fn fit_to(&mut self, hours: Hours) -> Result<(), UnusableSyllabus> {
        if self.units.is_empty() || self.units.iter().any(|unit| unit.lessons.is_empty()) {
            return Err(UnusableSyllabus::NoLessons);
        }
        let wanted: Vec<u64> = self.planned_minutes();
        let fitted = largest_remainders(&wanted, u64::from(hours.minutes()))
            .ok_or(UnusableSyllabus::NoTime)?;
        if fitted.contains(&0) {
            return Err(UnusableSyllabus::NoTime);
        }
        let lessons = self.units.iter_mut().flat_map(|unit| &mut unit.lessons);
        for (lesson, minutes) in lessons.zip(fitted) {
            lesson.minutes = u32::try_from(minutes).unwrap_or(u32::MAX);
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
        fn a_fitted_syllabus_takes_exactly_its_hours(minutes in prop::collection::vec(10..90_u32, 1..40), hours in 2..200_i64) {
            let mut draft = draft(&minutes);
            let hours = Hours::parse(hours).unwrap();
            draft.fit_to(hours).unwrap();
            let sum: u32 = draft.lessons().map(|lesson| lesson.minutes).sum();
            prop_assert_eq!(sum, hours.minutes());
        }
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
