//! A look at the pages of a SQLite file every day, so that what a disk lost is known while there are backups from before.

use std::time::Duration;

use lyceum_application::App;
use lyceum_ports::store::StoreError;
use lyceum_store::DatabaseUrl;
use lyceum_store::running::integrity;
use tokio::sync::watch;

/// When, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    /// How long after the start the first look is.
    pub first: Duration,
    /// How long after the end of one look the next is.
    pub every: Duration,
    /// After how long no further table is begun.
    pub budget: Duration,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            first: Duration::from_mins(5),
            every: Duration::from_hours(24),
            budget: Duration::from_mins(15),
        }
    }
}

/// How long the reader rests at most between two tables.
const LONGEST_REST: Duration = Duration::from_secs(30);

/// Looks by the schedule until `stop` says so; a look that had no time for all goes on where it ended.
pub async fn daily(
    app: App,
    url: DatabaseUrl,
    schedule: Schedule,
    mut stop: watch::Receiver<bool>,
) {
    let (mut wait, mut next) = (schedule.first, None);
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            _ = stop.changed() => return,
        }
        let (inner, from, stopping) = (url.clone(), next.take(), stop.clone());
        let looking = move || look(&inner, from, schedule.budget, &stopping);
        match tokio::task::spawn_blocking(looking).await {
            Ok(Ok(looked)) => {
                tell(&app, &looked);
                next = looked.next;
            }
            Ok(Err(error)) => tracing::error!(%error, "the database could not be looked through"),
            Err(error) => tracing::error!(%error, "the look at the database broke"),
        }
        wait = schedule.every;
    }
}

fn look(
    url: &DatabaseUrl,
    from: Option<String>,
    budget: Duration,
    stop: &watch::Receiver<bool>,
) -> Result<integrity::Looked, StoreError> {
    let mut rest = |took: Duration| {
        if *stop.borrow() {
            return false;
        }
        // Half of the time the disk is everybody else's.
        std::thread::sleep(took.min(LONGEST_REST));
        !*stop.borrow()
    };
    integrity::look(url, from, budget, &mut rest)
}

fn tell(app: &App, looked: &integrity::Looked) {
    let is_damaged = !looked.faults.is_empty();
    app.telemetry.pages_looked_at(is_damaged, app.clock.now());
    if is_damaged {
        let faults = looked.faults.join("; ");
        tracing::error!(
            faults,
            "the database is damaged: stop the service, put its folder aside and restore a backup"
        );
        return;
    }
    let (tables, all) = (looked.tables, looked.next.is_none());
    tracing::info!(tables, all, "the pages of the database are whole");
}
