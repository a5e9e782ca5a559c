//! A circuit breaker: a server that keeps failing is left alone for a while.
//!
//! After the while one request goes first; the others follow once it came back.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::settings::BreakerSettings;

#[derive(Debug)]
pub(super) struct Breaker {
    settings: BreakerSettings,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: VecDeque<Instant>,
    open_until: Option<Instant>,
}

impl Breaker {
    pub(super) fn new(settings: BreakerSettings) -> Self {
        Self {
            settings,
            state: Mutex::default(),
        }
    }

    /// Lets a request through, or says how long to stay away.
    pub(super) fn enter(&self, now: Instant) -> Result<(), Duration> {
        let mut state = self.state();
        match state.open_until {
            Some(until) if now < until => Err(until - now),
            // This one tries; until it is back, the others wait.
            Some(_) => {
                state.open_until = Some(now + self.settings.open_for);
                Ok(())
            }
            None => Ok(()),
        }
    }

    pub(super) fn succeeded(&self) {
        *self.state() = State::default();
    }

    pub(super) fn failed(&self, now: Instant) {
        let mut state = self.state();
        state.failures.push_back(now);
        let within = self.settings.within;
        state
            .failures
            .retain(|failure| now.saturating_duration_since(*failure) <= within);
        if state.failures.len() >= self.settings.failures || state.open_until.is_some() {
            if state.open_until.is_none() {
                tracing::warn!("the AI provider keeps failing and is left alone for a while");
            }
            state.failures.clear();
            state.open_until = Some(now + self.settings.open_for);
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn failing(breaker: &Breaker, times: u32, from: Instant, every: Duration) -> Instant {
        let mut now = from;
        for _ in 0..times {
            breaker.failed(now);
            now += every;
        }
        now
    }

    #[test]
    fn five_failures_in_a_minute_open_it_for_a_minute() {
        let breaker = Breaker::new(BreakerSettings::default());
        let now = failing(&breaker, 4, Instant::now(), SECOND);
        assert_eq!(breaker.enter(now), Ok(()));
        breaker.failed(now);
        assert_eq!(breaker.enter(now + SECOND), Err(59 * SECOND));
    }

    #[test]
    fn failures_far_apart_or_with_a_success_between_do_not_open_it() {
        let breaker = Breaker::new(BreakerSettings::default());
        let now = failing(&breaker, 9, Instant::now(), 20 * SECOND);
        assert_eq!(breaker.enter(now), Ok(()));
        failing(&breaker, 1, now, SECOND);
        breaker.succeeded();
        let now = failing(&breaker, 4, now, SECOND);
        assert_eq!(breaker.enter(now), Ok(()));
    }

    #[test]
    fn one_request_tries_first_and_decides_for_the_others() {
        let breaker = Breaker::new(BreakerSettings::default());
        let start = Instant::now();
        failing(&breaker, 5, start, Duration::ZERO);
        let later = start + 61 * SECOND;
        assert_eq!(breaker.enter(later), Ok(()));
        assert_eq!(breaker.enter(later), Err(60 * SECOND));
        breaker.failed(later + SECOND);
        assert_eq!(breaker.enter(later + 2 * SECOND), Err(59 * SECOND));
        let again = later + 62 * SECOND;
        assert_eq!(breaker.enter(again), Ok(()));
        breaker.succeeded();
        assert_eq!(breaker.enter(again), Ok(()));
    }
}
