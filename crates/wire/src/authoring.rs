//! What is taught: courses, units, lessons, activities and assignments, and the rules of writing them.

pub mod activities;
pub mod assignments;
pub mod completion;
pub mod courses;
pub mod due_dates;
pub mod grading;
mod languages;
pub mod late_policy;
pub(crate) mod learner;
pub mod lessons;
pub mod media;
pub mod media_uploads;
pub mod moves;
pub mod provenance;
pub mod rubric_input;
pub mod texts;
pub mod units;
pub mod versions;
