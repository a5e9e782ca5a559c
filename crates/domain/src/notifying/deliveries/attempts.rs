//! What is kept of each attempt at a delivery, for whoever looks why a receiver did not take it.

use serde_json::{Value, json};

use crate::{InvalidValue, Timestamp};

/// One attempt at a delivery, as it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryAttempt {
    /// When it began.
    pub at: Timestamp,
    /// The receiver's status, if it answered.
    pub status: Option<u16>,
    /// What went wrong; nothing where the receiver took it.
    pub error: Option<String>,
    /// From connecting to the last byte, in milliseconds, if the receiver answered.
    pub duration_ms: Option<u64>,
    /// The headers of the answer, as many as are kept.
    pub headers: Vec<Header>,
    /// How the body of the answer begins.
    pub answer: String,
}

/// What a receiver said beside its status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The headers as they came.
    pub headers: Vec<Header>,
    /// How the body begins, read as UTF-8.
    pub body: String,
}

/// A header of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// In lower case.
    pub name: String,
    /// Read as UTF-8.
    pub value: String,
}

impl DeliveryAttempt {
    /// How many attempts of a delivery are kept, the newest.
    pub const MOST: usize = 20;
    /// How much of an answer's body is kept, in bytes.
    pub const ANSWER_BYTES: usize = 2048;
    /// How much of its headers is kept, in bytes of names and values.
    pub const HEADER_BYTES: usize = 1024;

    /// As a document.
    pub fn to_json(&self) -> Value {
        json!({
            "at": self.at.to_string(),
            "status": self.status,
            "error": self.error,
            "duration_ms": self.duration_ms,
            "headers": self.headers.iter().map(Header::to_json).collect::<Vec<_>>(),
            "answer": self.answer,
        })
    }

    /// From its document.
    pub fn from_json(value: &Value) -> Result<Self, InvalidValue> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let at = text("at").ok_or_else(|| InvalidValue::new("must say when it was"))?;
        let status = value.get("status").and_then(Value::as_u64);
        Ok(Self {
            at: Timestamp::parse(at).map_err(|error| InvalidValue::new(error.to_string()))?,
            status: status.and_then(|status| u16::try_from(status).ok()),
            error: text("error").map(str::to_owned),
            duration_ms: value.get("duration_ms").and_then(Value::as_u64),
            headers: headers_of(value)?,
            answer: text("answer").unwrap_or_default().to_owned(),
        })
    }
}

/// Those of attempts from before headers were kept are none.
fn headers_of(value: &Value) -> Result<Vec<Header>, InvalidValue> {
    let headers = value.get("headers").and_then(Value::as_array);
    headers
        .into_iter()
        .flatten()
        .map(Header::from_json)
        .collect()
}

impl Header {
    fn to_json(&self) -> Value {
        json!({"name": self.name, "value": self.value})
    }

    fn from_json(value: &Value) -> Result<Self, InvalidValue> {
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        match (text("name"), text("value")) {
            (Some(name), Some(value)) => Ok(Self { name, value }),
            _ => Err(InvalidValue::new("must have a name and a value")),
        }
    }
}

/// An answer as it is kept: none of `secrets`, which a receiver may send back in what it quotes, nothing that lets anybody in
/// at the receiver, nor characters that no log can show.
pub fn shown_answer(answer: &Answer, secrets: &[String]) -> Answer {
    let mut room = DeliveryAttempt::HEADER_BYTES;
    let headers = answer
        .headers
        .iter()
        .filter(|header| header.name != "set-cookie");
    // One that is too long keeps none of those behind it from being shown.
    let headers = headers.filter_map(|header| {
        let value = shown(&header.value, secrets, DeliveryAttempt::HEADER_BYTES);
        room = room.checked_sub(header.name.len() + value.len())?;
        let name = header.name.clone();
        Some(Header { name, value })
    });
    Answer {
        headers: headers.collect(),
        body: shown(&answer.body, secrets, DeliveryAttempt::ANSWER_BYTES),
    }
}

fn shown(text: &str, secrets: &[String], most: usize) -> String {
    let mut text = text.to_owned();
    for secret in secrets {
        let bare = secret.trim_start_matches("whsec_");
        for hidden in [secret.as_str(), bare] {
            if !hidden.is_empty() {
                text = text.replace(hidden, "[secret]");
            }
        }
    }
    let is_shown = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    let mut text: String = text.chars().filter(|c| is_shown(*c)).collect();
    text.truncate(text.floor_char_boundary(most));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_reads_back_as_it_was_written() {
        let answered = DeliveryAttempt {
            at: Timestamp::from_unix_millis(1_795_244_100_000),
            status: Some(500),
            error: Some("the receiver answered 500".to_owned()),
            duration_ms: Some(12),
            headers: vec![header("server", "nginx")],
            answer: "no disk".to_owned(),
        };
        let silent = DeliveryAttempt {
            status: None,
            duration_ms: None,
            headers: Vec::new(),
            answer: String::new(),
            ..answered.clone()
        };
        for attempt in [answered, silent] {
            let read = DeliveryAttempt::from_json(&attempt.to_json());
            assert_eq!(read, Ok(attempt));
        }
        assert!(DeliveryAttempt::from_json(&json!({})).is_err());
    }

    #[test]
    fn an_attempt_from_before_headers_were_kept_has_none() {
        let read = DeliveryAttempt::from_json(&json!({"at": "2026-11-21T07:35:00.000Z"})).unwrap();
        assert_eq!(read.headers, []);
    }

    fn header(name: &str, value: &str) -> Header {
        let [name, value] = [name, value].map(str::to_owned);
        Header { name, value }
    }

    fn kept(headers: Vec<Header>, body: &str) -> Answer {
        let body = body.to_owned();
        shown_answer(&Answer { headers, body }, &["whsec_c2VjcmV0".to_owned()])
    }

    #[test]
    fn an_answer_is_kept_short_and_without_what_signs() {
        let quoted = kept(Vec::new(), "bad key whsec_c2VjcmV0 (c2VjcmV0)\0\u{1b}[31m");
        assert_eq!(quoted.body, "bad key [secret] ([secret])[31m");
        let long = kept(Vec::new(), &"é".repeat(2_000)).body;
        assert!(long.len() == DeliveryAttempt::ANSWER_BYTES && long.chars().all(|c| c == 'é'));
    }

    #[test]
    fn headers_are_kept_in_their_order_without_what_signs_and_what_lets_anybody_in() {
        let sent = vec![
            header("server", "nginx"),
            header("set-cookie", "session=open"),
            header("via", "1.1 a"),
            header("via", "1.1 c2VjcmV0"),
        ];
        let expected = [
            header("server", "nginx"),
            header("via", "1.1 a"),
            header("via", "1.1 [secret]"),
        ];
        assert_eq!(kept(sent, "").headers, expected);
    }

    #[test]
    fn a_header_that_is_too_long_hides_none_behind_it() {
        let long = "x".repeat(5_000);
        let sent = vec![
            header("content-security-policy", &long),
            header("server", "nginx"),
        ];
        assert_eq!(kept(sent, "").headers, [header("server", "nginx")]);
    }

    #[test]
    fn of_many_headers_the_first_are_kept() {
        let many = (0..1_000).map(|n| header(&format!("x-{n:03}"), "12345"));
        let kept = kept(many.collect(), "").headers;
        assert_eq!(kept.len(), DeliveryAttempt::HEADER_BYTES / 10);
        assert_eq!(kept[0].name, "x-000");
    }
}
