//! The way in and out of every request: routes, what they read, what they answer.

pub mod answer;
pub mod auth_scope;
pub mod call;
pub mod cursor;
pub(crate) mod dispatch;
pub mod error;
pub(crate) mod follow;
pub(crate) mod force;
pub(crate) mod headers;
pub mod input;
pub mod json;
pub mod narrowing;
pub(crate) mod near;
pub mod query;
pub(crate) mod ranges;
pub mod response;
pub mod route;
pub mod speech;
