//! What goes over the wire: the shapes of requests and answers, as plain data.
//!
//! A request knows how to become a command of the domain, an answer how to be made from the domain's things;
//! both describe themselves as JSON Schema. The service, its events, its documentation and the client share
//! these types, so they cannot drift apart. No transport, no storage, no decision belongs here.

pub mod activities;
pub mod ai_calls;
pub mod assignments;
pub mod attempts;
pub mod audit;
pub mod cohorts;
pub mod common;
pub mod common_ids;
pub mod courses;
pub mod deleted;
pub mod enrollments;
pub mod errors;
pub mod event_types;
pub mod events;
pub mod generations;
pub mod grades;
pub mod grading;
pub mod invitations;
pub mod keys;
mod learner;
pub mod lessons;
pub mod lists;
pub mod me;
pub mod money;
pub mod patch;
pub mod personal_data;
pub mod place;
pub mod platforms;
pub mod points;
pub mod progress;
pub mod provenance;
pub mod rubric_input;
pub mod scorm;
pub mod scorm_learners;
pub mod shapes;
pub mod submissions;
pub mod tokens;
pub mod trash;
pub mod tutor;
pub mod units;
pub mod users;
pub mod webhooks;
pub mod workspaces;

// A signature is on the wire what a shape is; the rules of both are the domain's.
pub use lyceum_domain::webhook_signature;
