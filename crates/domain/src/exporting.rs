//! Courses that leave as SCORM packages, and the learners that come back from them.

pub mod scorm;
pub(crate) mod scorm_addresses;
pub mod scorm_file_name;
pub mod scorm_learners;
pub mod scorm_policy;
