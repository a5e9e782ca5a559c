//! What is told to others: events, webhooks that carry them, and mail.

pub(crate) mod digests;
pub(crate) mod events;
pub(crate) mod mails;
pub(crate) mod webhooks;
