//! The trash: what was deleted, kept whole for a while.

use std::collections::BTreeMap;

use crate::Timestamp;
use crate::identity::scopes::Scope;
use crate::ids::{PersonId, TrashItemId, UserId, WorkspaceId};
use crate::words::words;

words!(
    /// What can be put into the trash.
    TrashKind {
        /// A course.
        Course = "course",
        /// A unit.
        Unit = "unit",
        /// A lesson.
        Lesson = "lesson",
        /// An activity.
        Activity = "activity",
        /// An assignment.
        Assignment = "assignment",
        /// A cohort.
        Cohort = "cohort",
        /// A student's place in a cohort.
        Enrollment = "enrollment",
        /// A submission.
        Submission = "submission",
        /// A membership.
        User = "user",
        /// A SCORM package.
        ScormPackage = "scorm_package",
        /// A media file.
        MediaFile = "media_file",
    }
);

words!(
    /// What goes along with it: parents stand before what hangs on them.
    TrashPart {
        /// Courses.
        Courses = "courses",
        /// Units.
        Units = "units",
        /// Lessons.
        Lessons = "lessons",
        /// Activities.
        Activities = "activities",
        /// Cohorts.
        Cohorts = "cohorts",
        /// Memberships.
        Users = "users",
        /// Assignments.
        Assignments = "assignments",
        /// Places in cohorts.
        Enrollments = "enrollments",
        /// What lessons, activities and assignments were.
        Versions = "versions",
        /// What AI proposed for them.
        GenerationPieces = "generation_pieces",
        /// What they will be.
        WaitingChanges = "waiting_changes",
        /// What cohorts see of them that take new versions by choice.
        PinnedContents = "pinned_contents",
        /// Other due dates.
        DueOverrides = "due_overrides",
        /// SCORM packages.
        ScormPackages = "scorm_packages",
        /// Learners who came with SCORM packages.
        ScormLearners = "scorm_learners",
        /// Submissions.
        Submissions = "submissions",
        /// Records of grades.
        Grades = "grades",
        /// Tries for certificates.
        Certificates = "certificates",
        /// Answers that they are about.
        CertificateAnswers = "certificate_answers",
        /// Records of what happened to them.
        CertificateRecords = "certificate_records",
        /// Regrades, bulk gradings and red teams.
        Batches = "batches",
        /// What they are about.
        BatchItems = "batch_items",
        /// Attempts at activities.
        Attempts = "attempts",
        /// Completed lessons.
        LessonCompletions = "lesson_completions",
        /// What was said to the tutor and by it.
        TutorTurns = "tutor_turns",
        /// Media files.
        MediaFiles = "media_files",
        /// Work on any of it that was queued or under way.
        Jobs = "jobs",
    }
);

impl TrashKind {
    /// What part a thing of this kind is itself.
    pub const fn part(self) -> TrashPart {
        match self {
            Self::Course => TrashPart::Courses,
            Self::Unit => TrashPart::Units,
            Self::Lesson => TrashPart::Lessons,
            Self::Activity => TrashPart::Activities,
            Self::Assignment => TrashPart::Assignments,
            Self::Cohort => TrashPart::Cohorts,
            Self::Enrollment => TrashPart::Enrollments,
            Self::Submission => TrashPart::Submissions,
            Self::User => TrashPart::Users,
            Self::ScormPackage => TrashPart::ScormPackages,
            Self::MediaFile => TrashPart::MediaFiles,
        }
    }

    /// What it takes to see one in the trash.
    pub const fn read_scope(self) -> Scope {
        match self {
            Self::Enrollment | Self::User => Scope::ReadStudents,
            Self::Submission => Scope::ReadSubmissions,
            Self::Course
            | Self::Unit
            | Self::Lesson
            | Self::Activity
            | Self::Assignment
            | Self::Cohort
            | Self::ScormPackage
            | Self::MediaFile => Scope::ReadCourses,
        }
    }

