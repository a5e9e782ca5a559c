//! Courses that leave as SCORM packages, and the learners that come back from them.

pub mod exports;
pub(crate) mod jobs;
pub mod previews;
pub mod scorm;
mod scorm_addresses;
pub mod scorm_learners;
pub mod scorm_preview;
