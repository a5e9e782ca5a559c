//! What is told to others: events, and webhooks that carry them.

pub mod deliveries;
pub mod event_types;
pub mod events;
pub mod webhooks;
