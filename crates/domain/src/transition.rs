//! The one error of all state machines.

use thiserror::Error;

use crate::text::with_article;

/// A move that the state machine does not have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{} that is {from} cannot {action}", with_article(object))]
pub struct InvalidTransition {
    /// The kind of thing, such as `course`.
    pub object: &'static str,
    /// The state it is in.
    pub from: &'static str,
    /// What was asked, as a verb, such as `be published`.
    pub action: &'static str,
}
