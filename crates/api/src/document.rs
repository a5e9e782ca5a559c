//! The OpenAPI document, the schemas that hold bodies to it, and its page.

pub mod docs;
pub(crate) mod expandable;
pub mod openapi;
pub mod schemas;
