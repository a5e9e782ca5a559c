//! What is taken off a grade for work that came late.

use std::time::Duration;

use crate::points::Points;
use crate::{Invalid, InvalidValue, Timestamp};

/// Days are 24 hours from the due date, whatever clocks do at night.
const DAY_MS: u128 = 24 * 60 * 60 * 1000;
const MINUTE: Duration = Duration::from_mins(1);

/// Points off per started day, down to a floor, after a period of grace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LatePolicy {
    percent_per_day: u8,
    floor_percent: u8,
    grace_minutes: u16,
}

/// What is asked for, before anybody checked it; none where nobody said.
#[derive(Debug, Clone, Copy, Default)]
pub struct AskedLatePolicy {
    /// Percent of the best possible score that each started day takes off.
    pub percent_per_day: i64,
    /// Percent of the best possible score below which nothing more is taken off; 0 when nobody says.
    pub floor_percent: Option<i64>,
    /// Minutes after the due date in which nothing is taken off; 0 when nobody says.
    pub grace_minutes: Option<i64>,
}

impl LatePolicy {
    /// What may be asked for `percent_per_day`.
    pub const PERCENT_PER_DAY: (i64, i64) = (1, 100);
    /// What may be asked for `floor_percent`.
    pub const FLOOR_PERCENT: (i64, i64) = (0, 100);
    /// What may be asked for `grace_minutes`: a week at most.
    pub const GRACE_MINUTES: (i64, i64) = (0, 7 * 24 * 60);

    /// Checks what is asked for; `above` is the path that problems stand below.
    ///
    /// # Errors
    /// [`Invalid`] naming the number that is out of its range.
    pub fn parse(asked: AskedLatePolicy, above: &str) -> Result<Self, Invalid> {
        let at = |name: &str| {
            let place = format!("{above}{name}");
            move |error: InvalidValue| Invalid::new(place, error.to_string())
        };
        let floor = asked.floor_percent.unwrap_or_default();
        let grace = asked.grace_minutes.unwrap_or_default();
        Ok(Self {
            percent_per_day: within(asked.percent_per_day, Self::PERCENT_PER_DAY)
                .map_err(at("percent_per_day"))?,
            floor_percent: within(floor, Self::FLOOR_PERCENT).map_err(at("floor_percent"))?,
            grace_minutes: within(grace, Self::GRACE_MINUTES).map_err(at("grace_minutes"))?,
        })
    }

    /// Percent of the best possible score that each started day takes off.
    pub const fn percent_per_day(self) -> u8 {
        self.percent_per_day
    }

    /// Percent of the best possible score below which nothing more is taken off.
    pub const fn floor_percent(self) -> u8 {
        self.floor_percent
    }

    /// Minutes after the due date in which nothing is taken off.
    pub const fn grace_minutes(self) -> u16 {
        self.grace_minutes
    }

    /// The days that count: those begun since the end of the grace period.
    pub fn days_late(self, due_at: Timestamp, submitted_at: Timestamp) -> u32 {
        let grace = MINUTE * u32::from(self.grace_minutes);
        let late = submitted_at.since(due_at.plus(grace)).as_millis();
        u32::try_from(late.div_ceil(DAY_MS)).unwrap_or(u32::MAX)
    }

    /// What is taken off work that earned `earned` of `most` points and was handed in so many days late: `percent_per_day` of
    /// `most` for each, cut to whole hundredths in favour of whoever handed in. Nothing is taken off below the floor, and work
    /// that earned less than that keeps what it earned.
    pub fn deduction(self, days_late: u32, earned: Points, most: Points) -> Points {
        let most = i64::from(most.hundredths());
        let earned = i64::from(earned.hundredths());
        let share = i64::from(self.percent_per_day).saturating_mul(i64::from(days_late));
        // From a hundred percent on nothing is left but the floor.
        let off = most.saturating_mul(share.min(100)) / 100;
        let floor = most.saturating_mul(i64::from(self.floor_percent)) / 100;
        Points::from_hundredths(off.min(earned.saturating_sub(floor)))
    }
}

