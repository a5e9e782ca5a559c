//! What may be said on the command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Measures the `lyceum` server against its machine.
#[derive(Debug, Parser)]
#[command(name = "lyceum-bench")]
pub struct Cli {
    /// What else to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to measure.
    #[command(flatten)]
    pub options: Options,
}

/// What the bench starts itself as.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The bare handler: answers every request with the bytes of a file.
    #[command(hide = true)]
    ServeBytes {
        /// Where to listen.
        address: SocketAddr,
        /// What to answer.
        file: PathBuf,
    },
}

/// How to measure.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub struct Options {
    /// The `lyceum` binary; the one beside this program when not said.
    #[arg(long, value_name = "FILE")]
    pub server: Option<PathBuf>,
    /// How often each measurement is made.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// How many seconds each one takes.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub seconds: u32,
    /// Only these groups: get, list, post, post-one, callers, mixed, open-loop, shipped, gradings, growth, dearest, expand,
    /// postgres, nodes, footprint, rebuild.
    #[arg(long, value_name = "GROUPS", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Measure PostgreSQL too (the default).
    #[arg(long, overrides_with = "no_postgres")]
    pub postgres: bool,
    /// Leave PostgreSQL out.
    #[arg(long)]
    pub no_postgres: bool,
    /// Also touch a file of the source and time the debug build.
    #[arg(long)]
    pub rebuild: bool,
    /// One short round of everything, over little data: shows that the bench runs, and nothing else.
    #[arg(long)]
    pub smoke: bool,
    /// Where to write the figures as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Where to write the page.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}
