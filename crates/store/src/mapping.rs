//! Rows, columns and documents: how things are written down and found again, on either database.

pub(crate) mod columns;
pub(crate) mod conditions;
pub(crate) mod documents;
pub(crate) mod rows;
pub(crate) mod schema;
pub(crate) mod searching;
pub(crate) mod sorting;
pub(crate) mod stored;
pub(crate) mod sub_select;
pub(crate) mod vault;
pub(crate) mod walk;
pub(crate) mod weights;
