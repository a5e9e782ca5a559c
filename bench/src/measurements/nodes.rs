//! The same load on one, two and four processes that share a PostgreSQL, and one that joins two meanwhile.
//!
//! All of them, the database and the load generators have this one machine: what is seen is what a further process costs, and that
//! nothing stands in line for another, not what a further machine brings.

use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};

use super::Measurement;
use crate::bench::{Bench, LITTLE};
use crate::figures::millis;
use crate::limits::postgres::Cluster;
use crate::load::{Asked, Load, Measured, Wrk};
use crate::report::Line;
use crate::server::{Server, Site};

const GROUP: &str = "nodes";
/// Of all processes together.
const CONNECTIONS: u32 = 32;
const COUNTS: [u32; 3] = [1, 2, 4];
/// Further apart than loads are many.
const APART: u32 = 1_000;

/// A process, and what sends load to it.
struct Node {
    server: Server,
    wrk: Wrk,
}

/// What several processes came to together.
#[derive(Clone, Copy)]
struct Together {
    rate: f64,
    /// Microseconds per request, of the processes and of PostgreSQL.
    nodes_cpu: f64,
    postgres_cpu: f64,
}

/// GET of one course and new courses.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let cluster = Cluster::start(&bench.place("nodes")?)?;
    let url = cluster.database("lyceum", "template0")?;
    let site = Site::make(&bench.binary, &bench.folder.join("nodes-data"), Some(&url))?;
    let planted = site.plant(&bench.runtime, &LITTLE)?;
    cluster.tidy("lyceum")?;
    let node = |number: u32| -> anyhow::Result<Node> {
        let folder = bench.place(&format!("nodes-load-{number}"))?;
        Ok(Node {
            server: site.serve()?,
            wrk: Wrk::counting_from(number * APART, &folder)?,
        })
    };
    let most = COUNTS.into_iter().max().unwrap_or(1);
    let nodes = (0..most).map(node).collect::<anyhow::Result<Vec<Node>>>()?;
    let reads = Asked::courses(&planted.courses);
    let mut lines = Vec::new();
    for (work, asked) in [
        ("GET /v1/courses/{id}", reads.clone()),
        ("POST /v1/courses", Asked::new_courses()),
    ] {
        lines.extend(scaled(bench, &cluster, &nodes, work, &asked)?);
    }
    lines.push(joined(bench, nodes, || node(most), &reads)?);
    Ok(lines.into())
}

/// A line for each number of processes.
fn scaled(
    bench: &Bench,
    cluster: &Cluster,
    nodes: &[Node],
    work: &str,
    asked: &Asked,
) -> anyhow::Result<Vec<Line>> {
    for node in nodes {
        let brief = load(
            &bench.load(&node.server.caller, asked.clone(), CONNECTIONS),
            1,
        );
        node.measure(&brief)?;
    }
    let mut rounds = Vec::new();
    for _ in 0..bench.rounds {
        let mut round = Vec::new();
        for count in COUNTS {
            let chosen = nodes.iter().take(usize::try_from(count)?);
            let chosen: Vec<&Node> = chosen.collect();
            round.push(together(bench, cluster, &chosen, asked)?);
        }
        rounds.push(round);
    }
    let of = |place: usize| rounds.iter().filter_map(move |round| round.get(place));
    Ok(COUNTS
        .into_iter()
        .enumerate()
        .flat_map(|(place, count)| {
            let processes = if count == 1 { "process" } else { "processes" };
            let work =
                format!("PostgreSQL: {work}, {count} {processes}, {CONNECTIONS} connections");
            let line = |figure: &str, unit| Line::new(GROUP, work.as_str(), figure, unit);
            [
                line("× one process", "×")
                    .measured(of(place).zip(of(0)).map(|(all, one)| all.rate / one.rate)),
                line("requests per second", "/s").measured(of(place).map(|all| all.rate)),
                line("µs of the processes per request", "µs")
                    .measured(of(place).map(|all| all.nodes_cpu)),
                line("µs of PostgreSQL per request", "µs")
                    .measured(of(place).map(|all| all.postgres_cpu)),
            ]
        })
        .collect())
}

/// The load, shared out among these.
fn together(
    bench: &Bench,
    cluster: &Cluster,
    nodes: &[&Node],
    asked: &Asked,
) -> anyhow::Result<Together> {
    let shared = CONNECTIONS / u32::try_from(nodes.len())?;
    let before = cluster.cpu_seconds()?;
    let measured = at_once(nodes.iter().map(|node| {
        let load = bench.load(&node.server.caller, asked.clone(), shared);
        move || node.measure(&load)
    }))?;
    let postgres = cluster.cpu_seconds()? - before;
    let requests: f64 = measured.iter().map(|one| one.requests).sum();
    let used: f64 = measured.iter().map(|one| one.cpu * one.requests).sum();
    Ok(Together {
        rate: measured.iter().map(|one| one.rate).sum(),
        nodes_cpu: used / requests,
        postgres_cpu: postgres * 1_000_000.0 / requests,
    })
}

/// One more comes while two are under load; nobody is refused anything, by it either.
fn joined(
    bench: &Bench,
    nodes: Vec<Node>,
    another: impl FnOnce() -> anyhow::Result<Node>,
    asked: &Asked,
) -> anyhow::Result<Line> {
    let pair: Vec<Node> = nodes.into_iter().take(2).collect();
    let seconds = bench.seconds + 2;
    let of = |node: &Node| {
        load(
            &bench.load(&node.server.caller, asked.clone(), CONNECTIONS / 2),
            seconds,
        )
    };
    let ready_after = thread::scope(|scope| -> anyhow::Result<Duration> {
        let pair = pair.iter().map(|node| {
            let load = of(node);
            scope.spawn(move || node.measure(&load))
        });
        let pair: Vec<_> = pair.collect();
        let third = another()?;
        third.measure(&load(&of(&third), bench.seconds))?;
        for measured in pair {
            measured
                .join()
                .map_err(|_| anyhow!("a load broke down"))??;
        }
        Ok(third.server.ready_after)
    })?;
    let work = "PostgreSQL: a third process joins two under load, nobody is refused";
    let line = Line::new(GROUP, work, "until it is ready", "ms");
    Ok(line.measured([millis(ready_after)]))
}

fn load(load: &Load, seconds: u32) -> Load {
    Load {
        seconds,
        ..load.clone()
    }
}

/// What all of these come to, done at once.
fn at_once<F>(all: impl Iterator<Item = F>) -> anyhow::Result<Vec<Measured>>
where
    F: FnOnce() -> anyhow::Result<Measured> + Send,
{
    thread::scope(|scope| {
        let begun: Vec<_> = all.map(|one| scope.spawn(one)).collect();
        let ended = begun
            .into_iter()
            .map(|one| one.join().ok().context("a load broke down")?);
        ended.collect()
    })
}

impl Node {
    fn measure(&self, load: &Load) -> anyhow::Result<Measured> {
        self.wrk
            .measure(&self.server.process, &self.server.caller.origin, load)
    }
}
