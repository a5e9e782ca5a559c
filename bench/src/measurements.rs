//! What is measured: a file per kind of work, a function per group, which `--only` names.

mod callers;
mod dearest;
mod expansion;
mod footprint;
mod gradings;
mod growth;
mod kept;
mod mixed;
mod nodes;
mod open_loop;
mod postgres;
mod reads;
mod rebuild;
mod shipped;
mod sign_in;
mod writes;

use crate::bench::Bench;
use crate::report::{Growth, Line};

/// What a group of measurements came to.
#[derive(Debug, Default)]
pub struct Measurement {
    /// Lines of the table.
    pub lines: Vec<Line>,
    /// Plots of growth.
    pub growth: Vec<Growth>,
}

impl From<Vec<Line>> for Measurement {
    fn from(lines: Vec<Line>) -> Self {
        Self {
            lines,
            growth: Vec::new(),
        }
    }
}

/// A group: its name, and how it is measured.
pub type Group = (&'static str, fn(&Bench) -> anyhow::Result<Measurement>);

/// All groups, in the order of the table.
pub const GROUPS: [Group; 17] = [
    ("get", reads::get),
    ("list", reads::list),
    ("post", writes::crowd),
    ("post-one", writes::alone),
    ("callers", callers::measure),
    ("mixed", mixed::measure),
    ("open-loop", open_loop::measure),
    ("shipped", shipped::measure),
    ("sign-in", sign_in::measure),
    ("gradings", gradings::measure),
    ("growth", growth::measure),
    ("dearest", dearest::measure),
    ("expand", expansion::measure),
    (POSTGRES, postgres::measure),
    (NODES, nodes::measure),
    ("footprint", footprint::measure),
    (REBUILD, rebuild::measure),
];

/// The group that holds PostgreSQL against its limits.
pub const POSTGRES: &str = "postgres";
/// The group of several processes on one PostgreSQL.
pub const NODES: &str = "nodes";
/// The group that touches a file of the source and builds; only when it is named.
pub const REBUILD: &str = "rebuild";
