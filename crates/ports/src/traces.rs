//! Telling where the time of a request went, over everything that it caused: spans, joined by W3C Trace Context.
//!
//! What a span says leaves the service: kinds, counts and our own ids may stand in it, and no text, address or secret of
//! anybody.

use std::fmt;
use std::num::{NonZeroU64, NonZeroU128};
use std::time::Duration;

/// A place in a trace: the `traceparent` of W3C Trace Context, version 00. Callers choose it, so it says nothing about
/// them and decides nothing but what belongs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TraceParent {
    trace_id: NonZeroU128,
    span_id: NonZeroU64,
    sampled: bool,
}

impl TraceParent {
    /// How long one is in text.
    pub const LENGTH: usize = 55;

    /// A span of a trace, and whether anybody keeps what is told of it.
    pub const fn new(trace_id: NonZeroU128, span_id: NonZeroU64, sampled: bool) -> Self {
        Self {
            trace_id,
            span_id,
            sampled,
        }
    }

    /// Reads the header; nothing of what is not exactly one. Flags but the first are nobody's here and are dropped.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != Self::LENGTH {
            return None;
        }
        let mut parts = text.split('-');
        let version = hex(parts.next()?, 2)?;
        let trace_id = NonZeroU128::new(hex(parts.next()?, 32)?)?;
        let span_id = u64::try_from(hex(parts.next()?, 16)?).ok()?;
        let flags = hex(parts.next()?, 2)?;
        (version == 0 && parts.next().is_none()).then_some(Self {
            trace_id,
            span_id: NonZeroU64::new(span_id)?,
            sampled: flags & 1 == 1,
        })
    }

    /// What all spans of the trace have in common.
    pub const fn trace_id(self) -> NonZeroU128 {
        self.trace_id
    }

    /// The span.
    pub const fn span_id(self) -> NonZeroU64 {
        self.span_id
    }

    /// Whether what is told of the trace is kept.
    pub const fn is_sampled(self) -> bool {
        self.sampled
    }
}

/// Lower-case digits, exactly so many.
fn hex(text: &str, digits: usize) -> Option<u128> {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.len() != digits || !text.bytes().all(is_digit) {
        return None;
    }
    u128::from_str_radix(text, 16).ok()
}

impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = u8::from(self.sampled);
        write!(
            f,
            "00-{:032x}-{:016x}-{flags:02x}",
            self.trace_id, self.span_id
        )
    }
}

/// Which side of an exchange a span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    /// Answers somebody.
    Server,
    /// Asks somebody.
    Client,
    /// Does what was queued.
    Consumer,
}

/// What a span says of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpanValue {
    /// A word or one of our ids.
    Text(String),
    /// A count.
    Number(u64),
}

impl From<&str> for SpanValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for SpanValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for SpanValue {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

/// A span as it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSpan {
    /// What is done, without what it is done to: names are few.
    pub name: String,
    /// Which side of it.
    pub kind: SpanKind,
    /// What it is done for; without, a trace begins.
    pub parent: Option<TraceParent>,
    /// How long ago it began.
    pub ago: Duration,
}

/// A span that has begun. It ends when it is dropped.
pub trait Span: Send + Sync {
    /// Where what it causes belongs.
    fn place(&self) -> TraceParent;
    /// Says something of it.
    fn note(&mut self, name: &'static str, value: SpanValue);
    /// Says that it did not end well.
    fn fail(&mut self);
}

/// Takes spans. It never makes anybody wait, and fails nobody.
pub trait Traces: Send + Sync {
    /// Begins one; none any more after the end was near.
    fn begin(&self, span: NewSpan) -> Option<Box<dyn Span>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_header_is_read_and_written_as_it_was() {
        let place = TraceParent::parse(HEADER).unwrap();
        assert!(place.is_sampled());
        assert_eq!(place.to_string(), HEADER);
        assert_eq!(HEADER.len(), TraceParent::LENGTH);
        let unsampled = TraceParent::parse(&HEADER.replace("-01", "-02")).unwrap();
        assert_eq!(unsampled.to_string(), HEADER.replace("-01", "-00"));
    }

    #[test]
    fn what_is_not_exactly_a_header_is_none() {
        let refused = [
            String::new(),
            format!("{HEADER}-"),
            format!("{HEADER}0"),
            HEADER.to_uppercase(),
            HEADER.replacen("00", "01", 1),
            HEADER.replacen("00", "ff", 1),
            HEADER.replacen("00", "+0", 1),
            HEADER.replace('-', "_"),
            HEADER.replace("0af7651916cd43dd8448eb211c80319c", &"0".repeat(32)),
            HEADER.replace("b7ad6b7169203331", &"0".repeat(16)),
            HEADER.replace("9c-b7", "9-cb7"),
            HEADER.replace("b7ad6b7169203331", "b7ad6b716920333é"),
            format!(" {}", HEADER.trim_end_matches('1')),
        ];
        for text in refused {
            assert_eq!(TraceParent::parse(&text), None, "{text}");
        }
    }
}
