//! When to try again.

use std::time::Duration;

/// The longest wait that is made because the service asked for it; beyond it the caller should know.
const PATIENCE: Duration = Duration::from_mins(1);
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(8);

/// How long to wait before retry `retry` (0 is the first); `None` if the service asks for more patience than we
/// have.
pub fn wait_before(retry: u32, retry_after: Option<Duration>) -> Option<Duration> {
    match retry_after {
        Some(wait) => (wait <= PATIENCE).then_some(wait),
        None => Some(jittered(steps(retry))),
    }
}

/// `min(0.5 · 2ⁿ, 8)` seconds.
fn steps(retry: u32) -> Duration {
    FIRST_WAIT
        .saturating_mul(1_u32.checked_shl(retry).unwrap_or(u32::MAX))
        .min(LONGEST_WAIT)
}

/// Between half of it and all of it, so that clients that failed together do not come back together.
fn jittered(wait: Duration) -> Duration {
    let mut byte = [0_u8; 1];
    let random = getrandom::fill(&mut byte).map_or(u8::MAX, |()| u8::from_ne_bytes(byte));
    wait / 2 + wait / 2 * u32::from(random) / u32::from(u8::MAX)
}

/// The seconds of a `Retry-After`; the service never sends the form with a date.
pub fn read_retry_after(headers: &reqwest::header::HeaderMap) -> Option<Duration> {
    let text = headers.get(reqwest::header::RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_eight_seconds() {
        let waits: Vec<u128> = (0..6).map(|retry| steps(retry).as_millis()).collect();
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 8000]);
        assert_eq!(steps(40), LONGEST_WAIT);
    }

    #[test]
    fn jitter_stays_within_half_of_the_wait() {
        for _ in 0..100 {
            let wait = jittered(LONGEST_WAIT);
            assert!(wait >= LONGEST_WAIT / 2 && wait <= LONGEST_WAIT, "{wait:?}");
        }
    }

    #[test]
    fn what_the_service_asks_for_is_waited_within_reason() {
        assert_eq!(
            wait_before(5, Some(Duration::from_secs(3))),
            Some(Duration::from_secs(3))
        );
        assert_eq!(wait_before(0, Some(Duration::from_hours(1))), None);
    }
}
