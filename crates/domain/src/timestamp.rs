//! Moments, in UTC, to the millisecond.

use std::fmt;
use std::time::Duration;

use thiserror::Error;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A moment in UTC, truncated to milliseconds: what is shown is what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The text is not an RFC 3339 timestamp between the years 1 and 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a timestamp such as 2026-11-21T06:55:00Z")]
pub struct MalformedTimestamp;

const EARLIEST_MILLIS: i64 = -62_135_596_800_000;
const LATEST_MILLIS: i64 = 253_402_300_799_999;

impl Timestamp {
    /// From milliseconds since 1970-01-01T00:00:00Z; values outside the years 1..=9999 are clamped.
    pub fn from_unix_millis(millis: i64) -> Self {
        Self(millis.clamp(EARLIEST_MILLIS, LATEST_MILLIS))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub const fn unix_millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970-01-01T00:00:00Z.
    pub const fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Parses RFC 3339 with any offset.
    ///
    /// # Errors
    /// [`MalformedTimestamp`]
    pub fn parse(text: &str) -> Result<Self, MalformedTimestamp> {
        let moment = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| MalformedTimestamp)?;
        let millis = moment.unix_timestamp_nanos().div_euclid(1_000_000);
        let millis = i64::try_from(millis).map_err(|_| MalformedTimestamp)?;
        if (EARLIEST_MILLIS..=LATEST_MILLIS).contains(&millis) {
            Ok(Self(millis))
        } else {
            Err(MalformedTimestamp)
        }
    }

    /// Midnight at the start of this moment's month, in UTC.
    #[must_use]
    pub fn start_of_month(self) -> Self {
        self.months_on(0)
    }

    /// Midnight at the start of the month after this moment's, in UTC.
    #[must_use]
    pub fn start_of_next_month(self) -> Self {
        self.months_on(1)
    }

    fn months_on(self, months: i32) -> Self {
        let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH);
        let counted = moment.year() * 12 + i32::from(u8::from(moment.month())) - 1 + months;
        let (year, month) = (counted.div_euclid(12), counted.rem_euclid(12) + 1);
        Self::parse(&format!("{year:04}-{month:02}-01T00:00:00Z"))
            .unwrap_or(Self::from_unix_millis(LATEST_MILLIS))
    }

    /// This moment and `duration` more.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self::from_unix_millis(self.0.saturating_add(millis))
    }

    /// How long ago `earlier` was; nothing if it is not earlier.
    pub fn since(self, earlier: Self) -> Duration {
        let millis = self.unix_millis().saturating_sub(earlier.unix_millis());
        Duration::from_millis(millis.try_into().unwrap_or_default())
    }

    /// This moment and `duration` less.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self::from_unix_millis(self.0.saturating_sub(millis))
    }
}

impl fmt::Display for Timestamp {
    /// `2026-11-21T06:55:00.123Z`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH);
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            moment.year(),
            u8::from(moment.month()),
            moment.day(),
            moment.hour(),
            moment.minute(),
            moment.second(),
            moment.millisecond()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_timestamp_reads_back_as_it_was_written(millis in EARLIEST_MILLIS..=LATEST_MILLIS) {
            let moment = Timestamp::from_unix_millis(millis);
            prop_assert_eq!(Timestamp::parse(&moment.to_string()), Ok(moment));
        }
    }

    #[test]
    fn months_begin_at_midnight_utc_and_december_is_followed_by_january() {
        let bounds = |text: &str| {
            let moment = Timestamp::parse(text).unwrap();
            let (start, next) = (moment.start_of_month(), moment.start_of_next_month());
            (start.to_string(), next.to_string())
        };
        let (start, next) = bounds("2026-12-31T23:59:59.999Z");
        assert_eq!(start, "2026-12-01T00:00:00.000Z");
        assert_eq!(next, "2027-01-01T00:00:00.000Z");
        let (start, next) = bounds("2026-02-01T00:00:00Z");
        assert_eq!(start, "2026-02-01T00:00:00.000Z");
        assert_eq!(next, "2026-03-01T00:00:00.000Z");
        let (_, last) = bounds("9999-12-05T00:00:00Z");
        assert_eq!(last, "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn offsets_become_utc_and_finer_parts_are_cut() {
        let moment = Timestamp::parse("2026-11-21T08:55:00.1239+02:00").unwrap();
        assert_eq!(moment.to_string(), "2026-11-21T06:55:00.123Z");
        assert_eq!(Timestamp::parse("yesterday"), Err(MalformedTimestamp));
    }
}
