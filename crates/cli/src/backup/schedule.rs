//! A backup every night, while the service runs.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use lyceum_domain::Timestamp;
use tokio::sync::watch;

use lyceum_service::Storage;
use lyceum_service::assemble::now;
use lyceum_terminal::progress::LongWork;

/// When, in seconds after midnight UTC: 03:00.
const AT: i64 = 3 * 3_600;
const DAY: i64 = 24 * 3_600;
/// How many are kept.
const KEEP: NonZeroUsize = NonZeroUsize::MIN.saturating_add(6);

/// Takes one every night until `stop` says so.
pub async fn nightly(storage: Storage, destination: PathBuf, mut stop: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(until_next(now())) => {}
            _ = stop.changed() => return,
        }
        match super::take(&storage, &destination, KEEP, LongWork::unwatched()).await {
            Ok(place) => tracing::info!(place = %place.display(), "a backup was taken"),
            Err(error) => {
                tracing::error!(error = format!("{error:#}"), "no backup could be taken");
            }
        }
    }
}

/// How long it is until the next 03:00.
fn until_next(now: Timestamp) -> Duration {
    let since_last = (now.unix_seconds() - AT).rem_euclid(DAY);
    Duration::from_secs(u64::try_from(DAY - since_last).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_night_is_never_now_and_never_further_than_a_day() {
        let wait = |text: &str| until_next(Timestamp::parse(text).unwrap()).as_secs();
        assert_eq!(wait("2026-11-22T02:59:00.000Z"), 60);
        assert_eq!(wait("2026-11-22T03:00:00.000Z"), 24 * 3_600);
        assert_eq!(wait("2026-11-22T15:00:00.000Z"), 12 * 3_600);
    }
}
