//! What is told to others: events, webhooks that carry them, and mail.

pub mod deliveries;
pub mod digests;
pub mod event_types;
pub mod events;
pub mod mails;
pub mod overtaking;
pub mod webhooks;
