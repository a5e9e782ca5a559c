//! What the machine itself can do, measured beside the server: the same bytes without a service, the same rows
//! without one.

pub mod bytes;
pub mod pgbench;
pub mod postgres;
pub mod row_set;
pub mod sqlite;
pub mod statements;

use crate::load::Measured;

/// What a limit came to in a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached {
    /// Requests, or row sets, per second.
    pub rate: f64,
    /// Microseconds of processor time for each, of everything that had a part in it but the load generator.
    pub cpu: f64,
}

impl From<Measured> for Reached {
    fn from(measured: Measured) -> Self {
        Self {
            rate: measured.rate,
            cpu: measured.cpu,
        }
    }
}
