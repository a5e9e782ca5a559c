//! Reads of one course and of a page, against a bare handler that answers the same bytes.

use super::Measurement;
use crate::bench::Bench;
use crate::limits::Reached;
use crate::limits::bytes::BareActix;
use crate::load::{Asked, Load, Measured};
use crate::report::Line;
use crate::rounds::alternating;
use crate::server::Server;

const CONNECTIONS: u32 = 32;
/// The page that is asked for.
pub const PAGE: &str = "/v1/courses?limit=20";

/// GET of one course.
pub fn get(bench: &Bench) -> anyhow::Result<Measurement> {
    let (site, planted) = bench.site("get")?;
    let server = site.serve()?;
    let asked = Asked::courses(&planted.courses);
    let rounds = against_bare_actix(bench, &server, asked, |load| bench.measure(&server, load))?;
    let line = Line::new(
        "get",
        "GET /v1/courses/{id}, 32 connections",
        "× bare actix, same bytes",
        "×",
    );
    let cpu = Line::new(
        "get",
        "GET /v1/courses/{id}, 32 connections",
        "server CPU per request",
        "µs",
    )
    .measured(rounds.iter().map(|(server, _)| server.cpu))
    .at_most(34.0);
    Ok(vec![told(line, &rounds).at_least(0.42), cpu].into())
}

/// GET of a page.
pub fn list(bench: &Bench) -> anyhow::Result<Measurement> {
    let (site, _) = bench.site("list")?;
    let server = site.serve()?;
    let asked = bench.asked(&server, vec![PAGE.to_owned()])?;
    let rounds = against_bare_actix(bench, &server, asked, |load| bench.measure(&server, load))?;
    let line = Line::new(
        "list",
        "GET /v1/courses?limit=20, 32 connections",
        "× bare actix, same bytes",
        "×",
    );
    Ok(vec![told(line, &rounds).at_least(0.17)].into())
}

/// The server, as it is measured, and a bare handler that answers what the server answers there.
pub fn against_bare_actix<T>(
    bench: &Bench,
    server: &Server,
    asked: Asked,
    measured: impl Fn(&Load) -> anyhow::Result<T>,
) -> anyhow::Result<Vec<(T, Reached)>> {
    let body = server.caller.read(&bench.runtime, asked.example())?;
    let bare = BareActix::start(&bench.folder, &body)?;
    let same_answer = asked.clone().always_answered_with(&body);
    let same_answer = bench.load(&server.caller, same_answer, CONNECTIONS);
    let load = bench.load(&server.caller, asked, CONNECTIONS);
    bench.warm_up(server, &load)?;
    alternating(
        bench.rounds,
        || measured(&load),
        || {
            let limit = bench
                .wrk
                .measure(&bare.process, &bare.origin, &same_answer)?;
            Ok(limit.into())
        },
    )
}

/// A line about how fast the server was beside a limit.
pub fn told(line: Line, rounds: &[(Measured, Reached)]) -> Line {
    let servers: Vec<Measured> = rounds.iter().map(|(server, _)| *server).collect();
    line.measured(
        rounds
            .iter()
            .map(|(server, limit)| server.rate / limit.rate),
    )
    .by(&servers)
    .beside(rounds.iter().map(|(server, limit)| (server.cpu, *limit)))
}
