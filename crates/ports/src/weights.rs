//! How large things are, told before they are read.

use lyceum_domain::ids::{AssignmentId, CourseId, LessonId, UnitId, WorkspaceId};

use crate::error::StoreError;

/// Things that may be large together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heap {
    /// These courses.
    Courses(Vec<CourseId>),
    /// These units.
    Units(Vec<UnitId>),
    /// The units of these courses.
    UnitsOfCourses(Vec<CourseId>),
    /// These lessons.
    Lessons(Vec<LessonId>),
    /// The lessons of these units.
    LessonsOfUnits(Vec<UnitId>),
    /// The activities of these lessons.
    ActivitiesOfLessons(Vec<LessonId>),
    /// These assignments.
    Assignments(Vec<AssignmentId>),
}

/// A scale.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait WeightRepository {
    /// About how many bytes of what people wrote there are in all of them: storage says what it keeps, which may be less
    /// than what is read, without reading it.
    fn weigh(&mut self, workspace: WorkspaceId, heap: &Heap) -> Result<u64, StoreError>;
}
