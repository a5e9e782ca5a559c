//! What is told to others: events, and webhooks that carry them.

pub(crate) mod events;
pub(crate) mod webhooks;
