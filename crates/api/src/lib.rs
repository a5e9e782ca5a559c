//! The HTTP edge: routes, the way in and out of every request, the error table, the OpenAPI document.
//!
//! A handler names a use case and how its answer looks; everything else (who the caller is, what the body
//! means, idempotency, headers, errors) happens in one place for all of them. It knows the application only:
//! no rule, query or decision belongs here.

pub mod addresses;
pub mod authoring;
pub mod document;
pub mod drafting;
pub mod edge;
pub mod exporting;
pub mod grading;
pub mod http;
pub mod identity;
pub mod learning;
pub mod notifying;
mod prelude;
pub mod routes;
mod rows;
pub mod running;
pub mod service;
pub mod state;

pub use service::configure;
pub use state::{Api, ApiSettings, BodyPatience};
