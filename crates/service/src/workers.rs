//! The loops that run background work: woken by the bell, and by a poll in case nobody rang. A lane of jobs has a loop
//! and room of its own, so that AI providers that hang keep no package and no delivery waiting.
//!
//! A job runs on a thread of its own, because packing is hard work; beside it a heartbeat keeps its lease.

use std::sync::Arc;
use std::time::Duration;

use lyceum_application::running::{retention, room};
use lyceum_application::work::{self, ClaimedDelivery};
use lyceum_application::{App, Error};
use lyceum_domain::notifying::mails::OutgoingMail;
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::running::jobs::QueuedJob;
use tokio::sync::{Notify, Semaphore, oneshot, watch};
use tokio::task::{JoinError, JoinSet};
use tokio::time::{MissedTickBehavior, interval};

use crate::environment::Bell;

/// How often workers look although nobody rang: another node may have queued something.
const POLL: Duration = Duration::from_secs(1);
/// How often a running job's lease is renewed; a third of the lease, so that two may be missed.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// How often what is too old to count is swept out.
const SWEEP: Duration = Duration::from_hours(1);
/// How often it is looked whether a workspace is to be measured.
const MEASURE: Duration = Duration::from_mins(1);
/// How often it is looked whose morning has come.
const MORNINGS: Duration = Duration::from_mins(1);
/// How many times as long as it measured it rests, so that nobody notices.
const REST: u32 = 20;
/// Least time between two looks: while there is much to do, what ends or is queued meanwhile is taken up together.
const BREATH: Duration = Duration::from_millis(5);
/// Most jobs at once that wait for AI providers; waiting takes no processor.
const AI_JOBS: usize = 16;
/// Most other jobs at once.
const JOBS: usize = 4;
/// Most deliveries at once; waiting for a receiver takes neither a thread nor the processor.
const DELIVERIES: usize = 256;
/// Most mails at once, each a connection of its own: mail servers take few of one sender.
const MAILS: usize = 8;
/// Most deliveries that one look takes up: each is read whole, with its event, by the only writer that SQLite has.
const DELIVERIES_A_LOOK: u16 = 64;

/// Starts the loops. After `stop` says so they take up nothing more and end with what they run; what still runs when
/// they are dropped is broken off.
pub fn start(app: &App, bell: &Bell, stop: &watch::Receiver<bool>) -> JoinSet<()> {
    let mut loops = JoinSet::new();
    for lane in JobLane::ALL.iter().copied() {
        let (room, rings) = match lane {
            JobLane::Ai => (AI_JOBS, &bell.ai),
            JobLane::Work => (JOBS, &bell.jobs),
        };
        let (claiming, performing) = (app.clone(), app.clone());
        loops.spawn(pump(
            room,
            Arc::clone(rings),
            stop.clone(),
            move |limit| claim(claiming.clone(), lane, limit),
            move |job| perform(performing.clone(), job),
        ));
    }
    let (claiming, delivering) = (app.clone(), app.clone());
    loops.spawn(pump(
        DELIVERIES,
        Arc::clone(&bell.deliveries),
        stop.clone(),
        move |limit| claim_deliveries(claiming.clone(), limit),
        move |delivery| deliver(delivering.clone(), delivery),
    ));
    if app.mailer.is_some() {
        let (claiming, sending) = (app.clone(), app.clone());
        loops.spawn(pump(
            MAILS,
            Arc::clone(&bell.mails),
            stop.clone(),
            move |limit| claim_mails(claiming.clone(), limit),
            move |mail| send_mail(sending.clone(), mail),
        ));
        loops.spawn(tell_what_waits(app.clone(), stop.clone()));
    }
    loops.spawn(sweep(app.clone(), stop.clone()));
    loops.spawn(measure(app.clone(), stop.clone()));
    loops
}

/// Sweeps at the start and then every hour.
async fn sweep(app: App, mut stop: watch::Receiver<bool>) {
    let mut hours = tokio::time::interval(SWEEP);
    loop {
        tokio::select! {
            _ = hours.tick() => {}
            _ = stop.changed() => return,
        }
        match retention::sweep(&app).await {
            Ok(count) => tracing::debug!(count, "old replies and deliveries are forgotten"),
            Err(error) => tracing::warn!(error = %chain(&error), "could not sweep"),
        }
    }
}

/// Looks whose morning has come, at the start and then every minute.
async fn tell_what_waits(app: App, mut stop: watch::Receiver<bool>) {
    let mut pause = Duration::ZERO;
    loop {
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = stop.changed() => return,
        }
        let told = work::tell_due(&app).await;
        if let Err(error) = &told {
            tracing::warn!(error = %chain(error), "could not look who is told what waits");
        }
        pause = match told {
            Ok(true) => BREATH,
            Ok(false) | Err(_) => MORNINGS,
        };
    }
}

/// Measures now and then how much workspaces keep, one after the other, and rests longer than it worked.
async fn measure(app: App, mut stop: watch::Receiver<bool>) {
    let mut pause = Duration::ZERO;
    loop {
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = stop.changed() => return,
        }
        let begun = tokio::time::Instant::now();
        let measured = measure_next(&app).await;
        if let Err(error) = &measured {
            tracing::warn!(error = %chain(error), "could not measure how much is kept");
        }
        pause = match measured {
            Ok(true) => begun.elapsed() * REST,
            Ok(false) | Err(_) => MEASURE,
        };
    }
}

