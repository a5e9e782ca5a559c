//! What is taught: courses, units, lessons, activities and assignments, and the rules of writing them.

pub mod activities;
pub mod assignments;
pub mod courses;
pub mod direct_uploads;
pub mod due_dates;
pub(crate) mod jobs;
pub mod lessons;
pub mod media;
pub mod media_uploads;
pub mod recordings;
pub mod restoring;
pub mod siblings;
pub mod texts;
mod texts_languages;
pub mod units;
pub mod versions;
