//! What is handed in, how it is graded, and what proves it.

pub mod attacking;
pub mod batches;
pub mod certificates;
pub mod gradebook;
pub mod grades;
pub mod grouping;
pub mod submissions;
