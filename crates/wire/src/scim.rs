//! SCIM 2.0 on the wire (RFC 7643 and 7644): what is said of members and roles to whoever provisions them, and how it is asked
//! for and changed. It has names, bodies and errors of its own, and no part in the document of the API.

pub mod attributes;
pub mod catalog;
pub mod errors;
pub mod filters;
pub mod groups;
pub mod lists;
pub mod patches;
pub mod users;
