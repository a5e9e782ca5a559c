//! What learners have used is not let go of by accident: the one rule for everything that can be deleted or replaced.
//!
//! A thing is in use while a submission, an attempt, a completed lesson or a grade is below it. That somebody is enrolled
//! is no use yet: nothing is lost of them. What is in use goes by force alone, and by force only with the right to
//! destroy what goes with it.

use std::fmt;

use crate::identity::scopes::Scope;
use crate::ids::{
    ActivityId, AssignmentId, CohortId, CourseId, LessonId, SubmissionId, UnitId, UserId,
};
use crate::words::words;

/// What is to be deleted or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A workspace, with everything in it.
    Workspace,
    /// A course, with everything below it.
    Course(CourseId),
    /// A unit, with its lessons and assignments.
    Unit(UnitId),
    /// A lesson, with its activities and assignments.
    Lesson(LessonId),
    /// An activity, with the attempts at it.
    Activity(ActivityId),
    /// An assignment, with its submissions.
    Assignment(AssignmentId),
    /// A cohort: what was handed in for it, and what those who are in it did in its course.
    Cohort(CohortId),
    /// A submission itself: in use once it was handed in.
    Submission(SubmissionId),
    /// A member, with all that they did.
    User(UserId),
}

impl Subject {
    /// The kind of thing.
    pub const fn object(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Course(_) => "course",
            Self::Unit(_) => "unit",
            Self::Lesson(_) => "lesson",
            Self::Activity(_) => "activity",
            Self::Assignment(_) => "assignment",
            Self::Cohort(_) => "cohort",
            Self::Submission(_) => "submission",
            Self::User(_) => "user",
        }
    }

    /// Its id; a workspace is known by itself.
    pub fn id(self) -> Option<String> {
        match self {
            Self::Workspace => None,
            Self::Course(id) => Some(id.to_string()),
            Self::Unit(id) => Some(id.to_string()),
            Self::Lesson(id) => Some(id.to_string()),
            Self::Activity(id) => Some(id.to_string()),
            Self::Assignment(id) => Some(id.to_string()),
            Self::Cohort(id) => Some(id.to_string()),
            Self::Submission(id) => Some(id.to_string()),
            Self::User(id) => Some(id.to_string()),
        }
    }
}

/// No more than so many of a kind are counted: it is said that there are so many or more.
pub const MOST_COUNTED: u32 = 10_000;

/// What learners did below something, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Uses {
    /// Submissions; drafts too, unless the submission itself is what is asked about.
    pub submissions: u32,
    /// Attempts at activities.
    pub attempts: u32,
    /// Completed lessons.
    pub completions: u32,
    /// Records of grades.
    pub grades: u32,
}

impl Uses {
    /// Each kind with how many there are of it.
    pub const fn by_kind(self) -> [(&'static str, u32); 4] {
        [
            ("submissions", self.submissions),
            ("attempts", self.attempts),
            ("completions", self.completions),
            ("grades", self.grades),
        ]
    }

    /// The kinds that there is something of, each told: `("submissions", "3 submissions")`.
    pub fn told(self) -> Vec<(&'static str, String)> {
        let some = self.by_kind().into_iter().filter(|(_, count)| *count > 0);
        some.map(|(kind, count)| (kind, counted(kind, count)))
            .collect()
    }

    /// Whether nobody did anything.
    pub const fn is_none(self) -> bool {
        self.submissions == 0 && self.attempts == 0 && self.completions == 0 && self.grades == 0
    }

    /// What it takes to destroy it, besides what it takes to delete the thing.
    pub const fn right_to_destroy(self) -> Option<Scope> {
        if self.submissions > 0 || self.grades > 0 {
            Some(Scope::WriteGrades)
        } else {
            None
        }
    }
}

fn counted(kind: &str, count: u32) -> String {
    match count {
        1 => format!("1 {}", kind.strip_suffix('s').unwrap_or(kind)),
        MOST_COUNTED.. => format!("10,000 or more {kind}"),
        _ => format!("{count} {kind}"),
    }
}

impl fmt::Display for Uses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<String> = self.told().into_iter().map(|(_, text)| text).collect();
        f.write_str(&told.join(", "))
    }
}

