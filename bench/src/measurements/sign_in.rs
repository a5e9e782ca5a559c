//! Reads with a key beside a thousand tries a second to sign in with nothing: by one address, which is turned away, and by as many
//! addresses as tries, each of which is looked at.

use std::thread;
use std::time::Duration;

use anyhow::anyhow;

use super::Measurement;
use super::open_loop;
use crate::bench::Bench;
use crate::knocks::{self, A_SECOND, Knocked, Knocking};
use crate::probe::{Probed, Question};
use crate::report::Line;
use crate::server::Server;

const GROUP: &str = "sign-in";

/// A course every 50 ms, alone and beside each crowd.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let (site, planted) = bench.site("sign-in")?;
    let server = site.serve_behind_a_proxy()?;
    let reads = Question::Courses(planted.courses);
    let (mut alone, mut one, mut many) = (Vec::new(), Vec::new(), Vec::new());
    let during = Duration::from_secs(bench.seconds.into());
    for _ in 0..bench.rounds {
        alone.push(bench.probe(&server, &reads, during)?);
        one.push(beside(bench, &server, &reads, Knocking::One)?);
        many.push(beside(bench, &server, &reads, Knocking::Many)?);
    }
    let read = "GET /v1/courses/{id} every 50 ms";
    let mut lines: Vec<Line> = open_loop::lines(GROUP, read, &alone).into();
    for (crowd, rounds) in [("one address", &one), ("as many addresses", &many)] {
        let work = format!("{read}, beside {A_SECOND} sign-ins a second by {crowd}");
        let probed: Vec<Probed> = rounds.iter().map(|(probed, _)| *probed).collect();
        lines.extend(open_loop::lines(GROUP, &work, &probed));
        lines.extend(of_the_crowd(crowd, rounds));
    }
    Ok(lines.into())
}

fn of_the_crowd(crowd: &str, rounds: &[(Probed, Knocked)]) -> [Line; 3] {
    let work = format!("{A_SECOND} sign-ins a second by {crowd}");
    let line = |figure: &str, unit: &'static str, of: fn(&Knocked) -> f64| {
        let knocked = rounds.iter().map(|(_, knocked)| of(knocked));
        Line::new(GROUP, work.clone(), figure, unit).measured(knocked)
    };
    [
        line("answered", "/s", |knocked| knocked.rate),
        line("turned away unread", "%", |knocked| knocked.turned_away),
        line("p99 since it was due", "ms", |knocked| knocked.p99),
    ]
}

fn beside(
    bench: &Bench,
    server: &Server,
    reads: &Question,
    by: Knocking,
) -> anyhow::Result<(Probed, Knocked)> {
    let during = Duration::from_secs(bench.seconds.into());
    let (runtime, origin) = (bench.runtime.handle(), &server.caller.origin);
    thread::scope(|scope| {
        let crowd = scope.spawn(|| knocks::knock(runtime, origin, by, during));
        let probed = bench.probe(server, reads, during);
        let crowd = crowd.join();
        let crowd = crowd.map_err(|_| anyhow!("who tried to sign in broke down"))?;
        Ok((probed?, crowd?))
    })
}