fn within<T: TryFrom<i64>>(value: i64, (least, most): (i64, i64)) -> Result<T, InvalidValue> {
    let in_range = (least..=most).contains(&value);
    let value = in_range.then(|| T::try_from(value).ok()).flatten();
    value.ok_or_else(|| InvalidValue::new(format!("must be between {least} and {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn policy(percent_per_day: i64, floor: i64, grace: i64) -> LatePolicy {
        let asked = AskedLatePolicy {
            percent_per_day,
            floor_percent: Some(floor),
            grace_minutes: Some(grace),
        };
        LatePolicy::parse(asked, "late_policy.").unwrap()
    }

    fn due() -> Timestamp {
        Timestamp::parse("2027-03-01T17:00:00Z").unwrap()
    }

    #[test]
    fn days_begin_when_the_grace_period_is_over() {
        let minute = |minutes: u64| due().plus(Duration::from_secs(minutes * 60));
        let strict = policy(10, 0, 0);
        assert_eq!(strict.days_late(due(), due()), 0);
        assert_eq!(
            strict.days_late(due(), due().plus(Duration::from_millis(1))),
            1
        );
        assert_eq!(strict.days_late(due(), minute(24 * 60)), 1);
        assert_eq!(strict.days_late(due(), minute(24 * 60 + 1)), 2);
        let kind = policy(10, 0, 15);
        assert_eq!(kind.days_late(due(), minute(15)), 0);
        assert_eq!(kind.days_late(due(), minute(16)), 1);
        assert_eq!(kind.days_late(due(), minute(24 * 60 + 15)), 1);
        assert_eq!(
            kind.days_late(due(), due().minus(Duration::from_mins(1))),
            0
        );
    }

    #[test]
    fn each_day_takes_its_share_of_the_best_score_down_to_the_floor() {
        let most = Points::whole(50);
        let off = |policy: LatePolicy, days, earned| {
            policy
                .deduction(days, Points::whole(earned), most)
                .hundredths()
        };
        assert_eq!(off(policy(10, 0, 0), 0, 40), 0);
        assert_eq!(off(policy(10, 0, 0), 2, 40), 1_000);
        assert_eq!(off(policy(10, 50, 0), 2, 40), 1_000);
        assert_eq!(off(policy(10, 50, 0), 5, 40), 1_500);
        assert_eq!(off(policy(10, 50, 0), 5, 20), 0);
        assert_eq!(off(policy(10, 0, 0), 20, 40), 4_000);
    }

    #[test]
    fn what_does_not_come_out_even_is_cut_in_favour_of_the_learner() {
        let most = Points::from_hundredths(333);
        assert_eq!(policy(10, 0, 0).deduction(1, most, most).hundredths(), 33);
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let refused = |per_day, floor, grace| {
            let asked = AskedLatePolicy {
                percent_per_day: per_day,
                floor_percent: Some(floor),
                grace_minutes: Some(grace),
            };
            LatePolicy::parse(asked, "late_policy.")
                .unwrap_err()
                .to_string()
        };
        assert!(refused(0, 0, 0).contains("late_policy.percent_per_day"));
        assert!(refused(101, 0, 0).contains("late_policy.percent_per_day"));
        assert!(refused(10, 101, 0).contains("late_policy.floor_percent"));
        assert!(refused(10, 0, 10_081).contains("late_policy.grace_minutes"));
        assert!(refused(10, 0, -1).contains("must be between 0 and 10080"));
    }

    proptest! {
        #[test]
        fn never_below_the_floor_nor_more_than_was_earned(
            per_day in 1..=100i64, floor in 0..=100i64, days in 0..4_000u32, most in 1..=100_000_000i64, share in 0..=100i64,
        ) {
            let policy = policy(per_day, floor, 0);
            let earned = Points::from_hundredths(most * share / 100);
            let most = Points::from_hundredths(most);
            let left = earned.hundredths() - policy.deduction(days, earned, most).hundredths();
            let floor = i64::from(most.hundredths()) * floor / 100;
            prop_assert!(i64::from(left) >= floor.min(i64::from(earned.hundredths())));
            prop_assert!(left <= earned.hundredths());
        }

        #[test]
        fn later_is_never_better(per_day in 1..=100i64, floor in 0..=100i64, days in 0..400u32, earned in 0..=10_000i64) {
            let policy = policy(per_day, floor, 0);
            let earned = Points::from_hundredths(earned);
            let off = |days| policy.deduction(days, earned, Points::HUNDRED);
            prop_assert!(off(days) <= off(days + 1));
        }
    }
}
