//! What is handed in, how it is graded, and what proves it.

pub mod batches;
pub mod calibration;
pub mod certificate_records;
pub mod certificates;
pub mod consistency;
pub mod gradebook;
pub mod grades;
pub mod groups;
pub mod red_team;
pub mod standing;
pub mod statistics;
pub mod submissions;
pub mod tries;
