//! Reads by many callers, against the same by one: what each of them costs who is not the one before.

use super::Measurement;
use crate::bench::{Bench, LITTLE};
use crate::load::{Asked, Load, Measured};
use crate::report::Line;
use crate::rounds::alternating;
use crate::seed::Seed;

const CONNECTIONS: u32 = 32;

/// What many callers find: little, as everywhere, and themselves.
pub fn seed(bench: &Bench) -> Seed {
    Seed {
        members: bench.sized(50, 2_500),
        ..LITTLE
    }
}

/// GET of one course by each key at random, and by one.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let (site, planted) = bench.filled_site("callers", &seed(bench))?;
    let server = site.serve()?;
    let asked = Asked::courses(&planted.courses);
    let load = |keys: &[String]| Load {
        keys: keys.to_vec(),
        ..bench.load(&server.caller, asked.clone(), CONNECTIONS)
    };
    let many = load(&planted.keys);
    let one = load(planted.keys.get(..1).unwrap_or_default());
    bench.warm_up(&server, &many)?;
    let rounds = alternating(
        bench.rounds,
        || bench.measure(&server, &many),
        || bench.measure(&server, &one),
    )?;
    let servers: Vec<Measured> = rounds.iter().map(|(many, _)| *many).collect();
    let work = format!(
        "GET /v1/courses/{{id}} by {} keys, 32 connections",
        planted.keys.len()
    );
    let line = Line::new("callers", work, "× server CPU per request of one key", "×")
        .measured(rounds.iter().map(|(many, one)| many.cpu / one.cpu))
        .at_most(1.1)
        .by(&servers)
        .beside(rounds.iter().map(|(many, one)| (many.cpu, (*one).into())));
    Ok(vec![line].into())
}
