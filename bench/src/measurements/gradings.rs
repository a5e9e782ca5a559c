//! From a submission to the webhook that says it is graded: how many a second, and how long one takes.

mod inbox;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};

use self::inbox::Inbox;
use super::Measurement;
use crate::api::Caller;
use crate::bench::Bench;
use crate::figures::{millis, number, percentile};
use crate::load::Measured;
use crate::report::Line;
use crate::seed::Planted;
use crate::server::Server;

/// Handed in and not yet delivered, at most: enough to keep everything busy, and no more than is worked off at once.
const UNDER_WAY: usize = 256;
/// Who hand in at once.
const HANDS: usize = 32;
/// A second, where it is about how long one takes.
const PACE: u32 = 50;
/// How long the last may take, on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_mins(2);

/// Rate and latency.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let (site, planted) = bench.site("gradings")?;
    let server = site.serve()?;
    let inbox = Inbox::open()?;
    let class = bench
        .runtime
        .block_on(Class::gather(&server, &planted, &inbox))?;
    let class = Arc::new(class);
    let (mut crowded, mut paced) = (Vec::new(), Vec::new());
    let duration = Duration::from_secs(bench.seconds.into());
    for _ in 0..bench.rounds {
        crowded.push(observed(&server, || {
            let under_way = bench.sized(HANDS, UNDER_WAY);
            bench.runtime.block_on(crowd(&class, under_way, duration))
        })?);
        paced.push(observed(&server, || {
            bench.runtime.block_on(pace(&class, PACE * bench.seconds))
        })?);
    }
    let work = "submission → graded (builtin) → webhook delivered";
    let told = |figure: fn(&Measured) -> f64, rounds: &[Measured]| {
        rounds.iter().map(figure).collect::<Vec<_>>()
    };
    Ok(vec![
        Line::new(
            "gradings",
            work,
            format!("a second, {UNDER_WAY} under way"),
            "/s",
        )
        .measured(told(|round| round.rate, &crowded))
        .at_least(500.0)
        .by(&crowded),
        Line::new(
            "gradings",
            work,
            format!("p95 from accept to delivered, {PACE} a second"),
            "ms",
        )
        .measured(told(|round| round.p90, &paced))
        .at_most(200.0)
        .by(&paced),
    ]
    .into())
}

/// What came of a run: how many were delivered in what time, and how long each took, in milliseconds.
struct Delivered {
    count: usize,
    during: Duration,
    latencies: Vec<f64>,
}

/// … and what it cost. Of the latencies, the 95th of 100 stands where a load has its 90th.
fn observed(
    server: &Server,
    run: impl FnOnce() -> anyhow::Result<Delivered>,
) -> anyhow::Result<Measured> {
    let before = server.process.cpu_seconds()?;
    let delivered = run()?;
    let cpu_seconds = server.process.cpu_seconds()? - before;
    let share = |share| percentile(&delivered.latencies, share).context("nothing was delivered");
    Ok(Measured {
        requests: number(delivered.latencies.len()),
        created: 0.0,
        rate: number(delivered.count) / delivered.during.as_secs_f64(),
        p50: share(0.5)?,
        p90: share(0.95)?,
        p99: share(0.99)?,
        cpu: cpu_seconds * 1_000_000.0 / number(delivered.latencies.len()),
        rss: server.process.resident_mb()?,
        answer_kb: 0.0,
    })
}

/// An assignment that AI grades as soon as something is handed in, and who hand in.
struct Class {
    caller: Caller,
    assignment: String,
    students: Vec<String>,
    handed_in: AtomicU64,
    accepted: Mutex<HashMap<String, Instant>>,
    inbox: Inbox,
}

impl Class {
    async fn gather(server: &Server, planted: &Planted, inbox: &Inbox) -> anyhow::Result<Self> {
        let caller = server.caller.clone();
        let endpoint = json!({"url": inbox.url, "enabled_events": ["submission.graded"]});
        caller.make("/v1/webhook_endpoints", endpoint).await?;
        let course = planted.courses.first().context("there is no course")?;
        let assignment = json!({
            "course_id": course,
            "name": "Cooling",
            "instructions": "Say how trays are cooled.",
            "ai_evaluator": {"enabled": true},
            "human_review": "off",
        });
        Ok(Self {
            assignment: caller.make("/v1/assignments", assignment).await?,
            caller,
            students: planted.students.clone(),
            handed_in: AtomicU64::new(0),
            accepted: Mutex::default(),
            inbox: inbox.clone(),
        })
    }

