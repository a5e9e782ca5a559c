//! What is taught: courses, units, lessons, activities and assignments, and the rules of writing them.

pub mod activities;
pub mod assignments;
pub mod courses;
pub mod due_dates;
pub mod lessons;
pub mod media;
pub mod media_uploads;
pub mod moves;
pub mod recordings;
pub mod texts;
pub mod units;
pub mod versions;
pub mod waiting;
