//! Reads and writes on PostgreSQL, against a bare handler, and against `pgbench` asking the same and writing the same rows.

use anyhow::Context;

use super::Measurement;
use super::kept::Kept;
use super::mixed;
use super::reads::{PAGE, against_bare_actix};
use super::writes::make;
use crate::bench::{Bench, LITTLE};
use crate::limits::Reached;
use crate::limits::pgbench::{Reads, Style};
use crate::limits::postgres::Cluster;
use crate::limits::statements::{Statement, of_one_request};
use crate::load::{Asked, Load, Measured};
use crate::report::Line;
use crate::seed::Planted;
use crate::server::{Server, Site};

const CROWD: u32 = 64;
/// The server's database, and the one that `pgbench` writes into.
const OURS: &str = "lyceum";
const COPY: &str = "copy";
/// The database that `pgbench` reads from, whose ids it can make up.
const NUMBERED: &str = "numbered";
const READERS: u32 = 32;
/// GETs whose statements are looked at: more than whatever else comes up meanwhile.
const LOOKED_AT: usize = 50;
/// How often it is tried, should something else come between them each time.
const TRIES: u32 = 5;

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
    for copy in [COPY, NUMBERED] {
        cluster.database(copy, OURS)?;
    }
    let numbered = cluster.number_courses(NUMBERED)?;
    for database in [OURS, COPY, NUMBERED] {
        cluster.tidy(database)?;
    }
    let server = site.serve()?;
    let scene = Scene {
        bench,
        cluster: &cluster,
        server: &server,
    };
    let mut lines = scene.gets(Asked::courses(&planted.courses))?;
    lines.extend(scene.gets_beside_pgbench(&planted, numbered)?);
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

    /// … against `pgbench` asking what the server asks for it.
    fn gets_beside_pgbench(&self, planted: &Planted, numbered: u64) -> anyhow::Result<Vec<Line>> {
        let ids = planted.courses.get(..LOOKED_AT).unwrap_or(&planted.courses);
        let statements = self.asked_for_one_of(ids)?;
        let last = ids.last().context("there is no course")?;
        let [trip, steps] =
            [true, false].map(|in_one_trip| Reads::of(&statements, last, numbered, in_one_trip));
        let asked = Asked::courses(&planted.courses);
        let load = self.bench.load(&self.server.caller, asked, READERS);
        let pgbench = |reads| {
            self.cluster
                .read(NUMBERED, reads, READERS, self.bench.seconds)
        };
        let mut rounds = Vec::new();
        for _ in 0..self.bench.rounds {
            let trip = pgbench(&trip)?;
            let loaded = self.measured(&load)?;
            rounds.push((loaded, [trip, pgbench(&steps)?]));
        }
        let work = format!(
            "PostgreSQL: GET /v1/courses/{{id}} ({} statements), 32 connections",
            statements.len()
        );
        Ok(vec![
            against(
                &work,
                "× pgbench, the same statements in one round trip",
                &rounds,
                |[trip, _]| *trip,
            )
            .at_least(0.8),
            against(
                &work,
                "× pgbench, the same statements step by step",
                &rounds,
                |[_, steps]| *steps,
            ),
        ])
    }

    /// What the server has PostgreSQL execute for a GET of the last of these.
    fn asked_for_one_of(&self, ids: &[String]) -> anyhow::Result<Vec<Statement>> {
        let get = |id: &String| {
            let path = format!("/v1/courses/{id}");
            self.server
                .caller
                .read(&self.bench.runtime, &path)
                .map(drop)
        };
        let look = || -> anyhow::Result<Vec<Statement>> {
            let executed = self
                .cluster
                .executed(OURS, || ids.iter().try_for_each(get))?;
            of_one_request(&executed, ids.len())
        };
        let mut seen = look();
        for _ in 1..TRIES {
            if seen.is_ok() {
                break;
            }
            seen = look();
        }
        seen
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

/// A line about one of several limits of each round.
fn against<const N: usize>(
    work: &str,
    figure: &str,
    rounds: &[(Loaded, [Reached; N])],
    limit: impl Fn(&[Reached; N]) -> Reached,
) -> Line {
    let servers: Vec<Measured> = rounds.iter().map(|(loaded, _)| loaded.server).collect();
    let beside: Vec<(&Loaded, Reached)> = rounds
        .iter()
        .map(|(ours, limits)| (ours, limit(limits)))
        .collect();
    let rates = beside.iter();
    Line::new("postgres", work, figure, "×")
        .measured(rates.map(|(ours, limit)| ours.server.rate / limit.rate))
        .by(&servers)
        .beside(beside.iter().map(|(ours, limit)| (ours.both_cpu, *limit)))
}

fn told_of_writes(rounds: &[(Loaded, [Reached; 3])]) -> Vec<Line> {
    let work = "PostgreSQL: POST /v1/courses, 64 clients";
    let against =
        |figure, limit: fn(&[Reached; 3]) -> Reached| against(work, figure, rounds, limit);
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