    /// What it takes to delete one, to bring it back and to destroy it.
    pub const fn write_scope(self) -> Scope {
        match self {
            Self::Enrollment | Self::User => Scope::WriteStudents,
            Self::Submission => Scope::WriteGrades,
            Self::Course
            | Self::Unit
            | Self::Lesson
            | Self::Activity
            | Self::Assignment
            | Self::Cohort
            | Self::ScormPackage
            | Self::MediaFile => Scope::WriteCourses,
        }
    }
}

/// How many of each part there are; what there is none of is not in it.
pub type TrashCounts = BTreeMap<TrashPart, u64>;

/// Something that was deleted, with all that hung on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrashItem {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: TrashItemId,
    /// What was deleted.
    pub kind: TrashKind,
    /// Which: the id that it had, and will have again.
    pub object_id: String,
    /// What it was called.
    pub name: String,
    /// What went along, itself included.
    pub counts: TrashCounts,
    /// Whose membership it was, where it was one.
    pub person_id: Option<PersonId>,
    /// Who deleted it; nobody for the service itself.
    pub deleted_by: Option<UserId>,
    /// Until when it can come back.
    pub restorable_until: Timestamp,
    /// When it was deleted.
    pub created_at: Timestamp,
}

impl TrashItem {
    /// How many of a part went along.
    pub fn count(&self, part: TrashPart) -> u64 {
        self.counts.get(&part).copied().unwrap_or_default()
    }

    /// Whether work that was handed in, or a grade, is among it.
    pub fn holds_graded_work(&self) -> bool {
        self.count(TrashPart::Submissions) > 0 || self.count(TrashPart::Grades) > 0
    }

    /// What it takes to bring it back or to destroy it: what it took to delete it, and the right to grade where graded
    /// work is among it. So no key reaches in the trash what was out of its reach before.
    pub fn needed(&self) -> Vec<Scope> {
        let mut needed = vec![self.kind.write_scope()];
        if self.holds_graded_work() && !needed.contains(&Scope::WriteGrades) {
            needed.push(Scope::WriteGrades);
        }
        needed
    }

    /// Whether it can still come back.
    pub fn is_restorable(&self, now: Timestamp) -> bool {
        now < self.restorable_until
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use std::time::Duration;

    fn id<K>(number: u8) -> Id<K> {
        Id::from_uuid(uuid::Uuid::from_bytes([number; 16]))
    }

    fn item(kind: TrashKind, counts: &[(TrashPart, u64)]) -> TrashItem {
        let now = Timestamp::from_unix_millis(0);
        TrashItem {
            workspace_id: id(1),
            id: id(2),
            kind,
            object_id: String::new(),
            name: String::new(),
            counts: counts.iter().copied().collect(),
            person_id: None,
            deleted_by: None,
            restorable_until: now.plus(Duration::from_secs(1)),
            created_at: now,
        }
    }

    #[test]
    fn graded_work_takes_the_right_to_grade_wherever_it_is() {
        use Scope::{WriteCourses, WriteGrades, WriteStudents};
        let one = [(TrashPart::Submissions, 1)];
        for (kind, counts, needed) in [
            (TrashKind::Unit, &[][..], &[WriteCourses][..]),
            (TrashKind::Unit, &one, &[WriteCourses, WriteGrades]),
            (TrashKind::User, &[], &[WriteStudents]),
            (TrashKind::User, &one, &[WriteStudents, WriteGrades]),
            (TrashKind::Submission, &one, &[WriteGrades]),
        ] {
            assert_eq!(item(kind, counts).needed(), needed, "{kind}");
        }
    }

    #[test]
    fn it_comes_back_until_its_time_is_over() {
        let item = item(TrashKind::Course, &[]);
        assert!(item.is_restorable(item.created_at));
        assert!(!item.is_restorable(item.restorable_until));
    }

    #[test]
    fn every_kind_is_a_part_of_what_goes() {
        let parts: Vec<_> = TrashKind::ALL.iter().map(|kind| kind.part()).collect();
        let names = TrashKind::ALL.iter().zip(&parts);
        for (kind, part) in names {
            let plural = part.as_str();
            let stem = kind.as_str().trim_end_matches('y');
            assert!(plural.starts_with(stem), "{kind} {part}");
        }
    }
}
