//! The service's state machines under faults, in simulated time: what a seed does, it does again.
//!
//! The use cases and the background work are the real ones, over the real tables in a SQLite file; time, network,
//! AI provider, webhook receivers, clients and everything that goes wrong are simulated in one thread and come from
//! the seed. [`run`] is one seed. What must hold afterwards is in [`check`]; what breaks the service on purpose, to see
//! that the checks notice, is in [`mutant`].
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a simulation that cannot go on has failed"
)]

mod check;
mod client;
mod faults;
mod machine;
mod membership;
mod mutant;
mod node;
mod peers;
mod rows;
mod store;
mod template;
mod trace;
mod wire;
mod world;

pub use mutant::Mutant;
pub use world::{Outcome, run};