/// Why something stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stays {
    /// Learners have used it, and nobody said that it is to go all the same.
    InUse,
    /// It takes this right too.
    Needs(Scope),
}

/// Whether what is used like this may be deleted: if nobody used it, or by force and with the right to destroy.
pub fn may_go(uses: Uses, force: bool, holds: impl Fn(Scope) -> bool) -> Result<(), Stays> {
    if uses.is_none() {
        return Ok(());
    }
    if !force {
        return Err(Stays::InUse);
    }
    match uses.right_to_destroy() {
        Some(right) if !holds(right) => Err(Stays::Needs(right)),
        Some(_) | None => Ok(()),
    }
}

/// Whether the content of what is used like this may be written anew by AI. Nothing that learners did goes, but it is no
/// longer what they did it with: by force, and by somebody who may write it.
pub fn may_be_replaced(
    uses: Uses,
    force: bool,
    holds: impl Fn(Scope) -> bool,
) -> Result<(), Stays> {
    match (uses.is_none(), force) {
        (true, _) => Ok(()),
        (false, false) => Err(Stays::InUse),
        (false, true) if holds(Scope::WriteCourses) => Ok(()),
        (false, true) => Err(Stays::Needs(Scope::WriteCourses)),
    }
}

words!(
    /// Why a generation that replaces left something as it is.
    KeptBecause {
        /// A learner has used it, or something below it.
        InUse = "in_use",
        /// A person made or changed it, or something below it.
        Edited = "edited",
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    use rstest::rstest;

    const NOTHING: Uses = Uses {
        submissions: 0,
        attempts: 0,
        completions: 0,
        grades: 0,
    };

    fn nobody(_: Scope) -> bool {
        false
    }

    #[rstest]
    #[case(Uses { submissions: 1, ..NOTHING }, Some(Scope::WriteGrades))]
    #[case(Uses { grades: 1, ..NOTHING }, Some(Scope::WriteGrades))]
    #[case(Uses { attempts: 1, ..NOTHING }, None)]
    #[case(Uses { completions: 1, ..NOTHING }, None)]
    fn what_is_used_goes_by_force_and_with_the_right(
        #[case] uses: Uses,
        #[case] right: Option<Scope>,
    ) {
        assert_eq!(may_go(uses, false, |_| true), Err(Stays::InUse));
        assert_eq!(may_go(uses, true, |_| true), Ok(()));
        let without = right.map_or(Ok(()), |right| Err(Stays::Needs(right)));
        assert_eq!(may_go(uses, true, nobody), without);
    }

    #[test]
    fn what_nobody_used_goes() {
        assert_eq!(may_go(NOTHING, false, nobody), Ok(()));
        assert_eq!(may_be_replaced(NOTHING, false, nobody), Ok(()));
    }

    #[test]
    fn what_is_used_is_written_anew_by_force_of_an_author() {
        let uses = Uses {
            attempts: 2,
            ..NOTHING
        };
        assert_eq!(may_be_replaced(uses, false, |_| true), Err(Stays::InUse));
        assert_eq!(
            may_be_replaced(uses, true, nobody),
            Err(Stays::Needs(Scope::WriteCourses))
        );
        assert_eq!(may_be_replaced(uses, true, |_| true), Ok(()));
    }

    #[test]
    fn uses_are_told_as_people_count() {
        let uses = Uses {
            submissions: 1,
            attempts: 0,
            completions: 91,
            grades: MOST_COUNTED,
        };
        assert_eq!(
            uses.to_string(),
            "1 submission, 91 completions, 10,000 or more grades"
        );
        assert_eq!(uses.told().len(), 3);
        assert_eq!(NOTHING.to_string(), "");
    }
}
