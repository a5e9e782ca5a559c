//! The binary's parts: settings, the machine's clock and randomness, wiring, workers, commands.
//!
//! It knows every crate and decides nothing: what a request or a job does is the application's.

pub mod admin;
pub mod assemble;
pub mod backup;
pub mod bootstrap;
pub mod cli;
pub mod demo;
pub mod doctor;
pub mod embedded;
pub mod environment;
pub mod eval;
pub mod export;
pub mod file_store;
pub mod fsck;
pub mod health;
pub mod import;
pub mod interruption;
pub mod keys;
pub mod listener;
pub mod log;
pub mod master_key;
pub mod membership;
pub mod migrate;
pub mod page_checks;
pub mod private;
pub mod processes;
pub mod progress;
pub mod reference;
pub mod remote;
pub mod restore;
pub mod rotate;
mod say;
pub mod serve;
pub mod settings;
pub mod telemetry;
pub mod tls;
pub mod traces;
pub mod verify_grades;
pub mod watching;
mod workers;

pub use embedded::Embedded;
pub use settings::Settings;
