//! Progress: how far a student has come in the course of a cohort.

use crate::Timestamp;
use crate::authoring::completion::Done;
use crate::ids::{CompletionId, CourseId, LessonId, UserId, WorkspaceId};
use crate::learning::enrollments::Enrollment;
use crate::points::Points;

/// A student is done with a lesson. What is learnt stays learnt, so it holds in every cohort of the course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonCompletion {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: CompletionId,
    /// The student.
    pub user_id: UserId,
    /// The lesson.
    pub lesson_id: LessonId,
    /// The course of the lesson.
    pub course_id: CourseId,
    /// When.
    pub created_at: Timestamp,
}

/// What a student has done in a course.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Learning {
    /// Lessons that are done.
    pub lessons_completed: u32,
    /// The best per cent in each activity that was scored.
    pub best_percents: Vec<u8>,
    /// When a lesson was last completed or an activity last tried.
    pub last_activity_at: Option<Timestamp>,
}

/// How many of the things that a course is done by a student has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Towards {
    /// Quizzes passed, or assignments handed in.
    pub done: u32,
    /// All there are.
    pub total: u32,
}

/// How far a student has come in the course of a cohort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Who, and in which cohort.
    pub enrollment: Enrollment,
    /// Lessons of the course.
    pub lessons_total: u32,
    /// What the student has done of it.
    pub learning: Learning,
    /// What the course is done by.
    pub rule: Done,
    /// Where it is by quizzes or assignments: those of them that are done.
    pub towards: Towards,
}

impl Progress {
    /// Whether the course is done by its rule, of which lessons are the steps. Where it is by quizzes or assignments and has none,
    /// it is by all lessons.
    pub fn is_completed(&self) -> bool {
        let all = || self.lessons_total > 0 && self.percent() == 100;
        match self.rule {
            Done::Everything => all(),
            Done::Share(percent) => self.percent() >= percent,
            Done::Quizzes | Done::Assignments if self.towards.total == 0 => all(),
            Done::Quizzes | Done::Assignments => self.towards.done >= self.towards.total,
        }
    }

    /// Whole per cent of the lessons that are done, rounded down: 100 is said of everything only.
    pub fn percent(&self) -> u8 {
        let done = u64::from(self.learning.lessons_completed) * 100;
        let percent = done.checked_div(u64::from(self.lessons_total));
        u8::try_from(percent.unwrap_or_default().min(100)).unwrap_or(100)
    }

    /// The average of the best per cent in each scored activity, in hundredths; `None` before the first.
    pub fn average_score(&self) -> Option<Points> {
        let best = &self.learning.best_percents;
        let count = i64::try_from(best.len()).ok().filter(|count| *count > 0)?;
        let sum: i64 = best.iter().map(|percent| i64::from(*percent)).sum();
        Some(Points::from_hundredths((200 * sum + count) / (2 * count)))
    }

    /// When it last changed.
    pub fn updated_at(&self) -> Timestamp {
        let enrolled = self.enrollment.stamp.updated_at;
        let active = self.learning.last_activity_at;
        active.map_or(enrolled, |active| active.max(enrolled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use rstest::rstest;
    use uuid::Uuid;

    fn progress(done: u32, total: u32, best: &[u8]) -> Progress {
        let nil = Uuid::nil();
        let now = Timestamp::from_unix_millis(1_000);
        Progress {
            enrollment: Enrollment::new(
                Id::from_uuid(nil),
                Id::from_uuid(nil),
                Id::from_uuid(nil),
                Id::from_uuid(nil),
                now,
            ),
            lessons_total: total,
            learning: Learning {
                lessons_completed: done,
                best_percents: best.to_vec(),
                last_activity_at: None,
            },
            rule: Done::Everything,
            towards: Towards::default(),
        }
    }

    #[rstest]
    #[case(Done::Everything, (3, 3), (0, 0), true)]
    #[case(Done::Everything, (2, 3), (0, 0), false)]
    #[case(Done::Everything, (0, 0), (0, 0), false)]
    #[case(Done::Share(66), (2, 3), (0, 0), true)]
    #[case(Done::Share(67), (2, 3), (0, 0), false)]
    #[case(Done::Quizzes, (0, 3), (2, 2), true)]
    #[case(Done::Quizzes, (3, 3), (1, 2), false)]
    #[case(Done::Quizzes, (3, 3), (0, 0), true)]
    #[case(Done::Assignments, (0, 3), (1, 1), true)]
    #[case(Done::Assignments, (0, 3), (0, 0), false)]
    fn a_course_is_done_by_its_rule(
        #[case] rule: Done,
        #[case] (lessons, of): (u32, u32),
        #[case] (done, total): (u32, u32),
        #[case] completed: bool,
    ) {
        let one = Progress {
            rule,
            towards: Towards { done, total },
            ..progress(lessons, of, &[])
        };
        assert_eq!(one.is_completed(), completed);
    }

    #[rstest]
    #[case(0, 0, 0)]
    #[case(1, 3, 33)]
    #[case(2, 3, 66)]
    #[case(999, 1_000, 99)]
    #[case(3, 3, 100)]
    fn only_everything_is_a_hundred_per_cent(
        #[case] done: u32,
        #[case] total: u32,
        #[case] percent: u8,
    ) {
        assert_eq!(progress(done, total, &[]).percent(), percent);
    }

    #[test]
    fn the_average_is_that_of_the_best_results() {
        assert_eq!(progress(0, 1, &[]).average_score(), None);
        let average = progress(0, 1, &[100, 50, 0]).average_score();
        assert_eq!(average, Some(Points::whole(50)));
        let average = progress(0, 1, &[67, 100, 33]).average_score();
        assert_eq!(average.map(Points::hundredths), Some(6_667));
    }

    #[test]
    fn it_changes_with_the_enrolment_and_with_what_is_done() {
        let mut progress = progress(0, 1, &[]);
        assert_eq!(progress.updated_at().unix_millis(), 1_000);
        progress.learning.last_activity_at = Some(Timestamp::from_unix_millis(5_000));
        assert_eq!(progress.updated_at().unix_millis(), 5_000);
    }
}
