//! What a learning platform is: its things, their rules and their state machines.
//!
//! No I/O, no async, no clock, no randomness: time, ids and random bytes come in as arguments, so every rule
//! here can be tested with a function call. Nothing in this crate may know about databases, HTTP or JSON
//! shapes on the wire; the only JSON here is what the platform stores as documents on behalf of its users
//! (metadata, activity content, rubrics).
#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod authoring;
mod changes;
pub mod drafting;
pub mod draws;
pub mod evidence;
pub mod exporting;
mod folding;
pub mod grading;
pub mod hex;
pub mod id;
pub mod identity;
pub mod ids;
pub mod invalid;
pub mod json;
pub mod learning;
pub mod money;
pub mod notifying;
pub mod points;
pub mod running;
pub mod stamp;
pub mod text;
pub mod timestamp;
pub mod transition;
pub mod web_address;
mod words;

pub use id::Id;
pub use invalid::{At, Invalid, InvalidValue};
pub use stamp::Stamp;
pub use timestamp::Timestamp;
pub use words::Words;
