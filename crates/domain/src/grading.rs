//! What is handed in, how it is graded, and what proves it.

pub mod batches;
pub mod blind_view;
pub mod calibration;
pub mod certificates;
pub mod consistency;
pub mod explanations;
pub mod gradebook;
pub mod grades;
pub mod groups;
pub mod learner_view;
mod letters;
pub mod receipts;
pub mod red_team;
pub mod release;
pub mod seals;
pub mod submissions;
pub mod tries;
