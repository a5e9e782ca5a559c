//! The one error of all state machines.

use thiserror::Error;

/// A move that the state machine does not have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a {object} that is {from} cannot {action}")]
pub struct InvalidTransition {
    /// The kind of thing, such as `course`.
    pub object: &'static str,
    /// The state it is in.
    pub from: &'static str,
    /// What was asked, as a verb, such as `be published`.
    pub action: &'static str,
}
