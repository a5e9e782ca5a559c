//! What came out.

use lyceum_wire::authoring::assignments::AssignmentView;
use lyceum_wire::authoring::courses::CourseView;
use lyceum_wire::learning::cohorts::CohortView;

use super::authoring::UnitOutline;
use super::grading::{Graded, Quotes};
use super::review::{Explained, Review};
use super::tutoring::Talk;

/// Everything the story made.
pub struct Outcome {
    pub course: CourseView,
    pub outline: Vec<UnitOutline>,
    pub cohort: CohortView,
    pub assignment: AssignmentView,
    pub graded: Vec<Graded>,
    pub quotes: Quotes,
    pub review: Review,
    pub explained: Explained,
    pub talks: Vec<Talk>,
    /// Grade records in chains that hold.
    pub records: u64,
}
