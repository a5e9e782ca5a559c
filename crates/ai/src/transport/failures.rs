//! What went wrong with one try: what it means for the next one, for the operator and for the books.

use std::time::Duration;

use lyceum_ports::drafting::ai::AiError;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::retry_after::retry_after;

/// Why one try failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub error: AiError,
    /// Whether the same question may be asked again now.
    pub again: bool,
    /// Whether the server may have worked on it, and charge for it.
    pub was_worked_on: bool,
    /// Whether the server is not itself, as opposed to busy or unwilling.
    pub is_outage: bool,
    /// What the server said about a request that it did not take.
    pub rejected: Option<String>,
}

impl Failure {
    /// A failure that asking again does not change; nothing was worked on.
    pub(crate) const fn last(error: AiError) -> Self {
        Self {
            error,
            again: false,
            was_worked_on: false,
            is_outage: false,
            rejected: None,
        }
    }

    /// An answer that nothing can be made of.
    pub(crate) fn unusable(why: &str) -> Self {
        Self {
            was_worked_on: true,
            ..Self::last(AiError::InvalidOutput(why.to_owned()))
        }
    }

    /// How long the server asked us to wait.
    pub(super) const fn wait(&self) -> Option<Duration> {
        match &self.error {
            AiError::Unavailable { retry_after, .. } => *retry_after,
            AiError::LeftAlone { retry_after } => Some(*retry_after),
            AiError::Refused(_)
            | AiError::InvalidOutput(_)
            | AiError::InputTooThin(_)
            | AiError::BudgetExceeded(_) => None,
        }
    }
}

/// What an error body says: its message, and its code and type.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Complaint {
    pub message: String,
    /// Code and type, as far as they are words, with a space between them.
    pub kind: String,
    /// A status in the body, which some gateways give.
    pub status: Option<u16>,
}

impl Complaint {
    /// Reads an error body; servers differ, so nothing in it is certain.
    pub(crate) fn read(body: &[u8]) -> Self {
        serde_json::from_slice(body)
            .map(|value| Self::of(&value))
            .unwrap_or_default()
    }

    /// The same of a document.
    pub(crate) fn of(value: &Value) -> Self {
        let error = value.get("error").unwrap_or(value);
        let text = |member: &str| error.get(member).and_then(Value::as_str);
        let message = text("message").or_else(|| error.as_str());
        let kinds: Vec<&str> = ["code", "type"].into_iter().filter_map(text).collect();
        let status = error.get("code").and_then(Value::as_u64);
        Self {
            message: message.unwrap_or_default().chars().take(300).collect(),
            kind: kinds.join(" "),
            status: status.and_then(|status| u16::try_from(status).ok()),
        }
    }

    /// Whether there is no money left, which waiting does not change.
    fn is_about_money(&self) -> bool {
        let kind = [
            "insufficient_quota",
            "billing",
            "credit",
            "spend_limit",
            "insufficient_balance",
        ];
        kind.iter().any(|sign| self.kind.contains(sign))
            || self.message.contains("credit balance is too low")
    }
}

pub(super) fn transient(reason: String, retry_after: Option<Duration>) -> Failure {
    Failure {
        error: AiError::Unavailable {
            reason,
            retry_after,
        },
        again: true,
        was_worked_on: true,
        is_outage: true,
        rejected: None,
    }
}

pub(super) fn too_late(timeout: Duration) -> Failure {
    transient(
        format!("no answer within {} s", timeout.as_secs_f32()),
        None,
    )
}

pub(super) fn unreachable_server(error: &reqwest::Error) -> Failure {
    let reason = if error.is_connect() {
        "no connection to the server"
    } else if error.is_timeout() {
        "the server took too long"
    } else {
        "the connection broke"
    };
    Failure {
        was_worked_on: !error.is_connect(),
        ..transient(reason.to_owned(), None)
    }
}

/// What an error means that came with a status of success, as streams and gateways do it.
pub(crate) fn told_in_a_success(headers: &HeaderMap, complaint: Complaint) -> Failure {
    let by_kind = [
        ("rate_limit", 429),
        ("insufficient_quota", 429),
        ("overloaded", 529),
        ("authentication", 401),
        ("invalid_api_key", 401),
        ("permission", 403),
        ("not_found", 404),
        ("too_large", 413),
        ("invalid_request", 400),
    ];
    let named = by_kind
        .iter()
        .find(|(sign, _)| complaint.kind.contains(sign))
        .map(|(_, status)| *status);
    let status = complaint.status.filter(|status| *status >= 400).or(named);
    let status = status.and_then(|status| StatusCode::from_u16(status).ok());
    let mut failure = judge(
        status.unwrap_or(StatusCode::BAD_GATEWAY),
        headers,
        complaint,
    );
    failure.was_worked_on = true;
    failure
}

/// What a status that is no success means.
pub(super) fn judge(status: StatusCode, headers: &HeaderMap, complaint: Complaint) -> Failure {
    let code = status.as_u16();
    if code == 402 || (code < 500 && complaint.is_about_money()) {
        let sentence = "the account has no quota or credit left; check the provider's billing page";
        return Failure::last(AiError::Refused(sentence.to_owned()));
    }
    let told = headers
        .get("x-should-retry")
        .and_then(|value| match value.as_bytes() {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        });
    let mut failure = if matches!(code, 408 | 409 | 429) || code >= 500 {
        Failure {
            was_worked_on: false,
            is_outage: !matches!(code, 409 | 429),
            ..transient(format!("status {code}"), retry_after(headers))
        }
    } else {
        let mut failure = Failure::last(AiError::Refused(advice(status, &complaint)));
        // Routers that know no server for the wish say 404, as for a model that is not there.
        let unsupported = code == 404 && complaint.message.contains("support");
        failure.rejected = (matches!(code, 400 | 422) || unsupported).then_some(complaint.message);
        failure
    };
    failure.again = told.unwrap_or(failure.again);
    failure
}

/// Names what to check, with what the server said about it.
fn advice(status: StatusCode, complaint: &Complaint) -> String {
    let check = match status.as_u16() {
        300..=399 => "it redirects elsewhere; check that the base URL is the final address",
        400 | 422 => {
            "it does not accept the request; check that the model exists and supports JSON schema answers"
        }
        // What is said about a key may quote parts of it.
        401 => return "status 401: check the API key".to_owned(),
        403 => "access is denied; check what the API key may use",
        404 => "nothing is there; check the base URL and the name of the model",
        413 => "the request is too large for it; check the model's context size",
        _ => "check the base URL and the provider's documentation",
    };
    let said = if complaint.message.is_empty() {
        String::new()
    } else {
        format!(" (it said: {})", complaint.message)
    };
    format!("status {}: {check}{said}", status.as_u16())
}
