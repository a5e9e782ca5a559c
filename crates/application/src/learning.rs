//! Who learns: cohorts, places in them, attempts and progress.

pub mod attempts;
pub mod cohorts;
pub mod enrollments;
mod pins;
pub mod progress;
pub mod updates;
