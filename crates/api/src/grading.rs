//! What is handed in, how it is graded, and what proves it.

pub mod batches;
pub mod calibration;
pub mod certificates;
pub mod consistency;
pub mod gradebook;
pub mod groups;
pub mod standing;
pub mod statistics;
pub mod submissions;
pub mod tries;
