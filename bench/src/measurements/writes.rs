//! New courses, each on disk before it is answered, against raw SQLite writing the same rows.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use super::Measurement;
use super::kept::Kept;
use crate::bench::Bench;
use crate::limits::Reached;
use crate::limits::sqlite::{
    RawSqlite, Written, counts, courses, put_into_one_file, written_since,
};
use crate::load::{Asked, Load, Measured, new_course};
use crate::report::Line;
use crate::rounds::alternating;
use crate::server::{Server, Site};

/// As many as the server takes into one commit.
const CROWD: u32 = 64;

struct Scene {
    site: Site,
    server: Server,
    raw: RawSqlite,
}

impl Scene {
    fn open(bench: &Bench, name: &str) -> anyhow::Result<Self> {
        let (site, _) = bench.site(name)?;
        let copy = copy(&site, &bench.place(&format!("{name}-raw"))?)?;
        let server = site.serve()?;
        // What is done once, such as noting that the key was used, is done with the first.
        make(bench, &server, "first")?;
        let before = counts(&site.file())?;
        make(bench, &server, "second")?;
        let rows = written_since(&site.file(), &before)?;
        Ok(Self {
            raw: RawSqlite::open(&copy, rows)?,
            server,
            site,
        })
    }

    fn rounds(
        &mut self,
        bench: &Bench,
        load: &Load,
        per_commit: u64,
    ) -> anyhow::Result<Vec<(Measured, Written)>> {
        let duration = Duration::from_secs(bench.seconds.into());
        let mut kept = Kept::since(courses(&self.site.file())?);
        let warm = bench.warm_up(&self.server, load)?;
        let rounds = alternating(
            bench.rounds,
            || bench.measure(&self.server, load),
            || self.raw.write(duration, per_commit),
        )?;
        let measured = rounds.iter().map(|(server, _)| server);
        measured
            .chain(&warm)
            .for_each(|round| kept.note(load, round));
        kept.is_there(courses(&self.site.file())?)?;
        Ok(rounds)
    }
}

/// The database as the server finds it, for somebody else to write into.
fn copy(site: &Site, place: &Path) -> anyhow::Result<PathBuf> {
    put_into_one_file(&site.file())?;
    let copy = place.join("copy.db");
    std::fs::copy(site.file(), &copy).context("could not copy the database")?;
    Ok(copy)
}

/// Makes one course.
pub fn make(bench: &Bench, server: &Server, name: &str) -> anyhow::Result<String> {
    bench
        .runtime
        .block_on(server.caller.make("/v1/courses", new_course(name)?))
}

/// What a request took of the processor, beside the limit of its round.
fn against(rounds: &[(Measured, Written)]) -> impl Iterator<Item = (f64, Reached)> {
    rounds.iter().map(|(server, raw)| (server.cpu, raw.reached))
}

/// 64 who write at once.
pub fn crowd(bench: &Bench) -> anyhow::Result<Measurement> {
    let mut scene = Scene::open(bench, "post")?;
    let load = bench.load(&scene.server.caller, Asked::new_courses(), CROWD);
    let rounds = scene.rounds(bench, &load, CROWD.into())?;
    let servers: Vec<Measured> = rounds.iter().map(|(server, _)| *server).collect();
    let rate = Line::new(
        "post",
        "POST /v1/courses, 64 clients",
        "× raw SQLite, 64 row sets a commit",
        "×",
    )
    .measured(
        rounds
            .iter()
            .map(|(server, raw)| server.rate / raw.reached.rate),
    )
    .at_least(0.7)
    .by(&servers)
    .beside(against(&rounds));
    let latency = Line::new("post", "POST /v1/courses, 64 clients", "p99", "ms")
        .measured(servers.iter().map(|server| server.p99))
        .at_most(20.0);
    Ok(vec![rate, latency].into())
}

/// One who writes.
pub fn alone(bench: &Bench) -> anyhow::Result<Measurement> {
    let mut scene = Scene::open(bench, "post-one")?;
    let load = bench.load(&scene.server.caller, Asked::new_courses(), 1);
    let rounds = scene.rounds(bench, &load, 1)?;
    let servers: Vec<Measured> = rounds.iter().map(|(server, _)| *server).collect();
    let latency = Line::new(
        "post-one",
        "POST /v1/courses, 1 client",
        "× p50 of a raw commit of one row set",
        "×",
    )
    .measured(rounds.iter().map(|(server, raw)| server.p50 / raw.p50))
    .at_most(1.5)
    .by(&servers)
    .beside(against(&rounds));
    Ok(vec![latency].into())
}
