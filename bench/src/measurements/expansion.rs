//! A course with all of its hundred lessons in one answer, against the course alone, by the kB.

use super::Measurement;
use crate::bench::Bench;
use crate::figures::number;
use crate::load::{Load, Measured};
use crate::report::Line;
use crate::rounds::alternating;

/// Answers of half a megabyte: more at once would only wait for one another.
const CONNECTIONS: u32 = 4;

/// Processor time per kB of body.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let (site, planted) = bench.site("expand")?;
    let server = site.serve()?;
    let plain = format!("/v1/courses/{}", planted.with_content);
    let whole = format!("{plain}?expand=units.lessons.activities");
    let kb = |path: &str| -> anyhow::Result<f64> {
        Ok(number(server.caller.read(&bench.runtime, path)?.len()) / 1_000.0)
    };
    let (plain_kb, whole_kb) = (kb(&plain)?, kb(&whole)?);
    let load = |path: String| -> anyhow::Result<Load> {
        let asked = bench.asked(&server, vec![path])?;
        Ok(bench.load(&server.caller, asked, CONNECTIONS))
    };
    let (plain, whole) = (load(plain)?, load(whole)?);
    bench.warm_up(&server, &whole)?;
    let rounds = alternating(
        bench.rounds,
        || bench.measure(&server, &whole),
        || bench.measure(&server, &plain),
    )?;
    let servers: Vec<Measured> = rounds.iter().map(|(whole, _)| *whole).collect();
    let work =
        format!("GET of a course, expand=units.lessons.activities: 100 lessons, {whole_kb:.0} kB");
    let line = Line::new("expand", work.clone(), "× CPU per kB of the plain GET", "×")
        .measured(
            rounds
                .iter()
                .map(|(whole, plain)| (whole.cpu / whole_kb) / (plain.cpu / plain_kb)),
        )
        .at_most(3.0)
        .by(&servers)
        .beside(
            rounds
                .iter()
                .map(|(whole, plain)| (whole.cpu, (*plain).into())),
        );
    let cpu = Line::new("expand", work, "server CPU per answer", "ms")
        .measured(servers.iter().map(|whole| whole.cpu / 1_000.0))
        .at_most(6.0);
    Ok(vec![line, cpu].into())
}
