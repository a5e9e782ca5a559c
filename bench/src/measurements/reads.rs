//! Reads of one course and of a page, against a bare handler that answers the same bytes.

use super::Measurement;
use crate::bench::Bench;
use crate::limits::bytes::BareActix;
use crate::load::{Asked, Measured};
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
    let rounds = against_bare_actix(bench, &server, &one_course(&planted.courses))?;
    let line = Line::new(
        "get",
        "GET /v1/courses/{id}, 32 connections",
        "× bare actix, same bytes",
        "×",
    );
    Ok(vec![told(line, &rounds).at_least(0.40)].into())
}

/// GET of a page.
pub fn list(bench: &Bench) -> anyhow::Result<Measurement> {
    let (site, _) = bench.site("list")?;
    let server = site.serve()?;
    let rounds = against_bare_actix(bench, &server, PAGE)?;
    let line = Line::new(
        "list",
        "GET /v1/courses?limit=20, 32 connections",
        "× bare actix, same bytes",
        "×",
    );
    Ok(vec![told(line, &rounds).at_least(0.13)].into())
}

/// The address of one of these.
pub fn one_course(courses: &[String]) -> String {
    let middle = courses.get(courses.len() / 2).map_or("", String::as_str);
    format!("/v1/courses/{middle}")
}

/// The server, and a bare handler that answers what the server answers there.
pub fn against_bare_actix(
    bench: &Bench,
    server: &Server,
    path: &str,
) -> anyhow::Result<Vec<(Measured, Measured)>> {
    let body = server.caller.read(&bench.runtime, path)?;
    let bare = BareActix::start(&bench.folder, &body)?;
    let load = bench.load(&server.caller, Asked::Path(path.to_owned()), CONNECTIONS);
    bench.warm_up(server, &load)?;
    alternating(
        bench.rounds,
        || bench.measure(server, &load),
        || bench.wrk.measure(&bare.process, &bare.origin, &load),
    )
}

/// A line about how fast the server was beside a limit.
pub fn told(line: Line, rounds: &[(Measured, Measured)]) -> Line {
    let servers: Vec<Measured> = rounds.iter().map(|(server, _)| *server).collect();
    line.measured(
        rounds
            .iter()
            .map(|(server, limit)| server.rate / limit.rate),
    )
    .by(&servers)
    .beside(rounds.iter().map(|(_, limit)| limit.rate))
}
