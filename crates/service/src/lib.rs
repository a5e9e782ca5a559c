//! The running service: adapters wired to the application, its workers, its place among other nodes, its way in.
//!
//! It takes what was decided ([`Settings`]) and reads neither flags nor the environment; what a terminal needs, commands
//! and the console are the program's (`crates/cli`). It decides nothing of what a request or a job does: that is the
//! application's.

pub mod admin;
pub mod assemble;
pub mod embedded;
pub mod environment;
pub mod file_store;
mod first_start;
pub mod listener;
pub mod log;
pub mod mail;
pub mod master_key;
pub mod membership;
pub mod page_checks;
pub mod private;
pub mod processes;
pub mod serve;
pub mod settings;
pub mod spending;
pub mod storage;
pub mod telemetry;
pub mod tls;
pub mod traces;
pub mod watching;
mod workers;

pub use embedded::Embedded;
pub use lyceum_ai::ProviderSettings;
pub use settings::Settings;
pub use storage::{Storage, usual_connections};
