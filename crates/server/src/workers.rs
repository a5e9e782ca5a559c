//! The loops that run background work: woken by the bell, and by a poll in case nobody rang.
//!
//! A job runs on a thread of its own, because packing is hard work; beside it a heartbeat keeps its lease.

use std::sync::Arc;
use std::time::Duration;

use lyceum_application::App;
use lyceum_application::work::{self, ClaimedDelivery};
use lyceum_ports::jobs::Job;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::task::JoinSet;

use crate::environment::Bell;

/// How often workers look although nobody rang: another node may have queued something.
const POLL: Duration = Duration::from_secs(1);
/// How often a running job's lease is renewed; a third of the lease, so that two may be missed.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// Most jobs at once.
const JOBS: usize = 4;
/// Most deliveries at once.
const DELIVERIES: usize = 64;

/// Starts the loops; they end, with what they run, after `stop` says so.
pub fn start(app: &App, bell: &Bell, stop: &watch::Receiver<bool>) -> JoinSet<()> {
    let mut loops = JoinSet::new();
    loops.spawn(run_jobs(app.clone(), Arc::clone(&bell.0), stop.clone()));
    loops.spawn(run_deliveries(
        app.clone(),
        Arc::clone(&bell.0),
        stop.clone(),
    ));
    loops
}

async fn run_jobs(app: App, bell: Arc<Notify>, mut stop: watch::Receiver<bool>) {
    let room = Arc::new(Semaphore::new(JOBS));
    let mut running = JoinSet::new();
    while !*stop.borrow() {
        let free = u16::try_from(room.available_permits()).unwrap_or(1);
        let claimed = if free == 0 {
            Vec::new()
        } else {
            claim(&app, free).await
        };
        let found = !claimed.is_empty();
        for job in claimed {
            let Ok(permit) = Arc::clone(&room).acquire_owned().await else {
                return;
            };
            let (app, bell) = (app.clone(), Arc::clone(&bell));
            running.spawn(async move {
                perform(app, job).await;
                drop(permit);
                // What ended may have queued something, and there is room again.
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

async fn claim(app: &App, limit: u16) -> Vec<Job> {
    match work::claim(app, limit).await {
        Ok(jobs) => jobs,
        Err(error) => {
            tracing::error!(error = %chain(&error), "could not claim jobs");
            Vec::new()
        }
    }
}

async fn perform(app: App, job: Job) {
    let handle = tokio::runtime::Handle::current();
    let (worker, mine) = (app.clone(), job.clone());
    let mut performing =
        tokio::task::spawn_blocking(move || handle.block_on(work::perform(&worker, &mine)));
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    heartbeat.tick().await;
    loop {
        tokio::select! {
            ended = &mut performing => {
                match ended {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => tracing::error!(job = %job.id, kind = job.kind.as_str(), error = %chain(&error), "a job ended in an error and will be tried again"),
                    Err(error) => tracing::error!(job = %job.id, kind = job.kind.as_str(), %error, "a job broke and will be tried again"),
                }
                return;
            }
            _ = heartbeat.tick() => {
                if let Err(error) = work::extend(&app, &job).await {
                    tracing::warn!(job = %job.id, %error, "could not renew a lease");
                }
            }
        }
    }
}

async fn run_deliveries(app: App, bell: Arc<Notify>, mut stop: watch::Receiver<bool>) {
    let room = Arc::new(Semaphore::new(DELIVERIES));
    let mut running = JoinSet::new();
    while !*stop.borrow() {
        let free = u16::try_from(room.available_permits()).unwrap_or(1);
        let claimed = if free == 0 {
            Vec::new()
        } else {
            claim_deliveries(&app, free).await
        };
        let found = !claimed.is_empty();
        for delivery in claimed {
            let Ok(permit) = Arc::clone(&room).acquire_owned().await else {
                return;
            };
            let app = app.clone();
            running.spawn(async move {
                if let Err(error) = work::deliver(&app, delivery).await {
                    tracing::error!(error = %chain(&error), "a delivery could not be settled and will be tried again");
                }
                drop(permit);
            });
        }
        while running.try_join_next().is_some() {}
        if !found {
            rest(&bell, &mut stop).await;
        }
    }
    while running.join_next().await.is_some() {}
}

async fn claim_deliveries(app: &App, limit: u16) -> Vec<ClaimedDelivery> {
    match work::claim_deliveries(app, limit).await {
        Ok(deliveries) => deliveries,
        Err(error) => {
            tracing::error!(error = %chain(&error), "could not claim deliveries");
            Vec::new()
        }
    }
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
