//! What a receiver does with a message: believe its signature, or not, and read its event.

use std::time::{SystemTime, UNIX_EPOCH};

use lyceum_wire::webhook_signature::{self, Received, SignatureError, SigningSecret};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

/// Why a message is not believed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MessageError {
    /// A header of the signature is not there, or cannot be read.
    #[error("no header {0}")]
    MissingHeader(&'static str),
    /// The signature, the time or the secret is wrong.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// It is signed, and is no event.
    #[error("not an event")]
    NotAnEvent(#[source] serde_json::Error),
}

/// Something that happened, as a message tells of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// `evt_…`, the same however often it comes: what is known already is to be left alone.
    pub id: String,
    /// What happened, such as `submission.graded`.
    #[serde(rename = "type")]
    pub kind: String,
    /// When it happened (RFC 3339).
    pub timestamp: String,
    /// The request that did it; nothing for the service's own doing.
    pub request_id: Option<String>,
    /// What it happened to.
    pub data: EventData,
    /// Whatever else stands in it.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// What something happened to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventData {
    /// The thing, as it was right after.
    pub object: Value,
    /// Whatever else stands there: `previous_attributes`, where something changed.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl Event {
    /// The thing by its shape: `event.object::<SubmissionView>()`.
    ///
    /// # Errors
    /// If it is of another shape.
    pub fn object<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.data.object)
    }
}

/// Checks a message by this machine's clock, and reads its event.
///
/// `secrets` are those of the endpoint (`whsec_…`): one, or two while one is rotated. `header` looks one up by its name
/// in lower case; `body` are the bytes as they came, before any parsing.
///
/// ```
/// # fn receive(headers: &reqwest::header::HeaderMap, body: &[u8], secret: &str)
/// # -> Result<(), lyceum_client::webhooks::MessageError> {
/// let header = |name: &str| headers.get(name)?.to_str().ok();
/// let event = lyceum_client::webhooks::verify(&[secret], header, body)?;
/// if event.kind == "submission.graded" {
///     println!("{}", event.data.object["score"]);
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`MessageError`]: answer with 400, and nothing of it is to be used.
pub fn verify<'h>(
    secrets: &[&str],
    header: impl Fn(&str) -> Option<&'h str>,
    body: &[u8],
) -> Result<Event, MessageError> {
    #[allow(
        clippy::disallowed_methods,
        reason = "a receiver has no clock but its machine's"
    )]
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = now.map_or(0, |since| since.as_secs());
    verify_at(
        secrets,
        header,
        body,
        i64::try_from(seconds).unwrap_or(i64::MAX),
    )
}

/// Like [`verify`], by a clock of the caller's: `now` in seconds since 1970.
///
/// # Errors
/// [`MessageError`]
pub fn verify_at<'h>(
    secrets: &[&str],
    header: impl Fn(&str) -> Option<&'h str>,
    body: &[u8],
    now: i64,
) -> Result<Event, MessageError> {
    let wanted = |name: &'static str| header(name).ok_or(MessageError::MissingHeader(name));
    let received = Received {
        id: wanted("webhook-id")?,
        timestamp: wanted("webhook-timestamp")?,
        signatures: wanted("webhook-signature")?,
        body,
    };
    let secrets: Result<Vec<SigningSecret>, SignatureError> = secrets
        .iter()
        .map(|secret| SigningSecret::parse(secret))
        .collect();
    webhook_signature::verify(&secrets?, &received, now)?;
    serde_json::from_slice(body).map_err(MessageError::NotAnEvent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_wire::webhook_signature::sign;
    use serde_json::json;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const OTHER: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const SENT_AT: i64 = 1_700_000_000;

    struct Message {
        signature: String,
        body: Vec<u8>,
    }

    impl Message {
        fn signed(body: &Value) -> Self {
            let body = body.to_string().into_bytes();
            let secret = SigningSecret::parse(SECRET).unwrap();
            let signature = sign(&[secret], "evt_1", SENT_AT, &body).unwrap();
            Self { signature, body }
        }

        fn received_at(&self, now: i64, secrets: &[&str]) -> Result<Event, MessageError> {
            let header = |name: &str| match name {
                "webhook-id" => Some("evt_1"),
                "webhook-timestamp" => Some("1700000000"),
                "webhook-signature" => Some(self.signature.as_str()),
                _ => None,
            };
            verify_at(secrets, header, &self.body, now)
        }
    }

    fn graded() -> Message {
        Message::signed(&json!({
            "id": "evt_1", "object": "event", "type": "submission.graded", "timestamp": "2026-11-22T10:00:00.000Z",
            "request_id": null, "data": {"object": {"id": "sub_1"}, "previous_attributes": {"status": "submitted"}},
        }))
    }

    #[test]
    fn a_signed_message_is_read_with_everything_in_it() {
        let event = graded()
            .received_at(SENT_AT + 10, &[OTHER, SECRET])
            .unwrap();
        assert_eq!(event.kind, "submission.graded");
        assert_eq!(event.object::<Value>().unwrap()["id"], "sub_1");
        assert_eq!(
            event.data.rest["previous_attributes"]["status"],
            "submitted"
        );
        assert_eq!(event.rest["object"], "event");
    }

    #[test]
    fn another_body_another_secret_and_another_day_are_not_believed() {
        let mut changed = graded();
        changed.body.push(b' ');
        let refusals = [
            changed.received_at(SENT_AT, &[SECRET]),
            graded().received_at(SENT_AT, &[OTHER]),
            graded().received_at(SENT_AT + 301, &[SECRET]),
        ];
        let [changed, foreign, late] = refusals.map(Result::unwrap_err);
        let signature = |error| {
            let MessageError::Signature(error) = error else {
                panic!("{error}");
            };
            error
        };
        assert_eq!(signature(changed), SignatureError::NoMatch);
        assert_eq!(signature(foreign), SignatureError::NoMatch);
        assert_eq!(signature(late), SignatureError::OutsideTolerance);
    }

    #[test]
    fn a_message_without_its_headers_is_not_looked_at() {
        let refused = verify(&[SECRET], |_| None, b"{}").unwrap_err();
        assert!(matches!(refused, MessageError::MissingHeader("webhook-id")));
        let no_event = Message::signed(&json!({"id": "evt_1"}));
        let refused = no_event.received_at(SENT_AT, &[SECRET]).unwrap_err();
        assert!(matches!(refused, MessageError::NotAnEvent(_)));
    }
}
