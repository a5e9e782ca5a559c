//! Circuit breakers: a model that keeps failing is left alone for a while.
//!
//! Each model of a server has its own: what one cannot do says nothing about another. After the while each workspace sends
//! one request ahead; the others of that workspace look again in a moment and follow once it came back well. So nobody waits
//! for what somebody else asks, nor longer than for the answer that decides.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lyceum_domain::ids::WorkspaceId;

use crate::settings::BreakerSettings;

/// Into how many parts a pause falls, after each of which those who wait for a request sent ahead look whether it is back.
const LOOKS_IN_A_PAUSE: u32 = 12;

/// The breakers of one server, by model; there is one only where something failed of late.
#[derive(Debug)]
pub(super) struct Breakers {
    settings: BreakerSettings,
    by_model: Mutex<HashMap<String, Breaker>>,
}

/// Who asks, and for what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asker<'a> {
    pub model: &'a str,
    /// None for work that is nobody's, such as an evaluation.
    pub workspace: Option<WorkspaceId>,
}

#[derive(Debug, Default)]
struct Breaker {
    failures: VecDeque<Instant>,
    open_until: Option<Instant>,
    /// The newest request that each workspace sent ahead.
    probes: HashMap<Option<WorkspaceId>, Probe>,
}

/// A request that was sent ahead.
#[derive(Debug, Clone, Copy)]
enum Probe {
    /// It is not back; whoever sent it may have been broken off, so the next may go after this moment.
    Out { lost_after: Instant },
    /// It came back in vain; the next may go after this moment.
    Failed { again_after: Instant },
}

impl Breakers {
    pub(super) fn new(settings: BreakerSettings) -> Self {
        Self {
            settings,
            by_model: Mutex::default(),
        }
    }

    /// Lets a request through, or says how long to stay away.
    pub(super) fn enter(&self, asker: Asker<'_>, now: Instant) -> Result<(), Duration> {
        let mut breakers = self.breakers();
        match breakers.get_mut(asker.model) {
            Some(breaker) => breaker.enter(asker.workspace, now, self.settings.open_for),
            None => Ok(()),
        }
    }

    pub(super) fn succeeded(&self, asker: Asker<'_>) {
        self.breakers().remove(asker.model);
    }

    pub(super) fn failed(&self, asker: Asker<'_>, now: Instant) {
        let mut breakers = self.breakers();
        let settings = self.settings;
        // Names come from callers: what was forgotten long ago takes no room.
        breakers.retain(|_, breaker| breaker.is_of_use(now, settings));
        let breaker = breakers.entry(asker.model.to_owned()).or_default();
        let was_open = breaker.open_until.is_some();
        breaker.failed(asker.workspace, now, settings);
        if !was_open && breaker.open_until.is_some() {
            let model = asker.model;
            tracing::warn!(
                model,
                "an AI model keeps failing and is left alone for a while"
            );
        }
    }

    fn breakers(&self) -> std::sync::MutexGuard<'_, HashMap<String, Breaker>> {
        self.by_model.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Breaker {
    fn enter(
        &mut self,
        workspace: Option<WorkspaceId>,
        now: Instant,
        open_for: Duration,
    ) -> Result<(), Duration> {
        let Some(open_until) = self.open_until else {
            return Ok(());
        };
        if now < open_until {
            return Err(open_until - now);
        }
        match self.probes.get(&workspace) {
            Some(Probe::Failed { again_after }) if now < *again_after => {
                return Err(*again_after - now);
            }
            // Its answer is worth as much as a pause that is over, so nobody waits another one for it.
            Some(Probe::Out { lost_after }) if now < *lost_after => {
                return Err((open_for / LOOKS_IN_A_PAUSE).min(*lost_after - now));
            }
            Some(_) | None => {}
        }
        let lost_after = now + open_for;
        self.probes.insert(workspace, Probe::Out { lost_after });
        Ok(())
    }

    fn failed(&mut self, workspace: Option<WorkspaceId>, now: Instant, settings: BreakerSettings) {
        let BreakerSettings {
            failures,
            within,
            open_for,
        } = settings;
        self.failures.push_back(now);
        self.failures
            .retain(|failure| now.saturating_duration_since(*failure) <= within);
        if self.failures.len() >= failures {
            self.failures.clear();
            self.probes.clear();
            self.open_until = Some(now + open_for);
        } else if self.open_until.is_some() {
            let again_after = now + open_for;
            self.probes.insert(workspace, Probe::Failed { again_after });
        }
    }

    /// Whether it still says anything: what failed of late, or is left alone.
    fn is_of_use(&self, now: Instant, settings: BreakerSettings) -> bool {
        let newest = self.failures.back().max(self.open_until.as_ref());
        let forgotten = settings.within.max(settings.open_for) * 10;
        newest.is_some_and(|newest| now.saturating_duration_since(*newest) <= forgotten)
    }
}

#[cfg(test)]
mod tests {
    use lyceum_domain::Id;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn of(model: &str) -> Asker<'_> {
        Asker {
            model,
            workspace: None,
        }
    }