    /// Hands in another text, and notes when it was accepted.
    async fn hand_in(&self) -> anyhow::Result<()> {
        let n = self.handed_in.fetch_add(1, Ordering::Relaxed);
        let student = usize::try_from(n)? % self.students.len();
        let text =
            format!("Tray {n} cools on ice, in the shade, and never for longer than two hours.");
        let submission = json!({
            "assignment_id": self.assignment,
            "user_id": self.students.get(student),
            "draft": false,
            "content": {"type": "text", "text": text},
        });
        let id = self.caller.make("/v1/submissions", submission).await?;
        let mut accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        accepted.insert(id, Instant::now());
        Ok(())
    }

    /// Waits until everything that was accepted is delivered; how long each took from the one to the other.
    async fn settle(&self) -> anyhow::Result<Vec<f64>> {
        let since = Instant::now();
        loop {
            let taken = self.taken();
            if taken.iter().all(Option::is_some) {
                self.accepted
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .clear();
                self.inbox.delivered().clear();
                return Ok(taken.into_iter().flatten().collect());
            }
            if since.elapsed() > PATIENCE {
                let missing = taken.iter().filter(|taken| taken.is_none()).count();
                bail!(
                    "{missing} of {} were not delivered within {PATIENCE:?}",
                    taken.len()
                );
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// A delivery may overtake the answer that its submission was accepted: then it took no time.
    fn taken(&self) -> Vec<Option<f64>> {
        let accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        let delivered = self.inbox.delivered();
        let taken = |(id, from): (&String, &Instant)| {
            let until = delivered.get(id)?;
            Some(millis(until.saturating_duration_since(*from)))
        };
        accepted.iter().map(taken).collect()
    }
}

/// Many hand in; whenever one is delivered, another is handed in. Counts what is delivered in this time.
async fn crowd(
    class: &Arc<Class>,
    under_way: usize,
    duration: Duration,
) -> anyhow::Result<Delivered> {
    let places = class.inbox.new_places(under_way);
    let mut hands = JoinSet::new();
    for _ in 0..HANDS {
        let (class, places) = (Arc::clone(class), Arc::clone(&places));
        hands.spawn(async move { hand_in_for_ever(&class, &places).await });
    }
    // It is the steady state that counts.
    sleep(duration / 5).await;
    let (before, since) = (class.inbox.delivered().len(), Instant::now());
    sleep(duration).await;
    let (after, during) = (class.inbox.delivered().len(), since.elapsed());
    // Who waits for a place gets none any more; what was sent is answered.
    places.close();
    while let Some(ended) = hands.join_next().await {
        ended.context("a hand stopped")??;
    }
    Ok(Delivered {
        count: after - before,
        during,
        latencies: class.settle().await?,
    })
}

async fn hand_in_for_ever(class: &Class, places: &Semaphore) -> anyhow::Result<()> {
    while let Ok(place) = places.acquire().await {
        // Given back by the delivery.
        place.forget();
        class.hand_in().await?;
    }
    Ok(())
}

/// One is handed in at a time, evenly.
async fn pace(class: &Arc<Class>, count: u32) -> anyhow::Result<Delivered> {
    let mut ticks = interval(Duration::from_secs(1) / PACE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let since = Instant::now();
    let mut hands = JoinSet::new();
    for _ in 0..count {
        ticks.tick().await;
        let class = Arc::clone(class);
        hands.spawn(async move { class.hand_in().await });
    }
    while let Some(ended) = hands.join_next().await {
        ended.context("a hand stopped")??;
    }
    let during = since.elapsed();
    let latencies = class.settle().await?;
    Ok(Delivered {
        count: latencies.len(),
        during,
        latencies,
    })
}
