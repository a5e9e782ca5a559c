//! What is handed in, how it is graded, and what proves it.

pub(crate) mod jobs;
pub(crate) mod rubrics;
pub mod submissions;
pub mod verification;
