//! Load over HTTP, by `wrk`.
//!
//! `wrk` tells its figures in words with units; a script of ours makes it tell them as JSON instead.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use crate::figures::number;
use crate::process::{self, Process, bound_to_us};

const TELL: &str = include_str!("load/tell.lua");
const PATHS: &str = include_str!("load/paths.lua");
const POSTS: &str = include_str!("load/posts.lua");

/// How long an answer may take: longer than any, since an answer that is late is measured and not an error.
const TIMEOUT: &str = "60s";
/// One: with two, the generator would take from both processors what the server is measured on.
const THREADS: &str = "1";

/// What is asked for.
#[derive(Debug, Clone)]
pub enum Asked {
    /// One address, again and again.
    Path(String),
    /// One of these at random each time.
    OneOf(Vec<String>),
    /// New courses, each with a name and an idempotency key of its own.
    NewCourses,
}

/// Requests that are sent for some seconds.
#[derive(Debug, Clone)]
pub struct Load {
    /// What is asked for.
    pub asked: Asked,
    /// Connections, each of which has one request under way all the time.
    pub connections: u32,
    /// How long.
    pub seconds: u32,
    /// Headers of every request.
    pub headers: Vec<(String, String)>,
}

/// What came of a load.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Told {
    /// Answers.
    pub requests: u32,
    /// Microseconds from the first request to the last answer.
    pub micros: f64,
    /// Milliseconds that half of the answers took.
    pub p50: f64,
    /// … 90 of 100.
    pub p90: f64,
    /// … 99 of 100.
    pub p99: f64,
    /// Bytes received, headers included.
    pub bytes: f64,
    /// Answers with a status of 400 and more.
    pub refused: u32,
    /// Connections that could not be made or broke, and answers that did not come in time.
    pub broken: u32,
}

/// A load and what its answers cost the process that gave them.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Measured {
    /// Requests that were answered.
    pub requests: f64,
    /// Requests per second.
    pub rate: f64,
    /// Milliseconds that half of the answers took.
    pub p50: f64,
    /// … 90 of 100.
    pub p90: f64,
    /// … 99 of 100.
    pub p99: f64,
    /// Microseconds of processor time per request.
    pub cpu: f64,
    /// MB of memory afterwards.
    pub rss: f64,
    /// kB (10³ bytes) per answer.
    pub answer_kb: f64,
}

/// Sends loads; keeps its scripts in a folder.
#[derive(Debug, Clone)]
pub struct Wrk {
    folder: PathBuf,
}

impl Wrk {
    /// Puts its scripts into this folder.
    ///
    /// # Errors
    /// If the folder is not writable.
    pub fn new(folder: &Path) -> anyhow::Result<Self> {
        for (name, script) in [
            ("tell.lua", TELL.to_owned()),
            ("paths.lua", format!("{PATHS}\n{TELL}")),
            ("posts.lua", format!("{POSTS}\n{TELL}")),
        ] {
            std::fs::write(folder.join(name), script).context("could not write wrk's scripts")?;
        }
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// Sends a load to a process that listens there, and tells what it cost.
    ///
    /// # Errors
    /// If `wrk` cannot be run, or an answer was an error: a server that refuses is fast.
    pub fn measure(&self, target: &Process, origin: &str, load: &Load) -> anyhow::Result<Measured> {
        let before = target.cpu_seconds()?;
        let told = self.send(origin, load)?;
        let cpu_seconds = target.cpu_seconds()? - before;
        let requests = number(told.requests);
        Ok(Measured {
            requests,
            rate: requests / (told.micros / 1_000_000.0),
            p50: told.p50,
            p90: told.p90,
            p99: told.p99,
            cpu: cpu_seconds * 1_000_000.0 / requests,
            rss: target.resident_mb()?,
            answer_kb: told.bytes / requests / 1_000.0,
        })
    }

    fn send(&self, origin: &str, load: &Load) -> anyhow::Result<Told> {
        let mut command = bound_to_us(Path::new("wrk"), "KILL");
        command
            .args(["--threads", THREADS])
            .args(["--connections", &load.connections.to_string()])
            .args(["--duration", &format!("{}s", load.seconds)])
            .args(["--timeout", TIMEOUT]);
        for (name, value) in &load.headers {
            command.args(["--header", &format!("{name}: {value}")]);
        }
        self.aim(&mut command, origin, &load.asked)?;
        let told = parse(&process::output(&mut command)?)?;
        if told.refused + told.broken > 0 {
            bail!(
                "of {} requests to {} {} were refused and {} broke",
                told.requests,
                load.asked.example(),
                told.refused,
                told.broken
            );
        }
        Ok(told)
    }

    fn aim(&self, command: &mut Command, origin: &str, asked: &Asked) -> anyhow::Result<()> {
        let script = |name| self.folder.join(name);
        match asked {
            Asked::Path(path) => {
                command.arg("--script").arg(script("tell.lua"));
                command.arg(format!("{origin}{path}"));
            }
            Asked::OneOf(paths) => {
                let list = script("paths.txt");
                std::fs::write(&list, paths.join("\n")).context("could not write the paths")?;
                command.arg("--script").arg(script("paths.lua"));
                command.args([origin, "--"]).arg(list);
            }
            Asked::NewCourses => {
                command.arg("--script").arg(script("posts.lua"));
                command.arg(format!("{origin}/v1/courses"));
            }
        }
        Ok(())
    }
}

impl Asked {
    fn example(&self) -> &str {
        match self {
            Self::Path(path) => path,
            Self::OneOf(paths) => paths.first().map_or("nothing", String::as_str),
            Self::NewCourses => "POST /v1/courses",
        }
    }
}

/// The line of JSON among what `wrk` prints.
fn parse(printed: &str) -> anyhow::Result<Told> {
    let line = printed.lines().find(|line| line.starts_with('{'));
    let line = line.with_context(|| format!("wrk did not tell its figures: {printed}"))?;
    serde_json::from_str(line).with_context(|| format!("wrk told {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_found_among_the_words() {
        let printed = "Running 1s test @ http://127.0.0.1:1/\n  2 threads\n\
            {\"requests\":200,\"micros\":1000000,\"p50\":0.5,\"p90\":1,\"p99\":2.25,\"bytes\":400,\"refused\":1,\"broken\":0}\n";
        let told = parse(printed).unwrap();
        assert_eq!((told.requests, told.refused, told.broken), (200, 1, 0));
        assert!((told.p99 - 2.25).abs() < f64::EPSILON);
        assert!(parse("unable to connect").is_err());
    }
}
