//! What is told to others: events, webhooks that carry them, and mail.

pub mod digests;
pub mod events;
pub mod mailer;
pub mod mails;
pub mod webhook_sink;
pub mod webhooks;
