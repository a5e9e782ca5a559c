//! Delivers signed events to receivers that strangers chose, without letting them choose a target
//! inside our own network.
//!
//! [`WebhookClient`] is the adapter behind the [`WebhookSink`] port: one attempt per call, signed as
//! Standard Webhooks 1.0 asks, under one deadline. When to try again, what to record and when to
//! give up is the application's business and stays out of here, as do the database and the clock:
//! the time of an attempt comes in with the message.
//!
//! What keeps a delivery outside is [`lyceum_outbound`]'s; redirects are not followed at all.
//!
//! [`WebhookSink`]: lyceum_ports::notifying::webhook_sink::WebhookSink

mod client;
mod reasons;
mod retry_after;

pub use client::{WebhookClient, WebhookSettings};

#[cfg(test)]
mod tests;
