//! Courses that leave as SCORM packages, and the learners that come back from them.

pub mod preview_files;
pub mod previews;
pub mod scorm;
pub mod scorm_learners;
pub mod scorm_preview;
