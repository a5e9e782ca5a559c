//! Reads and writes on PostgreSQL, against a bare handler and against `pgbench` writing the same rows.

use super::Measurement;
use super::reads::{against_bare_actix, one_course, told};
use super::writes::make;
use crate::bench::{Bench, LITTLE};
use crate::limits::pgbench::Style;
use crate::limits::postgres::Cluster;
use crate::load::{Asked, Measured};
use crate::report::Line;
use crate::server::{Server, Site};

const CROWD: u32 = 64;
/// The server's database, and the one that `pgbench` writes into.
const OURS: &str = "lyceum";
const COPY: &str = "copy";

/// GET of one course; new courses from 64 clients.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let cluster = Cluster::start(&bench.place("postgres")?)?;
    let url = cluster.database(OURS, "template0")?;
    let site = Site::make(
        &bench.binary,
        &bench.folder.join("postgres-data"),
        Some(&url),
    )?;
    let planted = site.plant(&bench.runtime, &LITTLE)?;
    cluster.database(COPY, OURS)?;
    let server = site.serve()?;
    let reads = against_bare_actix(bench, &server, &one_course(&planted.courses))?;
    let get = Line::new(
        "postgres",
        "PostgreSQL: GET /v1/courses/{id}, 32 connections",
        "× bare actix, same bytes",
        "×",
    );
    let mut lines = vec![told(get, &reads).at_least(0.17)];
    lines.extend(writes(bench, &cluster, &server)?);
    server.stop()?;
    Ok(lines.into())
}

fn writes(bench: &Bench, cluster: &Cluster, server: &Server) -> anyhow::Result<Vec<Line>> {
    make(bench, server, "first")?;
    let before = cluster.counts(OURS)?;
    make(bench, server, "second")?;
    let rows = cluster.written_since(OURS, &before)?;
    let load = bench.load(&server.caller, Asked::NewCourses, CROWD);
    bench.warm_up(server, &load)?;
    let pgbench = |style, clients| cluster.write(COPY, &rows, style, clients, bench.seconds);
    let mut rounds: Vec<(Measured, [f64; 3])> = Vec::new();
    for _ in 0..bench.rounds {
        // Each round has one of everything; the server stands in the middle.
        let one_trip = pgbench(Style::OneTrip, CROWD)?;
        let measured = bench.measure(server, &load)?;
        let step_by_step = pgbench(Style::StepByStep, CROWD)?;
        let sixty_four = pgbench(Style::SixtyFour, 1)?;
        rounds.push((measured, [one_trip, step_by_step, sixty_four]));
    }
    let servers: Vec<Measured> = rounds.iter().map(|(server, _)| *server).collect();
    let against = |figure: &str, limit: fn(&[f64; 3]) -> f64| {
        Line::new(
            "postgres",
            "PostgreSQL: POST /v1/courses, 64 clients",
            figure,
            "×",
        )
        .measured(
            rounds
                .iter()
                .map(|(server, limits)| server.rate / limit(limits)),
        )
        .by(&servers)
        .beside(rounds.iter().map(|(_, limits)| limit(limits)))
    };
    Ok(vec![
        against(
            "× pgbench, a transaction per row set in one round trip",
            |[limit, _, _]| *limit,
        )
        .at_least(0.8),
        against(
            "× pgbench, a transaction per row set, step by step",
            |[_, limit, _]| *limit,
        )
        .at_least(1.0),
        against(
            "× pgbench, one client, 64 row sets a transaction",
            |[_, _, limit]| *limit,
        ),
    ])
}
