//! What somebody who works on the service waits for: a debug build after one file of `api` was touched.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Context;

use super::Measurement;
use crate::bench::Bench;
use crate::process;
use crate::report::Line;

const TOUCHED: &str = "crates/api/src/authoring/courses.rs";

/// Touches and builds, several times.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .context("the bench stands in the workspace")?;
    let build = || -> anyhow::Result<f64> {
        let since = Instant::now();
        let mut cargo = Command::new("cargo");
        cargo.current_dir(root).args([
            "build",
            "--quiet",
            "--offline",
            "-p",
            "lyceum-cli",
            "--bin",
            "lyceum",
        ]);
        process::output(&mut cargo)?;
        Ok(since.elapsed().as_secs_f64())
    };
    // The first brings everything else up to date.
    build()?;
    let rebuild = |_| {
        process::output(Command::new("touch").arg(root.join(TOUCHED)))?;
        build()
    };
    let times: anyhow::Result<Vec<f64>> = (0..bench.rounds).map(rebuild).collect();
    let line = Line::new(
        "rebuild",
        format!("debug build after touching {TOUCHED}"),
        "time",
        "s",
    )
    .measured(times?)
    .at_most(15.0);
    Ok(vec![line].into())
}
