//! What jobs do for submissions: grading by AI, and saying why.

pub(crate) mod batch_item;
pub(crate) mod ease_due_dates;
pub(crate) mod explain;
pub(crate) mod grade;
mod people;
pub(crate) mod tend;
pub(crate) mod tend_batch;
