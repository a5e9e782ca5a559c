//! What jobs do for submissions: grading by AI, and saying why.

pub(crate) mod explain;
pub(crate) mod grade;
mod people;
pub(crate) mod tend;
