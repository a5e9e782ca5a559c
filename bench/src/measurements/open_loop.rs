//! Latency as somebody has it who does not wait for the answer before, alone and beside a crowd that does.

use std::time::Duration;

use super::Measurement;
use crate::bench::Bench;
use crate::load::{Asked, Measured};
use crate::probe::{Probed, Question};
use crate::report::Line;

const CONNECTIONS: u32 = 32;
const GROUP: &str = "open-loop";

/// One course, and a new one, every 50 ms.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let (site, planted) = bench.site("open-loop")?;
    let server = site.serve()?;
    let load = bench.load(
        &server.caller,
        Asked::courses(&planted.courses),
        CONNECTIONS,
    );
    let reads = Question::Courses(planted.courses);
    let during = Duration::from_secs(bench.seconds.into());
    let (mut alone, mut crowded, mut writes) = (Vec::new(), Vec::new(), Vec::new());
    bench.warm_up(&server, &load)?;
    for _ in 0..bench.rounds {
        alone.push(bench.probe(&server, &reads, during)?);
        crowded.push(bench.measure_and_probe(&server, &load, &reads)?);
        writes.push(bench.probe(&server, &Question::NewCourse, during)?);
    }
    let closed: Vec<Measured> = crowded.iter().map(|(closed, _)| *closed).collect();
    let crowded: Vec<Probed> = crowded.iter().map(|(_, open)| *open).collect();
    let read = "GET /v1/courses/{id} every 50 ms";
    let [p50, p99] = lines(GROUP, &format!("{read}, beside 32 connections"), &crowded);
    let mut lines_of_all: Vec<Line> = lines(GROUP, read, &alone).into();
    lines_of_all.extend([p50.by(&closed), p99.by(&closed)]);
    lines_of_all.extend(lines(GROUP, "POST /v1/courses every 50 ms", &writes));
    Ok(lines_of_all.into())
}

/// Half of the answers, and 99 of 100.
pub fn lines(group: &'static str, work: &str, rounds: &[Probed]) -> [Line; 2] {
    let line = |figure: &str, of: fn(&Probed) -> f64| {
        Line::new(group, work, format!("{figure} since it was due"), "ms")
            .measured(rounds.iter().map(of))
    };
    [line("p50", |open| open.p50), line("p99", |open| open.p99)]
}
