//! One quota: a bucket for each of those who are counted, which refills evenly.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use governor::clock::{Clock, FakeRelativeClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use lyceum_application::running::shared_limits::SharedQuota;

/// A clock that only goes forward.
#[derive(Debug, Clone)]
pub enum LimitClock {
    /// Runs, since this moment.
    Running(Instant),
    /// Stands until it is moved, for tests.
    Standing(FakeRelativeClock),
}

impl Default for LimitClock {
    fn default() -> Self {
        Self::Running(Instant::now())
    }
}

impl Clock for LimitClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        match self {
            Self::Running(start) => start.elapsed(),
            Self::Standing(clock) => clock.now().into(),
        }
    }
}

/// How one caller stands with one quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub policy: &'static str,
    pub quota: u32,
    /// In how many seconds an empty bucket is full again.
    pub window: u64,
    pub remaining: u32,
    /// Seconds until all of it is there again, or, with nothing left, until the next request is taken.
    pub reset: u64,
}

/// What is told of them in the headers of the answer.
#[derive(Debug, Clone, Default)]
pub struct Standings(pub Vec<Standing>);

/// One quota, and who has used how much of it.
pub struct Counter<K: Hash + Eq + Clone> {
    pub policy: &'static str,
    pub quota: NonZeroU32,
    pub window: Duration,
    pub limiter: RateLimiter<K, HashMapStateStore<K>, LimitClock, StateInformationMiddleware>,
    pub clock: LimitClock,
}

impl<K: Hash + Eq + Clone> Counter<K> {
    pub fn new(policy: &'static str, quota: NonZeroU32, clock: &LimitClock) -> Self {
        Self::over(policy, quota, Duration::from_mins(1), clock)
    }

    pub fn hourly(policy: &'static str, quota: NonZeroU32, clock: &LimitClock) -> Self {
        Self::over(policy, quota, Duration::from_hours(1), clock)
    }

    pub fn over(
        policy: &'static str,
        quota: NonZeroU32,
        window: Duration,
        clock: &LimitClock,
    ) -> Self {
        // The period is only nothing for a quota that no window holds: one a nanosecond is as good.
        let period = (window / quota.get()).max(Duration::from_nanos(1));
        let refilled = Quota::with_period(period).unwrap_or(Quota::per_minute(quota));
        let limiter = RateLimiter::hashmap_with_clock(refilled.allow_burst(quota), clock.clone());
        Self {
            policy,
            quota,
            window,
            limiter: limiter.with_middleware(),
            clock: clock.clone(),
        }
    }

    /// Counts one; without anything left, also how long to wait.
    pub fn count(&self, key: &K) -> (Standing, Option<Duration>) {
        match self.limiter.check_key(key) {
            Ok(state) => (self.standing(state.remaining_burst_capacity()), None),
            Err(until) => {
                let wait = until.wait_time_from(self.clock.now());
                (self.empty(wait), Some(wait))
            }
        }
    }

    /// Counts so many at once, or a whole bucket where that holds fewer.
    pub fn count_many(&self, key: &K, many: NonZeroU32) -> (Standing, Option<Duration>) {
        match self.limiter.check_key_n(key, many.min(self.quota)) {
            Ok(Ok(state)) => (self.standing(state.remaining_burst_capacity()), None),
            Ok(Err(until)) => {
                let wait = until.wait_time_from(self.clock.now());
                (self.empty(wait), Some(wait))
            }
            // It asks for no more than a bucket holds.
            Err(_) => self.count(key),
        }
    }

    pub const fn shared(&self) -> SharedQuota {
        SharedQuota {
            amount: self.quota,
            window: self.window,
        }
    }

    pub fn standing(&self, remaining: u32) -> Standing {
        let quota = self.quota.get();
        let used = u64::from(quota.saturating_sub(remaining));
        let window = self.window.as_secs();
        Standing {
            policy: self.policy,
            quota,
            window,
            remaining,
            reset: (used * window).div_ceil(quota.into()),
        }
    }

    pub fn empty(&self, wait: Duration) -> Standing {
        Standing {
            reset: whole_seconds(wait),
            ..self.standing(0)
        }
    }

    /// After how long one more is there.
    pub fn refill(&self) -> Duration {
        self.window / self.quota.get()
    }

    pub fn sweep(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

/// Never less than one: a client that is told to come back at once would.
pub fn whole_seconds(wait: Duration) -> u64 {
    let more = u64::from(wait.subsec_nanos() > 0);
    (wait.as_secs() + more).max(1)
}
