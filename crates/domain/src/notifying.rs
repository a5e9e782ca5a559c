//! What is told to others: events, and webhooks that carry them.

pub mod deliveries;
pub mod events;
pub mod webhook_signature;
pub mod webhooks;
