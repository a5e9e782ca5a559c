//! Who learns: cohorts, places in them, attempts and progress.

pub(crate) mod attempts;
pub(crate) mod cohorts;
pub(crate) mod enrollments;
pub(crate) mod progress;
