//! Reads a receiver's wish to be left alone for a while.

use std::time::UNIX_EPOCH;

/// The longest wait we grant, in seconds: a receiver may not park its queue for years.
const LONGEST_SECONDS: u64 = 24 * 60 * 60;

/// The seconds `Retry-After` asks for, seen from `now` (seconds since the epoch): a number of seconds
/// or one of the three HTTP date forms ([RFC 9110, 10.2.3]), at most a day. A date gone by is 0;
/// `None` if the value is neither.
///
/// [RFC 9110, 10.2.3]: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
pub(crate) fn seconds(value: &str, now: i64) -> Option<u64> {
    let value = value.trim();
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let asked = if digits {
        // All digits and still no u64: longer than anyone will wait.
        value.parse().unwrap_or(u64::MAX)
    } else {
        let date = httpdate::parse_http_date(value).ok()?;
        let at = date.duration_since(UNIX_EPOCH).ok()?.as_secs();
        at.saturating_sub(u64::try_from(now).unwrap_or(0))
    };
    Some(asked.min(LONGEST_SECONDS))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::seconds;

    /// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110.
    const THEN: i64 = 784_111_777;

    #[rstest]
    #[case("120", Some(120))]
    #[case(" 120 ", Some(120))]
    #[case("0", Some(0))]
    #[case("86401", Some(86_400))]
    #[case("99999999999999999999999999", Some(86_400))]
    #[case("Sun, 06 Nov 1994 08:49:37 GMT", Some(60))]
    #[case("Sunday, 06-Nov-94 08:49:37 GMT", Some(60))]
    #[case("Sun Nov  6 08:49:37 1994", Some(60))]
    #[case("Sun, 06 Nov 1994 08:48:00 GMT", Some(0))]
    #[case("Fri, 06 Nov 2065 08:49:37 GMT", Some(86_400))]
    #[case("-1", None)]
    #[case("+5", None)]
    #[case("1.5", None)]
    #[case("soon", None)]
    #[case("", None)]
    fn a_wish_is_read_as_seconds_or_date(#[case] value: &str, #[case] expected: Option<u64>) {
        assert_eq!(seconds(value, THEN - 60), expected);
    }
}
