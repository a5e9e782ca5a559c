//! What goes over the wire: the shapes of requests and answers, as plain data.
//!
//! A request knows how to become a command of the domain, an answer how to be made from the domain's things;
//! both describe themselves as JSON Schema. The service, its events, its documentation and the client share
//! these types, so they cannot drift apart. No transport, no storage, no decision belongs here.

pub mod common;
pub mod courses;
pub mod deleted;
pub mod errors;
pub mod lists;
pub mod patch;
