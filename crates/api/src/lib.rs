//! The HTTP edge: routes, the way in and out of every request, the error table, the OpenAPI document.
//!
//! A handler names a use case and how its answer looks; everything else (who the caller is, what the body
//! means, idempotency, headers, errors) happens in one place for all of them. It knows the application only:
//! no rule, query or decision belongs here.

mod access_log;
pub mod activities;
pub mod ai_calls;
pub mod answer;
pub mod assignments;
pub mod attempts;
mod audit;
pub mod call;
pub mod cohorts;
pub mod courses;
pub mod cursor;
mod dispatch;
pub mod docs;
pub mod enrollments;
pub mod error;
pub mod event_types;
pub mod events;
mod expandable;
pub mod floor;
mod follow;
mod force;
pub mod generations;
pub mod health;
pub mod input;
pub mod invitations;
pub mod json;
mod key_uses;
pub mod keys;
pub mod lessons;
pub mod metrics;
pub mod narrowing;
mod near;
pub mod openapi;
pub mod personal_data;
pub mod platforms;
pub mod progress;
pub mod query;
mod ranges;
pub mod rate_limit;
pub mod recordings;
pub mod response;
pub mod route;
pub mod routes;
pub mod scene;
pub mod schemas;
pub mod scorm;
pub mod scorm_learners;
pub mod scorm_preview;
pub mod service;
pub mod shares;
mod spans;
pub mod speech;
pub mod submissions;
pub mod tokens;
mod trash;
pub mod tutor;
pub mod units;
pub mod unread;
pub mod users;
pub mod webhooks;
pub mod workspaces;

pub use service::{Api, ApiSettings, BodyPatience, configure};