/// Measures the next workspace that is due; false if none was.
async fn measure_next(app: &App) -> Result<bool, Error> {
    let due = room::due(app).await?;
    if let Some(workspace) = due.first() {
        room::measure(app, *workspace).await?;
    }
    room::renew(app).await?;
    Ok(!due.is_empty())
}

/// Claims as much as there is room for and does it, side by side; rests when there is nothing.
async fn pump<T, C, CF, P, PF>(
    capacity: usize,
    bell: Arc<Notify>,
    mut stop: watch::Receiver<bool>,
    claim: C,
    perform: P,
) where
    C: Fn(u16) -> CF,
    CF: Future<Output = Vec<T>>,
    P: Fn(T) -> PF,
    PF: Future<Output = ()> + Send + 'static,
{
    let room = Arc::new(Semaphore::new(capacity));
    let mut running = JoinSet::new();
    let mut breath = interval(BREATH);
    breath.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !*stop.borrow() {
        breath.tick().await;
        let free = u16::try_from(room.available_permits()).unwrap_or(1);
        let claimed = if free == 0 {
            Vec::new()
        } else {
            claim(free).await
        };
        let found = !claimed.is_empty();
        for one in claimed {
            let Ok(permit) = Arc::clone(&room).acquire_owned().await else {
                return;
            };
            let (performing, bell) = (perform(one), Arc::clone(&bell));
            running.spawn(async move {
                performing.await;
                drop(permit);
                // There is room again, and what ended may have queued something.
                bell.notify_one();
            });
        }
        while running.try_join_next().is_some() {}
        if !found {
            rest(&bell, &mut stop).await;
        }
    }
    while running.join_next().await.is_some() {}
}

async fn claim(app: App, lane: JobLane, limit: u16) -> Vec<QueuedJob> {
    work::claim(&app, lane, limit)
        .await
        .unwrap_or_else(|error| {
            tracing::error!(error = %chain(&error), "could not claim jobs");
            Vec::new()
        })
}

async fn claim_deliveries(app: App, limit: u16) -> Vec<ClaimedDelivery> {
    work::claim_deliveries(&app, limit.min(DELIVERIES_A_LOOK))
        .await
        .unwrap_or_else(|error| {
            tracing::error!(error = %chain(&error), "could not claim deliveries");
            Vec::new()
        })
}

async fn deliver(app: App, delivery: ClaimedDelivery) {
    if let Err(error) = work::deliver(&app, delivery).await {
        let error = chain(&error);
        tracing::error!(
            error,
            "a delivery could not be settled and will be tried again"
        );
    }
}

async fn claim_mails(app: App, limit: u16) -> Vec<OutgoingMail> {
    work::claim_mails(&app, limit)
        .await
        .unwrap_or_else(|error| {
            tracing::error!(error = %chain(&error), "could not claim mails");
            Vec::new()
        })
}

async fn send_mail(app: App, mail: OutgoingMail) {
    if let Err(error) = work::send_mail(&app, mail).await {
        let error = chain(&error);
        tracing::error!(error, "a mail could not be settled and will be sent again");
    }
}

async fn perform(app: App, job: QueuedJob) {
    let handle = tokio::runtime::Handle::current();
    let (worker, mine) = (app.clone(), job.clone());
    // Broken off when its other end is dropped: below, or with this whole task when the process stops.
    let (hold, let_go) = oneshot::channel::<()>();
    let mut hold = Some(hold);
    let broken_off = async { drop(let_go.await) };
    let mut performing = tokio::task::spawn_blocking(move || {
        handle.block_on(work::perform_until(&worker, &mine, broken_off))
    });
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    heartbeat.tick().await;
    loop {
        tokio::select! {
            ended = &mut performing => return note_end(&job, ended),
            _ = heartbeat.tick(), if hold.is_some() => match work::extend(&app, &job).await {
                Ok(true) => {}
                // Another attempt has taken it: what this one does is in vain.
                Ok(false) => drop(hold.take()),
                Err(error) => tracing::warn!(job = %job.id, %error, "could not renew a lease"),
            },
        }
    }
}

/// What did not end well is taken up again when its lease runs out.
fn note_end(job: &QueuedJob, ended: Result<Result<(), Error>, JoinError>) {
    let error = match ended {
        Ok(Ok(())) => return,
        Ok(Err(error)) => chain(&error),
        Err(error) => chain(&error),
    };
    let kind = job.task.kind().as_str();
    tracing::error!(job = %job.id, kind, error, "a job failed and will be tried again");
}

async fn rest(bell: &Notify, stop: &mut watch::Receiver<bool>) {
    tokio::select! {
        () = bell.notified() => {}
        _ = stop.changed() => {}
        () = tokio::time::sleep(POLL) => {}
    }
}

/// An error and what caused it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Instant;

    use super::*;

    #[tokio::test]
    async fn whoever_has_much_to_do_takes_a_breath_between_two_looks() {
        let looks = Arc::new(AtomicU32::new(0));
        let (stopping, stop) = watch::channel(false);
        let counted = Arc::clone(&looks);
        let begun = Instant::now();
        let claim = move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            std::future::ready(vec![()])
        };
        let perform = |()| std::future::ready(());
        let pumping = tokio::spawn(pump(1, Arc::default(), stop, claim, perform));
        tokio::time::sleep(BREATH * 20).await;
        stopping.send(true).unwrap();
        pumping.await.unwrap();
        let most = begun.elapsed().as_secs_f64() / BREATH.as_secs_f64() + 1.0;
        let looks = looks.load(Ordering::Relaxed);
        assert!(looks >= 1 && f64::from(looks) <= most, "{looks} of {most}");
    }
}
