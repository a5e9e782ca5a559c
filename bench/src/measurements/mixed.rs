//! Reads beside writes on one server, against what each would come to by itself.

use super::Measurement;
use super::kept::Kept;
use super::open_loop;
use crate::bench::Bench;
use crate::limits::Reached;
use crate::limits::sqlite;
use crate::load::{Asked, Load, Measured};
use crate::probe::{Probed, Question};
use crate::report::Line;
use crate::seed::Planted;
use crate::server::Server;

const CONNECTIONS: u32 = 32;
/// Of a hundred requests.
const WRITES: u32 = 20;

/// Both at once, with the reads of somebody beside them, and each by itself.
pub struct Round {
    both: Measured,
    beside: Probed,
    alone: Reached,
}

/// On SQLite.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let (site, planted) = bench.site("mixed")?;
    let server = site.serve()?;
    let rounds = rounds(bench, &server, &planted, || sqlite::courses(&site.file()))?;
    Ok(lines("mixed", "", &rounds).into())
}

/// Measures it on a server whose courses can be counted.
pub fn rounds(
    bench: &Bench,
    server: &Server,
    planted: &Planted,
    courses: impl Fn() -> anyhow::Result<u64>,
) -> anyhow::Result<Vec<Round>> {
    let load = |new_of_hundred| {
        let mut asked = Asked::courses(&planted.courses);
        asked.new_of_hundred = new_of_hundred;
        bench.load(&server.caller, asked, CONNECTIONS)
    };
    let (both, reads, writes) = (load(WRITES), load(0), load(100));
    let question = Question::Courses(planted.courses.clone());
    let mut kept = Kept::since(courses()?);
    let mut noted = |load: &Load, measured: Measured| {
        kept.note(load, &measured);
        measured
    };
    if let Some(warm) = bench.warm_up(server, &both)? {
        noted(&both, warm);
    }
    let mut rounds = Vec::new();
    for _ in 0..bench.rounds {
        let reads = bench.measure(server, &reads)?;
        let (measured, beside) = bench.measure_and_probe(server, &both, &question)?;
        let measured = noted(&both, measured);
        let writes = noted(&writes, bench.measure(server, &writes)?);
        let share = measured.created / measured.requests;
        rounds.push(Round {
            both: measured,
            beside,
            alone: in_turns(share, reads.into(), writes.into()),
        });
    }
    kept.is_there(courses()?)?;
    Ok(rounds)
}

/// What it would come to if both were done in turns, with this share of writes.
fn in_turns(share: f64, reads: Reached, writes: Reached) -> Reached {
    Reached {
        rate: 1.0 / ((1.0 - share) / reads.rate + share / writes.rate),
        cpu: (1.0 - share) * reads.cpu + share * writes.cpu,
    }
}

/// The lines of a group about it.
pub fn lines(group: &'static str, database: &str, rounds: &[Round]) -> Vec<Line> {
    let work = format!("{database}80 % GET, 20 % POST of a course, 32 connections");
    let servers: Vec<Measured> = rounds.iter().map(|round| round.both).collect();
    let beside: Vec<Probed> = rounds.iter().map(|round| round.beside).collect();
    let rate = Line::new(group, &work, "× both in turns", "×")
        .measured(
            rounds
                .iter()
                .map(|round| round.both.rate / round.alone.rate),
        )
        .by(&servers)
        .beside(rounds.iter().map(|round| (round.both.cpu, round.alone)));
    let [p50, p99] = open_loop::lines(group, &format!("{work}: a GET every 50 ms"), &beside);
    vec![rate, p50, p99]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_turns_each_takes_its_share_of_the_time() {
        let [reads, writes] =
            [(10_000.0, 50.0), (1_000.0, 250.0)].map(|(rate, cpu)| Reached { rate, cpu });
        let both = in_turns(0.2, reads, writes);
        // A thousand: 800 reads in 80 ms, 200 writes in 200.
        assert!((both.rate - 1_000.0 / 0.28).abs() < 1e-6);
        assert!((both.cpu - 90.0).abs() < 1e-9);
        assert!((in_turns(0.0, reads, writes).rate - reads.rate).abs() < 1e-6);
    }
}
