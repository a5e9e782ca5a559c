//! Reads from a server as it is shipped, with limits and a line in the log for each answer, against one as everything
//! else here is measured: what the bench leaves out.

use super::Measurement;
use super::callers::seed;
use crate::bench::Bench;
use crate::limits::sqlite::put_into_one_file;
use crate::load::{Asked, Load, Measured};
use crate::report::Line;
use crate::rounds::alternating;

const CONNECTIONS: u32 = 32;

/// GET of one course. By many keys, since no single one may ask for so much.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let (site, planted) = bench.filled_site("shipped", &seed(bench))?;
    put_into_one_file(&site.file())?;
    let bare = site.copy(bench.folder.join("shipped-bare"))?;
    let (shipped, bare) = (site.serve_as_shipped()?, bare.serve()?);
    let load = Load {
        keys: planted.keys,
        ..bench.load(
            &shipped.caller,
            Asked::courses(&planted.courses),
            CONNECTIONS,
        )
    };
    bench.warm_up(&shipped, &load)?;
    bench.warm_up(&bare, &load)?;
    let rounds = alternating(
        bench.rounds,
        || bench.measure(&shipped, &load),
        || bench.measure(&bare, &load),
    )?;
    let servers: Vec<Measured> = rounds.iter().map(|(shipped, _)| *shipped).collect();
    let line = Line::new(
        "shipped",
        "GET /v1/courses/{id} as shipped, 32 connections",
        "× server CPU per request without limits and access log",
        "×",
    )
    .measured(rounds.iter().map(|(shipped, bare)| shipped.cpu / bare.cpu))
    .by(&servers)
    .beside(
        rounds
            .iter()
            .map(|(shipped, bare)| (shipped.cpu, (*bare).into())),
    );
    Ok(vec![line].into())
}
