//! How long a server asks us to wait.

use std::time::Duration;

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

/// The wait asked for by `retry-after-ms` or `Retry-After`; a date counts from the server's own `Date`, so that
/// nobody's clock matters.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |text: &str| {
        text.parse::<f64>()
            .ok()
            .filter(|number| (0.0..1e9).contains(number))
    };
    if let Some(millis) = text(HeaderName::from_static("retry-after-ms")).and_then(number) {
        return Some(Duration::from_secs_f64(millis / 1000.0));
    }
    let wanted = text(RETRY_AFTER)?;
    if let Some(seconds) = number(wanted) {
        return Some(Duration::from_secs_f64(seconds));
    }
    let date = |text: &str| OffsetDateTime::parse(text, &Rfc2822).ok();
    let wait = date(wanted)? - date(text(DATE)?)?;
    Some(wait.max(time::Duration::ZERO).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;
    use rstest::rstest;

    #[rstest]
    #[case(&[("retry-after", "7")], Some(7_000))]
    #[case(&[("retry-after", "7"), ("retry-after-ms", "250")], Some(250))]
    #[case(&[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"), ("date", "Sun, 06 Nov 1994 08:49:07 GMT")], Some(30_000))]
    #[case(&[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"), ("date", "Sun, 06 Nov 1994 09:49:07 GMT")], Some(0))]
    #[case(&[("retry-after", "soon")], None)]
    #[case(&[("retry-after", "-1")], None)]
    #[case(&[], None)]
    fn waits_are_read(
        #[case] given: &'static [(&'static str, &'static str)],
        #[case] millis: Option<u64>,
    ) {
        let headers: HeaderMap = given
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect();
        assert_eq!(retry_after(&headers), millis.map(Duration::from_millis));
    }
}
