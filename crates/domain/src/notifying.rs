//! What is told to others: events, webhooks that carry them, and mail.

pub mod deliveries;
pub mod digests;
pub mod events;
pub mod letters;
pub mod local_time;
pub mod mails;
pub mod webhook_signature;
pub mod webhooks;
