//! Whether answers become slower with what is stored: small, large and many workspaces, side by side.

use super::Measurement;
use super::reads::PAGE;
use crate::bench::Bench;
use crate::figures::Samples;
use crate::load::{Load, Measured};
use crate::report::{Growth, Line};
use crate::seed::{Planted, Seed};
use crate::server::Server;

/// Few, so that what is measured is the answer and not the queue before it.
const CONNECTIONS: u32 = 4;

struct Stored {
    name: &'static str,
    server: Server,
    planted: Planted,
}

/// Its name, and what is asked for.
type Kind = (&'static str, fn(&Planted) -> Vec<String>);

/// What is asked of each.
const KINDS: [Kind; 4] = [
    ("GET by id", by_id),
    ("first page", |_| vec![PAGE.to_owned()]),
    ("page behind a cursor", behind_a_cursor),
    ("submissions of an assignment in a state", filtered),
];

fn by_id(planted: &Planted) -> Vec<String> {
    let courses = planted.courses.iter();
    courses.map(|id| format!("/v1/courses/{id}")).collect()
}

fn behind_a_cursor(planted: &Planted) -> Vec<String> {
    // The oldest have no page behind them.
    let after = planted.courses.iter().skip(planted.courses.len() / 10);
    after
        .map(|id| format!("{PAGE}&startingAfter={id}"))
        .collect()
}

fn filtered(planted: &Planted) -> Vec<String> {
    let address =
        |id: &String| format!("/v1/submissions?assignment_id={id}&status=submitted&limit=20");
    planted.assignments.iter().map(address).collect()
}

/// Latency over what is stored.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let sizes = sizes(bench);
    let stored: anyhow::Result<Vec<Stored>> = sizes
        .into_iter()
        .take(bench.sized(2, 3))
        .map(|(name, seed)| open(bench, name, &seed))
        .collect();
    let stored = stored?;
    let mut measurement = Measurement::default();
    for (kind, asked) in KINDS.into_iter().take(bench.sized(1, KINDS.len())) {
        let rounds = rounds(bench, &stored, asked)?;
        measurement.lines.extend(lines(kind, &stored, &rounds));
        measurement.growth.push(growth(kind, &stored, &rounds));
    }
    Ok(measurement)
}

fn sizes(bench: &Bench) -> [(&'static str, Seed); 3] {
    let small = bench.sized(1_000, 10_000);
    let large = bench.sized(3_000, 1_000_000);
    let seed = |rows, others| Seed {
        courses: rows,
        submissions: rows,
        members: 0,
        others,
        content: false,
    };
    [
        (bench.sized("1 k rows", "10 k rows"), seed(small, 0)),
        (bench.sized("3 k rows", "1 M rows"), seed(large, 0)),
        (
            bench.sized("50 workspaces", "10 k workspaces"),
            seed(small, bench.sized(50, 10_000)),
        ),
    ]
}

fn open(bench: &Bench, name: &'static str, seed: &Seed) -> anyhow::Result<Stored> {
    let (site, planted) = bench.filled_site(&format!("growth {name}").replace(' ', "-"), seed)?;
    Ok(Stored {
        name,
        server: site.serve()?,
        planted,
    })
}

/// One measurement of each per round, each round beginning with another.
fn rounds(
    bench: &Bench,
    stored: &[Stored],
    asked: fn(&Planted) -> Vec<String>,
) -> anyhow::Result<Vec<Vec<Measured>>> {
    let load = |one: &Stored| -> anyhow::Result<Load> {
        let asked = bench.asked(&one.server, asked(&one.planted))?;
        Ok(bench.load(&one.server.caller, asked, CONNECTIONS))
    };
    let loads: anyhow::Result<Vec<Load>> = stored.iter().map(load).collect();
    let loads = loads?;
    for (one, load) in stored.iter().zip(&loads) {
        bench.warm_up(&one.server, load)?;
    }
    let mut rounds = Vec::new();
    for number in 0..bench.rounds {
        let mut order: Vec<(&Stored, &Load)> = stored.iter().zip(&loads).collect();
        let first = usize::try_from(number)? % order.len();
        order.rotate_left(first);
        let measured: anyhow::Result<Vec<Measured>> = order
            .iter()
            .map(|(one, load)| bench.measure(&one.server, load))
            .collect();
        let mut measured = measured?;
        measured.rotate_right(first);
        rounds.push(measured);
    }
    Ok(rounds)
}

fn lines(kind: &str, stored: &[Stored], rounds: &[Vec<Measured>]) -> Vec<Line> {
    let small = stored.first().map_or("", |small| small.name);
    let line = |(at, one): (usize, &Stored)| {
        let factor = |round: &Vec<Measured>| Some(round.get(at)?.p99 / round.first()?.p99);
        let measured: Vec<Measured> = rounds
            .iter()
            .filter_map(|round| round.get(at).copied())
            .collect();
        Line::new(
            "growth",
            format!("{kind}: {small} → {}", one.name),
            "× p99",
            "×",
        )
        .measured(rounds.iter().filter_map(factor))
        .at_most(1.2)
        .by(&measured)
    };
    stored.iter().enumerate().skip(1).map(line).collect()
}

fn growth(kind: &str, stored: &[Stored], rounds: &[Vec<Measured>]) -> Growth {
    let median = |at: usize, figure: fn(&Measured) -> f64| {
        let all = rounds.iter().filter_map(|round| round.get(at)).map(figure);
        Samples::of(all).median().unwrap_or_default()
    };
    let point = |(at, one): (usize, &Stored)| {
        (
            one.name.to_owned(),
            median(at, |of| of.p50),
            median(at, |of| of.p99),
        )
    };
    Growth {
        work: kind.to_owned(),
        points: stored.iter().enumerate().map(point).collect(),
    }
}
