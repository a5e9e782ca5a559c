//! Answers that are said piece by piece: a `text/event-stream` for who accepts one.
//!
//! An answer is checked whole before its first byte is sent, so a failure is an error like any other and nothing
//! has to be taken back.

use serde_json::{Value, json};

/// The media type.
pub const MEDIA_TYPE: &str = "text/event-stream";

/// How a stream is documented that looks like this. Of its schema nothing is demanded: some tools hold the whole text
/// against it, others each event.
pub fn media(example: &str) -> Value {
    json!({
        "schema": { "description": "Server-sent events." },
        "example": example,
    })
}

/// Whether an `Accept` header names the stream, and JSON not with more weight.
pub fn is_wanted(accept: &str) -> bool {
    let stream = weight(accept, MEDIA_TYPE).unwrap_or_default();
    stream > 0.0 && stream >= weight(accept, "application/json").unwrap_or_default()
}

/// The weight of a media type that is named.
fn weight(accept: &str, wanted: &str) -> Option<f32> {
    accept.split(',').find_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default();
        if !kind.eq_ignore_ascii_case(wanted) {
            return None;
        }
        let q = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        Some(q.map_or(1.0, |q| q.trim().parse().unwrap_or(0.0)))
    })
}

/// The events of an answer: its `message` in deltas, then the whole of it.
pub fn events(body: &str) -> String {
    let answer: Value = serde_json::from_str(body).unwrap_or_default();
    let message = answer
        .get("message")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut stream = String::new();
    for text in pieces(message) {
        stream.push_str(&event("delta", &json!({ "text": text }).to_string()));
    }
    stream.push_str(&event("done", body));
    stream
}

/// An event. JSON has no line break outside of strings that we write, and within them it is escaped.
pub fn event(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

/// A text, sentence by sentence and line by line; put together again it is the same.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut ended) = (0, false);
    for (at, c) in text.char_indices() {
        // A sentence has the white space behind it.
        if ended && !c.is_whitespace() {
            pieces.extend(text.get(start..at));
            start = at;
        }
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        ended = if c.is_whitespace() {
            ended || c == '\n' || before.is_some_and(|c| matches!(c, '.' | '!' | '?' | '…'))
        } else {
            matches!(c, '。' | '！' | '？')
        };
    }
    pieces.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_for_who_names_it() {
        for (accept, expected) in [
            ("text/event-stream", true),
            ("Text/Event-Stream; charset=utf-8", true),
            ("application/json, text/event-stream", true),
            ("application/json, text/event-stream;q=0.5", false),
            ("text/event-stream;q=0", false),
            ("text/event-stream;q=much", false),
            ("*/*", false),
            ("text/*", false),
            ("", false),
        ] {
            assert_eq!(is_wanted(accept), expected, "{accept}");
        }
    }

    #[test]
    fn a_text_falls_into_sentences_and_is_the_same_again() {
        let cases: [(&str, &[&str]); 4] = [
            (
                "One. Two!  Three?\n\nFour",
                &["One. ", "Two!  ", "Three?\n\n", "Four"],
            ),
            ("5.5 cm of it.", &["5.5 cm of it."]),
            ("米。冷", &["米。", "冷"]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(pieces(text), expected);
            assert_eq!(pieces(text).concat(), text);
        }
    }

    #[test]
    fn what_is_said_comes_in_deltas_and_then_whole() {
        let body = r#"{"message":"One.\nTwo.","id":"x"}"#;
        let expected = "event: delta\ndata: {\"text\":\"One.\\n\"}\n\nevent: delta\ndata: {\"text\":\"Two.\"}\n\n\
                        event: done\ndata: {\"message\":\"One.\\nTwo.\",\"id\":\"x\"}\n\n";
        assert_eq!(events(body), expected);
    }
}
