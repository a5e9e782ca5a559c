//! Which part of a file a request wants (RFC 9110, section 14): one range, or the whole.
//!
//! Several ranges, ranges beyond the end and what cannot be read get the whole file, as the RFC allows: a client that
//! asked for less than it gets sees that by the status.

use std::ops::Range;

use actix_web::http::header::{self, HeaderMap};
use actix_web::{HttpResponse, HttpResponseBuilder};

use crate::http::response::names_tag;

/// What to answer with.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// Nothing: the caller has the current one.
    Known,
    /// All of it.
    Whole,
    /// These bytes, end exclusive.
    Some(Range<u64>),
}

/// The start of the answer to who asks for a file of this size and entity tag, and the bytes that are to follow;
/// none where the caller has them.
pub fn begin(
    headers: &HeaderMap,
    size: u64,
    tag: &str,
) -> (HttpResponseBuilder, Option<Range<u64>>) {
    let (mut answer, bytes) = match wanted(headers, size, tag) {
        Part::Known => (HttpResponse::NotModified(), None),
        Part::Whole => (HttpResponse::Ok(), Some(0..size)),
        Part::Some(bytes) => {
            let mut answer = HttpResponse::PartialContent();
            let (first, last) = (bytes.start, bytes.end.saturating_sub(1));
            let place = format!("bytes {first}-{last}/{size}");
            answer.insert_header((header::CONTENT_RANGE, place));
            (answer, Some(bytes))
        }
    };
    answer.insert_header((header::ETAG, tag));
    if let Some(bytes) = &bytes {
        answer.insert_header((header::ACCEPT_RANGES, "bytes"));
        answer.no_chunking(bytes.end.saturating_sub(bytes.start));
    }
    (answer, bytes)
}

fn wanted(headers: &HeaderMap, size: u64, tag: &str) -> Part {
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
    let header::Range::Bytes(specs) = text.parse().ok()? else {
        return None;
    };
    let [spec] = specs.as_slice() else {
        return None;
    };
    let (first, last) = spec.to_satisfiable_range(size)?;
    Some(first..last.checked_add(1)?)
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
            ("bytes=0-99999999999999999999999", Part::Whole),
            ("bytes=100-", Part::Whole),
            ("bytes=100-200", Part::Whole),
            ("bytes=-0", Part::Whole),
            ("bytes=9-0", Part::Whole),
            ("bytes=0-9,20-29", Part::Whole),
            ("bytes=-", Part::Whole),
            ("bytes=", Part::Whole),
            ("bytes=a-b", Part::Whole),
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
