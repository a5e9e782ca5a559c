//! Reads and writes on PostgreSQL, against a bare handler and against `pgbench` writing the same rows.

use super::Measurement;
use super::kept::Kept;
use super::mixed;
use super::reads::{PAGE, against_bare_actix};
use super::writes::make;
use crate::bench::{Bench, LITTLE};
use crate::limits::Reached;
use crate::limits::pgbench::Style;
use crate::limits::postgres::Cluster;
use crate::load::{Asked, Load, Measured};
use crate::report::Line;
use crate::server::{Server, Site};

const CROWD: u32 = 64;
/// The server's database, and the one that `pgbench` writes into.
const OURS: &str = "lyceum";
const COPY: &str = "copy";

/// A load on the server, with the microseconds per request of the server and of PostgreSQL together.
#[derive(Clone, Copy)]
struct Loaded {
    server: Measured,
    both_cpu: f64,
}

struct Scene<'a> {
    bench: &'a Bench,
    cluster: &'a Cluster,
    server: &'a Server,
}

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
    let scene = Scene {
        bench,
        cluster: &cluster,
        server: &server,
    };
    let mut lines = scene.gets(Asked::courses(&planted.courses))?;
    lines.extend(scene.lists()?);
    lines.extend(scene.writes()?);
    let mixed = mixed::rounds(bench, &server, &planted, || cluster.courses(OURS))?;
    lines.extend(mixed::lines("postgres", "PostgreSQL: ", &mixed));
    server.stop()?;
    Ok(lines.into())
}

impl Scene<'_> {
    /// Sends a load to the server, and sees what it has PostgreSQL do.
    fn measured(&self, load: &Load) -> anyhow::Result<Loaded> {
        let before = self.cluster.cpu_seconds()?;
        let server = self.bench.measure(self.server, load)?;
        let database = self.cluster.cpu_seconds()? - before;
        Ok(Loaded {
            server,
            both_cpu: server.cpu + database * 1_000_000.0 / server.requests,
        })
    }

    fn gets(&self, asked: Asked) -> anyhow::Result<Vec<Line>> {
        let work = "PostgreSQL: GET /v1/courses/{id}, 32 connections";
        let [rate, cpu, p99] = self.reads(work, asked)?;
        Ok(vec![
            rate.at_least(0.17),
            cpu.at_most(130.0),
            p99.at_most(15.0),
        ])
    }

    fn lists(&self) -> anyhow::Result<Vec<Line>> {
        let work = "PostgreSQL: GET /v1/courses?limit=20, 32 connections";
        let asked = self.bench.asked(self.server, vec![PAGE.to_owned()])?;
        Ok(self.reads(work, asked)?.into())
    }

    /// Rate, processor time and 99th percentile.
    fn reads(&self, work: &str, asked: Asked) -> anyhow::Result<[Line; 3]> {
        let rounds =
            against_bare_actix(self.bench, self.server, asked, |load| self.measured(load))?;
        let servers: Vec<Measured> = rounds.iter().map(|(loaded, _)| loaded.server).collect();
        let rate = Line::new("postgres", work, "× bare actix, same bytes", "×")
            .measured(
                rounds
                    .iter()
                    .map(|(ours, bare)| ours.server.rate / bare.rate),
            )
            .by(&servers)
            .beside(rounds.iter().map(|(ours, bare)| (ours.both_cpu, *bare)));
        let cpu = both_cpu(work, rounds.iter().map(|(loaded, _)| *loaded));
        let p99 = Line::new("postgres", work, "p99", "ms")
            .measured(servers.iter().map(|server| server.p99));
        Ok([rate, cpu, p99])
    }

    fn writes(&self) -> anyhow::Result<Vec<Line>> {
        let Self {
            bench,
            cluster,
            server,
        } = self;
        make(bench, server, "first")?;
        let before = cluster.counts(OURS)?;
        make(bench, server, "second")?;
        let rows = cluster.written_since(OURS, &before)?;
        let load = bench.load(&server.caller, Asked::new_courses(), CROWD);
        let mut kept = Kept::since(cluster.courses(OURS)?);
        let warm = bench.warm_up(server, &load)?;
        let pgbench = |style, clients| cluster.write(COPY, &rows, style, clients, bench.seconds);
        let mut rounds = Vec::new();
        for _ in 0..bench.rounds {
            // Each round has one of everything; the server stands in the middle.
            let one_trip = pgbench(Style::OneTrip, CROWD)?;
            let loaded = self.measured(&load)?;
            let step_by_step = pgbench(Style::StepByStep, CROWD)?;
            let sixty_four = pgbench(Style::SixtyFour, 1)?;
            rounds.push((loaded, [one_trip, step_by_step, sixty_four]));
        }
        let measured = rounds.iter().map(|(loaded, _)| &loaded.server);
        measured
            .chain(&warm)
            .for_each(|round| kept.note(&load, round));
        kept.is_there(cluster.courses(OURS)?)?;
        Ok(told_of_writes(&rounds))
    }
}

fn told_of_writes(rounds: &[(Loaded, [Reached; 3])]) -> Vec<Line> {
    let work = "PostgreSQL: POST /v1/courses, 64 clients";
    let servers: Vec<Measured> = rounds.iter().map(|(loaded, _)| loaded.server).collect();
    let against = |figure: &str, limit: fn(&[Reached; 3]) -> Reached| {
        let beside = rounds.iter().map(|(ours, limits)| (ours, limit(limits)));
        Line::new("postgres", work, figure, "×")
            .measured(
                beside
                    .clone()
                    .map(|(ours, limit)| ours.server.rate / limit.rate),
            )
            .by(&servers)
            .beside(beside.map(|(ours, limit)| (ours.both_cpu, limit)))
    };
    vec![
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
        both_cpu(work, rounds.iter().map(|(loaded, _)| *loaded)),
    ]
}

fn both_cpu(work: &str, rounds: impl Iterator<Item = Loaded>) -> Line {
    Line::new(
        "postgres",
        work,
        "server + PostgreSQL CPU per request",
        "µs",
    )
    .measured(rounds.map(|loaded| loaded.both_cpu))
}
