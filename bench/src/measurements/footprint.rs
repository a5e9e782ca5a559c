//! What it takes to have the server there: time to start, memory, size.

use std::thread;
use std::time::Duration;

use anyhow::Context;

use super::Measurement;
use crate::bench::Bench;
use crate::figures::{millis, number};
use crate::load::{Asked, Measured};
use crate::report::Line;
use crate::seed::Seed;
use crate::server::Site;

const STARTS: u32 = 10;
const CONNECTIONS: u32 = 256;

/// Start, memory, size.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let stored = Seed {
        courses: bench.sized(200, 10_000),
        ..Seed::default()
    };
    let (site, planted) = bench.filled_site("footprint", &stored)?;
    let ready = starts(bench, &site)?;
    let server = site.serve()?;
    thread::sleep(bench.sized(Duration::ZERO, Duration::from_secs(2)));
    let idle = server.process.resident_mb()?;
    let load = bench.load(
        &server.caller,
        Asked::courses(&planted.courses),
        CONNECTIONS,
    );
    let rounds: anyhow::Result<Vec<Measured>> = (0..bench.rounds)
        .map(|_| bench.measure(&server, &load))
        .collect();
    let rounds = rounds?;
    let bytes = std::fs::metadata(&bench.binary)
        .context("the binary is gone")?
        .len();
    Ok(vec![
        Line::new(
            "footprint",
            "start on an existing database",
            "start of the process to ready",
            "ms",
        )
        .measured(ready)
        .at_most(50.0),
        Line::new("footprint", "idle for 2 s", "RSS", "MB")
            .measured([idle])
            .at_most(30.0),
        Line::new(
            "footprint",
            "GET /v1/courses/{id}, 256 connections",
            "RSS",
            "MB",
        )
        .measured(rounds.iter().map(|round| round.rss))
        .at_most(120.0)
        .by(&rounds),
        Line::new("footprint", "the binary", "size", "MB")
            .measured([number(bytes) / 1_000_000.0])
            .at_most(40.0),
    ]
    .into())
}

/// Milliseconds from the start of the process to its first "ready", each time after an orderly stop.
fn starts(bench: &Bench, site: &Site) -> anyhow::Result<Vec<f64>> {
    let start = |_| {
        let server = site.serve_directly()?;
        let ready = millis(server.ready_after);
        server.stop()?;
        Ok(ready)
    };
    (0..bench.sized(2, STARTS)).map(start).collect()
}
