//! What is taught: courses, units, lessons, activities and assignments, and the rules of writing them.

pub mod activities;
pub mod assignments;
pub mod completion;
pub mod courses;
pub mod due_dates;
pub mod graders;
pub mod late_policy;
pub mod lessons;
pub mod media;
pub mod media_uploads;
pub mod provenance;
pub mod quiz_checks;
pub mod references;
pub mod release_terms;
pub mod rubric;
pub mod scoring;
pub mod units;
pub mod versions;
