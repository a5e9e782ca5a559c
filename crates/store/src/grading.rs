//! What is handed in, how it is graded, and what proves it.

pub(crate) mod batch_documents;
pub(crate) mod batch_item_documents;
pub(crate) mod batches;
pub(crate) mod certificate_documents;
pub(crate) mod certificates;
pub(crate) mod examples;
pub(crate) mod grade_documents;
pub(crate) mod grade_rows;
pub(crate) mod gradebook;
pub(crate) mod grades;
pub(crate) mod judged_parts;
pub(crate) mod run_documents;
pub(crate) mod submissions;
