//! The HTTP edge: routes, the way in and out of every request, the error table, the OpenAPI document.
//!
//! A handler names a use case and how its answer looks; everything else (who the caller is, what the body
//! means, idempotency, headers, errors) happens in one place for all of them. It knows the application only:
//! no rule, query or decision belongs here.

mod access_log;
pub mod answer;
pub mod authoring;
pub mod call;
pub mod cursor;
mod dispatch;
pub mod docs;
pub mod drafting;
pub mod error;
mod expandable;
pub mod exporting;
pub mod floor;
mod follow;
mod force;
pub mod grading;
pub mod identity;
pub mod input;
pub mod json;
pub mod learning;
pub mod narrowing;
mod near;
pub mod notifying;
pub mod openapi;
pub mod query;
mod ranges;
pub mod rate_limit;
pub mod response;
pub mod route;
pub mod routes;
pub mod running;
pub mod scene;
pub mod schemas;
pub mod service;
pub mod shares;
mod spans;
pub mod speech;
pub mod unread;

pub use service::{Api, ApiSettings, BodyPatience, configure};
