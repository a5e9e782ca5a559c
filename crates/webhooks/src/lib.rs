//! Delivers signed events to receivers that strangers chose, without letting them choose a target
//! inside our own network.
//!
//! [`WebhookClient`] is the adapter behind the [`WebhookSink`] port: one attempt per call, signed as
//! Standard Webhooks 1.0 asks, under one deadline. When to try again, what to record and when to
//! give up is the application's business and stays out of here, as do the database and the clock:
//! the time of an attempt comes in with the message.
//!
//! Four things together keep a delivery outside: the parsed address is checked, every resolved
//! address is checked at the moment of connecting, redirects are not followed, and no proxy is used.
//! Leaving out any one of them opens the others.
//!
//! [`WebhookSink`]: lyceum_ports::webhook_sink::WebhookSink

pub mod address;
pub mod signature;

mod client;
mod reasons;
mod resolver;
mod retry_after;
mod target;

pub use client::{SetupError, WebhookClient, WebhookSettings};

#[cfg(test)]
mod tests;
