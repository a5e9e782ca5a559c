//! Courses that leave as SCORM packages, and the learners that come back from them.

pub(crate) mod scorm_learners;
pub(crate) mod scorm_packages;
pub(crate) mod scorm_policy_document;
