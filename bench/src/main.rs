//! `lyceum-bench`: what the service costs, against what its machine can do.
//!
//! It starts the real binary, on a database of its own, and beside it limits that do the same work without a service:
//! a handler that answers the same bytes, a thread that writes the same rows. Both are measured in turns, and only
//! the ratio counts. No test depends on it, and it asserts nothing about time.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

mod api;
mod bench;
mod cpu;
mod figures;
mod knocks;
mod limits;
mod load;
mod machine;
mod measurements;
mod options;
mod probe;
mod process;
mod report;
mod rounds;
mod seed;
mod server;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Parser;
use tempfile::TempDir;
use tokio::signal::unix::{SignalKind, signal};

use crate::bench::Bench;
use crate::load::Wrk;
use crate::measurements::{GROUPS, Group, Measurement, NODES, POSTGRES, REBUILD};
use crate::options::{Cli, Command, Options};
use crate::report::{Report, html, json, text};

/// How a shell tells that a program was interrupted.
const INTERRUPTED: i32 = 130;

fn main() -> anyhow::Result<ExitCode> {
    let Cli { command, options } = Cli::parse();
    if let Some(Command::ServeBytes { address, file }) = command {
        limits::bytes::serve(address, &file)?;
        return Ok(ExitCode::SUCCESS);
    }
    let groups = chosen(&options)?;
    let folder = tempfile::Builder::new().prefix("lyceum-bench-").tempdir()?;
    let bench = prepare(&options, &folder)?;
    let mut report = Report {
        machine: machine::describe(),
        server: described(&bench.binary)?,
        run: format!(
            "{} rounds of {} s, in turns with the limit",
            bench.rounds, bench.seconds
        ),
        lines: Vec::new(),
        growth: Vec::new(),
        failures: Vec::new(),
    };
    for (name, measure) in groups {
        eprint!("{name} … ");
        let since = Instant::now();
        let measured = measure(&bench);
        eprintln!("{} s", since.elapsed().as_secs());
        match measured {
            Ok(Measurement { lines, growth }) => {
                report.lines.extend(lines);
                report.growth.extend(growth);
            }
            Err(error) => report.failures.push(format!("{name}: {error:#}")),
        }
    }
    tell(&report, &options)?;
    Ok(if report.failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The groups that were asked for, in their order.
fn chosen(options: &Options) -> anyhow::Result<Vec<Group>> {
    if let Some(unknown) = options
        .only
        .iter()
        .find(|name| GROUPS.iter().all(|(known, _)| known != name))
    {
        bail!("there is no group {unknown}");
    }
    let is_wanted = |(name, _): &Group| {
        if options.only.iter().any(|only| only == name) {
            return true;
        }
        match *name {
            REBUILD => options.rebuild,
            POSTGRES | NODES => options.only.is_empty() && !options.no_postgres,
            _ => options.only.is_empty(),
        }
    };
    Ok(GROUPS.into_iter().filter(is_wanted).collect())
}

fn prepare(options: &Options, folder: &TempDir) -> anyhow::Result<Bench> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let path = folder.path().to_owned();
    runtime.spawn(clean_up_when_interrupted(path.clone()));
    Ok(Bench {
        binary: binary(options)?,
        wrk: Wrk::new(&path)?,
        folder: path,
        runtime,
        rounds: if options.smoke { 1 } else { options.rounds },
        seconds: if options.smoke { 1 } else { options.seconds },
        smoke: options.smoke,
        little: OnceCell::new(),
    })
}

/// The children are told by the system when we end; the folder is ours to remove.
async fn clean_up_when_interrupted(folder: PathBuf) {
    let Ok(mut terminated) = signal(SignalKind::terminate()) else {
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated.recv() => {}
    }
    // What a dying child still writes there cannot be waited for.
    drop(std::fs::remove_dir_all(folder));
    std::process::exit(INTERRUPTED);
}

/// The binary that was named, or the one that cargo built beside us.
fn binary(options: &Options) -> anyhow::Result<PathBuf> {
    let beside = || Ok(std::env::current_exe()?.with_file_name("lyceum"));
    let binary = options.server.clone().map_or_else(beside, anyhow::Ok)?;
    let found = binary.canonicalize();
    found.with_context(|| {
        format!(
            "there is no binary {}: `make bench` builds it",
            binary.display()
        )
    })
}

fn described(binary: &Path) -> anyhow::Result<String> {
    let version = process::output(std::process::Command::new(binary).arg("--version"))?;
    Ok(format!("{} ({})", version.trim(), binary.display()))
}

fn tell(report: &Report, options: &Options) -> anyhow::Result<()> {
    println!("{}", text::render(report));
    if let Some(file) = &options.json {
        std::fs::write(file, json::render(report)?).context("could not write the JSON")?;
    }
    if let Some(file) = &options.html {
        std::fs::write(file, html::render(report)).context("could not write the page")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(arguments: &[&str]) -> anyhow::Result<Vec<&'static str>> {
        let cli = Cli::parse_from(["lyceum-bench"].iter().chain(arguments));
        let groups = chosen(&cli.options)?;
        Ok(groups.into_iter().map(|(name, _)| name).collect())
    }

    #[test]
    fn everything_is_measured_but_what_touches_the_source() {
        let all = names(&[]).unwrap();
        assert_eq!(all.len(), GROUPS.len() - 1);
        assert!(!all.contains(&REBUILD));
        assert!(names(&["--rebuild"]).unwrap().contains(&REBUILD));
        assert!(!names(&["--no-postgres"]).unwrap().contains(&POSTGRES));
        assert!(
            names(&["--no-postgres", "--postgres"])
                .unwrap()
                .contains(&POSTGRES)
        );
    }

    #[test]
    fn groups_are_measured_in_the_order_of_the_table() {
        assert_eq!(
            names(&["--only", "rebuild,get", "--only", "postgres"]).unwrap(),
            ["get", POSTGRES, REBUILD]
        );
        assert!(names(&["--only", "got"]).is_err());
    }
}
