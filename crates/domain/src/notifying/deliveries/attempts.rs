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
    /// How the body of the answer begins.
    pub answer: String,
}

impl DeliveryAttempt {
    /// How many attempts of a delivery are kept, the newest.
    pub const MOST: usize = 20;
    /// How much of an answer is kept, in bytes.
    pub const ANSWER_BYTES: usize = 1024;

    /// As a document.
    pub fn to_json(&self) -> Value {
        json!({
            "at": self.at.to_string(),
            "status": self.status,
            "error": self.error,
            "duration_ms": self.duration_ms,
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
            answer: text("answer").unwrap_or_default().to_owned(),
        })
    }
}

/// How an answer begins, as it is kept: none of `secrets`, which a receiver may send back in what it quotes, nor
/// characters that no log can show.
pub fn shown_answer(answer: &str, secrets: &[String]) -> String {
    let mut text = answer.to_owned();
    for secret in secrets {
        let bare = secret.trim_start_matches("whsec_");
        for hidden in [secret.as_str(), bare] {
            if !hidden.is_empty() {
                text = text.replace(hidden, "[secret]");
            }
        }
    }
    let shown = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    let mut text: String = text.chars().filter(|c| shown(*c)).collect();
    text.truncate(text.floor_char_boundary(DeliveryAttempt::ANSWER_BYTES));
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
            answer: "no disk".to_owned(),
        };
        let silent = DeliveryAttempt {
            status: None,
            duration_ms: None,
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
    fn an_answer_is_kept_short_and_without_what_signs() {
        let secrets = ["whsec_c2VjcmV0".to_owned()];
        let quoted = "bad key whsec_c2VjcmV0 (c2VjcmV0)\0\u{1b}[31m";
        assert_eq!(
            shown_answer(quoted, &secrets),
            "bad key [secret] ([secret])[31m"
        );
        let long = "é".repeat(2_000);
        let kept = shown_answer(&long, &[]);
        assert!(kept.len() <= DeliveryAttempt::ANSWER_BYTES && kept.chars().all(|c| c == 'é'));
    }
}
