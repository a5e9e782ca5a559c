//! What a command and the person who started it have to do with each other: what it says, how far it has come, and being
//! asked to stop.
//!
//! It knows nothing of what commands do, and no crate of ours.

pub mod interruption;
pub mod progress;
pub mod say;
