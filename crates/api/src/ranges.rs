//! Which part of a file a request wants (RFC 9110, section 14): one range, or the whole.
//!
//! Several ranges, ranges beyond the end and what cannot be read get the whole file, as the RFC allows: a client that
//! asked for less than it gets sees that by the status.

use std::ops::Range;

use actix_web::http::header::{self, HeaderMap};

use crate::response::names_tag;

/// What to answer with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Nothing: the caller has the current one.
    Known,
    /// All of it.
    Whole,
    /// These bytes, end exclusive.
    Some(Range<u64>),
}

/// What a request wants of a file of this size and entity tag.
pub fn wanted(headers: &HeaderMap, size: u64, tag: &str) -> Part {
    let text = |name: header::HeaderName| headers.get(name)?.to_str().ok();
    if text(header::IF_NONE_MATCH).is_some_and(|tags| names_tag(tags, tag)) {
        return Part::Known;
    }
    // A date would have to be exact, and an archive has none of its own.
    let unchanged = text(header::IF_RANGE).is_none_or(|known| known == tag);
    let range = text(header::RANGE).filter(|_| unchanged);
    range
        .and_then(|range| one_range(range, size))
        .map_or(Part::Whole, Part::Some)
}

fn one_range(text: &str, size: u64) -> Option<Range<u64>> {
    let (unit, spec) = text.split_once('=')?;
    let (first, last) = spec.trim().split_once('-')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let range = match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => first..size.min(last.saturating_add(1)),
        (Some(first), None) if last.is_empty() => first..size,
        (None, Some(suffix)) if first.is_empty() => size.saturating_sub(suffix)..size,
        (Some(_) | None, Some(_) | None) => return None,
    };
    (!range.is_empty()).then_some(range)
}

fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    const TAG: &str = "\"abc\"";

    fn of(headers: &[(header::HeaderName, &str)]) -> Part {
        let headers = headers.iter();
        let headers: HeaderMap = headers
            .map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap()))
            .collect();
        wanted(&headers, 100, TAG)
    }

    #[test]
    fn one_range_is_given_and_anything_else_gets_the_whole() {
        for (range, expected) in [
            ("bytes=0-9", Part::Some(0..10)),
            ("bytes=90-", Part::Some(90..100)),
            ("bytes=-10", Part::Some(90..100)),
            ("bytes=-1000", Part::Some(0..100)),
            ("bytes=50-1000", Part::Some(50..100)),
            ("bytes=0-99999999999999999999999", Part::Some(0..100)),
            ("Bytes=99-99", Part::Some(99..100)),
            ("bytes=100-", Part::Whole),
            ("bytes=100-200", Part::Whole),
            ("bytes=-0", Part::Whole),
            ("bytes=9-0", Part::Whole),
            ("bytes=0-9,20-29", Part::Whole),
            ("bytes=-", Part::Whole),
            ("bytes=", Part::Whole),
            ("bytes=a-b", Part::Whole),
            ("bytes=+1-5", Part::Whole),
            ("lines=0-9", Part::Whole),
            ("0-9", Part::Whole),
        ] {
            assert_eq!(of(&[(header::RANGE, range)]), expected, "{range}");
        }
        assert_eq!(wanted(&HeaderMap::new(), 0, TAG), Part::Whole);
    }

    #[test]
    fn conditions_come_first() {
        let range = (header::RANGE, "bytes=0-9");
        assert_eq!(of(&[]), Part::Whole);
        assert_eq!(of(&[(header::IF_NONE_MATCH, TAG)]), Part::Known);
        assert_eq!(
            of(&[(header::IF_NONE_MATCH, "\"x\", \"abc\""), range.clone()]),
            Part::Known
        );
        assert_eq!(
            of(&[(header::IF_NONE_MATCH, "\"x\""), range.clone()]),
            Part::Some(0..10)
        );
        assert_eq!(
            of(&[(header::IF_RANGE, TAG), range.clone()]),
            Part::Some(0..10)
        );
        for changed in ["\"x\"", "W/\"abc\"", "Sat, 21 Nov 2026 06:55:00 GMT"] {
            assert_eq!(
                of(&[(header::IF_RANGE, changed), range.clone()]),
                Part::Whole
            );
        }
    }
}
