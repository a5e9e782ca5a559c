//! OpenID Connect: where people are sent, and whether what they bring back is what the provider said.
//!
//! What a token must be is [`openidconnect`]'s; how requests leave is [`lyceum_outbound`]'s. Who somebody is here, and what they may,
//! stays out of here.

mod http;
mod jws;
mod known;
mod logout;
mod providers;
mod tokens;

pub use providers::{OidcSettings, Providers};
