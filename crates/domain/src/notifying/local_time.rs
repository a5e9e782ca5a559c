//! What day it is where somebody lives, and when seven o'clock is there.
//!
//! The rules of time zones are in the binary, so that every node goes by the same, and none asks its machine.

use std::fmt;
use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::tz::{TimeZone as Rules, TimeZoneDatabase};

use crate::text::TimeZone;
use crate::{InvalidValue, Timestamp};

static KNOWN: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// A day of a calendar, wherever that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocalDate(Date);

impl LocalDate {
    /// Reads `2026-11-28`.
    ///
    /// # Errors
    /// [`InvalidValue`] for what is no day.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let day = text.parse().map(Self);
        day.map_err(|_| InvalidValue::new("must be a day such as 2026-11-28"))
    }

    /// The day after.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.tomorrow().unwrap_or(self.0))
    }

    /// How many days ago an earlier one was; none if it is not earlier.
    pub fn days_since(self, earlier: Self) -> u32 {
        let days = earlier.0.until(self.0).map(|span| span.get_days());
        days.unwrap_or_default().try_into().unwrap_or_default()
    }
}

impl fmt::Display for LocalDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The clocks of a place.
#[derive(Debug, Clone)]
pub struct Clocks(Rules);

impl Clocks {
    /// Those of a time zone; of UTC where none is said, and for a name that this version does not know.
    pub fn of(zone: Option<&TimeZone>) -> Self {
        let rules = zone.and_then(|zone| KNOWN.get(zone.as_str()).ok());
        Self(rules.unwrap_or(Rules::UTC))
    }

    /// What day it is there.
    pub fn date(&self, at: Timestamp) -> LocalDate {
        let at = jiff::Timestamp::from_millisecond(at.unix_millis()).unwrap_or_default();
        LocalDate(self.0.to_datetime(at).date())
    }

    /// When it is so many o'clock there on a day; where clocks leave that hour out, as much later.
    pub fn at(&self, date: LocalDate, hour: i8) -> Timestamp {
        let wall = date.0.at(hour, 0, 0, 0);
        let at = self.0.to_timestamp(wall).unwrap_or_default();
        Timestamp::from_unix_millis(at.as_millisecond())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(zone: &str) -> Clocks {
        Clocks::of(Some(&TimeZone::parse(zone).unwrap()))
    }

    fn day(text: &str) -> LocalDate {
        LocalDate::parse(text).unwrap()
    }

    #[test]
    fn seven_is_seven_on_either_side_of_a_change_of_the_clocks() {
        let berlin = clocks("Europe/Berlin");
        for (date, at) in [
            ("2026-03-28", "2026-03-28T06:00:00.000Z"),
            ("2026-03-29", "2026-03-29T05:00:00.000Z"),
            ("2026-10-24", "2026-10-24T05:00:00.000Z"),
            ("2026-10-25", "2026-10-25T06:00:00.000Z"),
        ] {
            assert_eq!(berlin.at(day(date), 7).to_string(), at);
            assert_eq!(berlin.date(Timestamp::parse(at).unwrap()), day(date));
        }
        let kathmandu = clocks("Asia/Kathmandu").at(day("2026-11-28"), 7);
        assert_eq!(kathmandu.to_string(), "2026-11-28T01:15:00.000Z");
    }

    #[test]
    fn an_hour_that_the_clocks_leave_out_is_as_much_later_and_one_that_comes_twice_is_the_first() {
        let berlin = clocks("Europe/Berlin");
        let left_out = berlin.at(day("2026-03-29"), 2);
        assert_eq!(left_out.to_string(), "2026-03-29T01:00:00.000Z");
        let twice = berlin.at(day("2026-10-25"), 2);
        assert_eq!(twice.to_string(), "2026-10-25T00:00:00.000Z");
    }

    #[test]
    fn whoever_says_nothing_or_what_nobody_knows_lives_by_utc() {
        let at = Timestamp::parse("2026-11-28T23:30:00Z").unwrap();
        for nowhere in [
            Clocks::of(None),
            clocks("Mars/Olympus"),
            clocks("../etc/passwd".trim_start_matches("../")),
        ] {
            assert_eq!(nowhere.date(at), day("2026-11-28"));
            assert_eq!(
                nowhere.at(day("2026-11-28"), 7).to_string(),
                "2026-11-28T07:00:00.000Z"
            );
        }
        assert_eq!(clocks("Asia/Tokyo").date(at), day("2026-11-29"));
        assert_eq!(
            clocks("asia/tokyo").date(at),
            day("2026-11-29"),
            "in any case"
        );
    }

    #[test]
    fn days_are_counted_and_read_back() {
        assert_eq!(day("2026-12-01").days_since(day("2026-11-28")), 3);
        assert_eq!(day("2026-11-28").days_since(day("2026-12-01")), 0);
        assert_eq!(day("2027-12-01").days_since(day("2026-12-01")), 365);
        assert_eq!(day("2026-12-31").next(), day("2027-01-01"));
        assert_eq!(
            LocalDate::parse(&day("2026-11-28").to_string()),
            Ok(day("2026-11-28"))
        );
        for wrong in ["", "yesterday", "2026-02-30", "28.11.2026"] {
            assert!(LocalDate::parse(wrong).is_err(), "{wrong}");
        }
    }
}
