//! Whether answers become slower with what is stored: small, large and many workspaces, side by side.

use super::Measurement;
use super::reads::PAGE;
use crate::bench::Bench;
use crate::figures::Samples;
use crate::load::{Asked, Load, Measured};
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
type Kind = (&'static str, fn(&Planted) -> Asked);

/// What is asked of each.
const KINDS: [Kind; 4] = [
    ("GET by id", by_id),
    ("first page", |_| Asked::Path(PAGE.to_owned())),
    ("page behind a cursor", behind_a_cursor),
    ("submissions of an assignment in a state", filtered),
];

fn by_id(planted: &Planted) -> Asked {
    Asked::OneOf(
        planted
            .courses
            .iter()
            .map(|id| format!("/v1/courses/{id}"))
            .collect(),
    )
}

fn behind_a_cursor(planted: &Planted) -> Asked {
    // The oldest have no page behind them.
    let after = planted.courses.iter().skip(planted.courses.len() / 10);
    Asked::OneOf(
        after
            .map(|id| format!("{PAGE}&startingAfter={id}"))
            .collect(),
    )
}

fn filtered(planted: &Planted) -> Asked {
    let address =
        |id: &String| format!("/v1/submissions?assignment_id={id}&status=submitted&limit=20");
    Asked::OneOf(planted.assignments.iter().map(address).collect())
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
    asked: fn(&Planted) -> Asked,
) -> anyhow::Result<Vec<Vec<Measured>>> {
    let load =
        |one: &Stored| -> Load { bench.load(&one.server.caller, asked(&one.planted), CONNECTIONS) };
    for one in stored {
        bench.warm_up(&one.server, &load(one))?;
    }
    let mut rounds = Vec::new();
    for number in 0..bench.rounds {
        let mut order: Vec<&Stored> = stored.iter().collect();
        let first = usize::try_from(number)? % order.len();
        order.rotate_left(first);
        let measured: anyhow::Result<Vec<Measured>> = order
            .iter()
            .map(|one| bench.measure(&one.server, &load(one)))
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