    fn by(number: u128) -> Asker<'static> {
        Asker {
            model: "a",
            workspace: Some(Id::from_uuid(uuid::Uuid::from_u128(number))),
        }
    }

    fn failing(breakers: &Breakers, times: u32, from: Instant, every: Duration) -> Instant {
        let mut now = from;
        for _ in 0..times {
            breakers.failed(of("a"), now);
            now += every;
        }
        now
    }

    fn breakers() -> Breakers {
        Breakers::new(BreakerSettings::default())
    }

    #[test]
    fn five_failures_in_a_minute_open_it_for_a_minute() {
        let breakers = breakers();
        let now = failing(&breakers, 4, Instant::now(), SECOND);
        assert_eq!(breakers.enter(of("a"), now), Ok(()));
        breakers.failed(of("a"), now);
        assert_eq!(breakers.enter(of("a"), now + SECOND), Err(59 * SECOND));
    }

    #[test]
    fn another_model_of_the_same_server_is_asked_as_before() {
        let breakers = breakers();
        let now = failing(&breakers, 12, Instant::now(), SECOND);
        assert!(breakers.enter(of("a"), now).is_err());
        assert_eq!(breakers.enter(of("b"), now), Ok(()));
        breakers.succeeded(of("b"));
        assert!(breakers.enter(of("a"), now).is_err());
    }

    #[test]
    fn failures_far_apart_or_with_a_success_between_do_not_open_it() {
        let breakers = breakers();
        let now = failing(&breakers, 9, Instant::now(), 20 * SECOND);
        assert_eq!(breakers.enter(of("a"), now), Ok(()));
        failing(&breakers, 1, now, SECOND);
        breakers.succeeded(of("a"));
        let now = failing(&breakers, 4, now, SECOND);
        assert_eq!(breakers.enter(of("a"), now), Ok(()));
    }

    #[test]
    fn one_request_tries_first_and_decides_for_the_others() {
        let breakers = breakers();
        let start = Instant::now();
        failing(&breakers, 5, start, Duration::ZERO);
        let later = start + 61 * SECOND;
        assert_eq!(breakers.enter(of("a"), later), Ok(()));
        assert_eq!(breakers.enter(of("a"), later), Err(5 * SECOND));
        breakers.failed(of("a"), later + SECOND);
        assert_eq!(
            breakers.enter(of("a"), later + 2 * SECOND),
            Err(59 * SECOND)
        );
        let again = later + 62 * SECOND;
        assert_eq!(breakers.enter(of("a"), again), Ok(()));
        breakers.succeeded(of("a"));
        assert_eq!(breakers.enter(of("a"), again), Ok(()));
    }

    #[test]
    fn whoever_waits_for_what_was_sent_ahead_follows_soon_after_it_is_back() {
        let breakers = breakers();
        let start = Instant::now();
        failing(&breakers, 5, start, Duration::ZERO);
        let later = start + 61 * SECOND;
        assert_eq!(breakers.enter(of("a"), later), Ok(()));
        let look_again = breakers.enter(of("a"), later).unwrap_err();
        breakers.succeeded(of("a"));
        assert_eq!(breakers.enter(of("a"), later + look_again), Ok(()));
        assert!(look_again <= 5 * SECOND, "{look_again:?}");
    }

    #[test]
    fn a_request_sent_ahead_that_never_comes_back_is_followed_by_another() {
        let breakers = breakers();
        let start = Instant::now();
        failing(&breakers, 5, start, Duration::ZERO);
        let later = start + 61 * SECOND;
        assert_eq!(breakers.enter(of("a"), later), Ok(()));
        let almost = later + 58 * SECOND;
        assert_eq!(breakers.enter(of("a"), almost), Err(2 * SECOND));
        assert_eq!(breakers.enter(of("a"), almost + 2 * SECOND), Ok(()));
    }

    #[test]
    fn what_one_workspace_sends_ahead_decides_for_nobody_else() {
        let breakers = breakers();
        let start = Instant::now();
        failing(&breakers, 5, start, Duration::ZERO);
        let later = start + 61 * SECOND;
        assert_eq!(breakers.enter(by(1), later), Ok(()));
        breakers.failed(by(1), later);
        assert_eq!(breakers.enter(by(1), later + SECOND), Err(59 * SECOND));
        assert_eq!(breakers.enter(by(2), later + SECOND), Ok(()));
        breakers.succeeded(by(2));
        assert_eq!(breakers.enter(by(1), later + SECOND), Ok(()));
    }

    #[test]
    fn when_all_that_was_sent_ahead_fails_everybody_stays_away_again() {
        let breakers = breakers();
        let start = Instant::now();
        failing(&breakers, 5, start, Duration::ZERO);
        let later = start + 61 * SECOND;
        for number in 1..=5 {
            assert_eq!(breakers.enter(by(number), later), Ok(()));
            breakers.failed(by(number), later);
        }
        assert_eq!(breakers.enter(by(6), later + SECOND), Err(59 * SECOND));
    }

    #[test]
    fn names_that_nobody_asks_for_any_more_take_no_room() {
        let breakers = breakers();
        let start = Instant::now();
        for number in 0..100 {
            breakers.failed(of(&format!("m{number}")), start);
        }
        breakers.failed(of("a"), start + 3600 * SECOND);
        assert_eq!(breakers.breakers().len(), 1);
    }
}
