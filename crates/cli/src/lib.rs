//! The program `lyceum`: its command line, what an operator can set, and its commands.
//!
//! It knows every crate and decides nothing: what a request or a job does is the application's, and what serves is
//! `crates/service`.

pub mod backup;
pub mod bootstrap;
pub mod cli;
pub mod doctor;
pub mod domains;
pub mod eval;
pub mod export;
pub mod fsck;
pub mod health;
pub mod import;
pub mod keys;
pub mod mail;
pub mod migrate;
pub mod reference;
pub mod remote;
pub mod restore;
pub mod rotate;
pub mod serve;
pub mod settings;
pub mod sign_in;
pub mod verify_grades;

pub use settings::Settings;
