//! What is taught: courses, units, lessons, activities and assignments, and the rules of writing them.

pub(crate) mod activities;
pub(crate) mod assignments;
pub(crate) mod courses;
pub(crate) mod due_dates;
pub(crate) mod late_policy;
pub(crate) mod lessons;
pub(crate) mod media_documents;
pub(crate) mod media_files;
pub(crate) mod media_uploads;
mod pinning;
mod reach;
pub(crate) mod release_terms;
pub(crate) mod siblings;
pub(crate) mod units;
pub(crate) mod versions;
pub(crate) mod waiting;
