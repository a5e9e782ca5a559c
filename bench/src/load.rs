//! Load over HTTP, by `wrk`.
//!
//! `wrk` tells its figures in words with units, and looks at no answer; a script of ours makes it tell them as JSON, and
//! hold each answer against what was asked for.

mod asked;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

pub use self::asked::{Asked, new_course};
use crate::api::PLATFORM;
use crate::figures::number;
use crate::process::{self, Process, bound_to_us};

const SCRIPT: &str = include_str!("load/load.lua");

/// How long an answer may take: longer than any, since an answer that is late is measured and not an error.
const TIMEOUT: &str = "60s";
/// One: with two, the generator would take from both processors what the server is measured on.
const THREADS: &str = "1";
/// How the script begins the line with an answer that was not what was asked for.
const WRONG: &str = "wrong, such as: ";

/// Requests that are sent for some seconds.
#[derive(Debug, Clone)]
pub struct Load {
    /// What is asked for.
    pub asked: Asked,
    /// API keys, each request with one of these at random.
    pub keys: Vec<String>,
    /// Connections, each of which has one request under way all the time.
    pub connections: u32,
    /// How long.
    pub seconds: u32,
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
    /// New courses.
    pub created: u32,
    /// Answers that nobody waited for: of another status, or about something else than was asked for.
    pub wrong: u32,
}

/// A load and what its answers cost the process that gave them.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Measured {
    /// Requests that were answered.
    pub requests: f64,
    /// … with a new course.
    pub created: f64,
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

/// Sends loads; keeps what it needs for them in a folder.
#[derive(Debug)]
pub struct Wrk {
    folder: PathBuf,
    /// What makes names and keys of one load others than those of the next.
    loads: AtomicU32,
}

impl Wrk {
    /// Puts its script into this folder.
    ///
    /// # Errors
    /// If the folder is not writable.
    pub fn new(folder: &Path) -> anyhow::Result<Self> {
        Self::counting_from(0, folder)
    }

    /// The same beside another that sends to the same database: what it makes is told apart by where it begins to count its loads.
    ///
    /// # Errors
    /// As for [`Wrk::new`].
    pub fn counting_from(first: u32, folder: &Path) -> anyhow::Result<Self> {
        std::fs::write(folder.join("load.lua"), SCRIPT).context("could not write wrk's script")?;
        Ok(Self {
            folder: folder.to_owned(),
            loads: AtomicU32::new(first),
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
            created: number(told.created),
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
        let (header, value) = PLATFORM;
        command
            .args(["--threads", THREADS])
            .args(["--connections", &load.connections.to_string()])
            .args(["--duration", &format!("{}s", load.seconds)])
            .args(["--timeout", TIMEOUT])
            .args(["--header", &format!("{header}: {value}")])
            .arg("--script")
            .arg(self.folder.join("load.lua"));
        self.aim(&mut command, origin, load)?;
        let printed = process::output(&mut command)?;
        let told = parse(&printed)?;
        if told.refused + told.broken + told.wrong > 0 {
            let wrong = printed.lines().find(|line| line.starts_with(WRONG));
            bail!(
                "of {} answers to {} {} were refusals and {} not what was asked for, and {} requests broke; {}",
                told.requests,
                load.asked.example(),
                told.refused,
                told.wrong,
                told.broken,
                wrong.unwrap_or_default()
            );
        }
        Ok(told)
    }

    fn aim(&self, command: &mut Command, origin: &str, load: &Load) -> anyhow::Result<()> {
        let number = self.loads.fetch_add(1, Ordering::Relaxed) + 1;
        command.args([origin, "--"]);
        for (name, text) in [
            ("paths", load.asked.lines()),
            ("keys", load.keys.join("\n")),
            ("course", new_course(asked::NAME)?.to_string()),
        ] {
            let file = self.folder.join(name);
            std::fs::write(&file, text).context("could not write what wrk asks for")?;
            command.arg(file);
        }
        command.args([
            asked::NAME,
            &load.asked.new_of_hundred.to_string(),
            &number.to_string(),
        ]);
        Ok(())
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
        let printed = "Running 1s test @ http://127.0.0.1:1/\n  1 threads\nwrong, such as: 404 {\"id\":\"x\"}\n\
            {\"requests\":200,\"micros\":1000000,\"p50\":0.5,\"p90\":1,\"p99\":2.25,\"bytes\":400,\"refused\":1,\
            \"broken\":0,\"created\":3,\"wrong\":2}\n";
        let told = parse(printed).unwrap();
        assert_eq!((told.requests, told.refused, told.broken), (200, 1, 0));
        assert_eq!((told.created, told.wrong), (3, 2));
        assert!((told.p99 - 2.25).abs() < f64::EPSILON);
        assert!(parse("unable to connect").is_err());
    }
}
