//! What goes over the wire: the shapes of requests and answers, as plain data.
//!
//! A request knows how to become a command of the domain, an answer how to be made from the domain's things;
//! both describe themselves as JSON Schema. The service, its events, its documentation and the client share
//! these types, so they cannot drift apart. No transport, no storage, no decision belongs here.

pub mod authoring;
pub mod common;
pub mod common_ids;
mod declared;
pub mod deleted;
pub mod drafting;
pub mod errors;
pub mod exporting;
pub mod grading;
pub mod identity;
pub mod learning;
pub mod lists;
pub mod money;
pub mod notifying;
pub mod patch;
pub mod place;
pub mod points;
pub mod running;
pub mod scim;
pub mod shapes;

// A signature is on the wire what a shape is; the rules of both are the domain's.
pub use lyceum_domain::notifying::webhook_signature;
