//! What is handed in, how it is graded, and what proves it.

pub mod batches;
pub mod calibration;
pub mod certificates;
pub mod consistency;
pub mod gradebook;
pub(crate) mod graders;
pub mod groups;
pub(crate) mod jobs;
pub(crate) mod landing;
pub(crate) mod rubrics;
pub mod stale;
pub mod statistics;
pub mod submissions;
pub mod tries;
pub mod verification;
