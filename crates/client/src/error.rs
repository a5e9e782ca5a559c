//! What can go wrong.

use std::fmt;
use std::time::Duration;

use lyceum_wire::errors::ErrorDetail;
use thiserror::Error;

/// Why a request did not do what it should.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The service refused, with what it said and the HTTP status.
    #[error("{}", Refusal(.0, *.1))]
    Api(Box<ErrorDetail>, u16),
    /// No answer came, or not a whole one.
    #[error("the service could not be reached")]
    Transport(#[source] reqwest::Error),
    /// The answer is not what was expected, or the request cannot be written as JSON.
    #[error("not the JSON that was expected")]
    Decode(#[source] serde_json::Error),
    /// The client cannot be set up like this.
    #[error("the client cannot be set up: {0}")]
    Settings(String),
    /// What was waited for did not happen in time.
    #[error("still waiting after {} s", .0.as_secs())]
    Deadline(Duration),
    /// A download could not be written.
    #[error("could not write the download")]
    File(#[source] std::io::Error),
    /// The machine gave no randomness for an idempotency key.
    #[error("no randomness for an idempotency key")]
    Randomness(#[source] getrandom::Error),
}

impl ClientError {
    /// What the service said, if it answered.
    pub fn detail(&self) -> Option<&ErrorDetail> {
        match self {
            Self::Api(detail, _) => Some(detail),
            Self::Transport(_)
            | Self::Decode(_)
            | Self::Settings(_)
            | Self::Deadline(_)
            | Self::File(_)
            | Self::Randomness(_) => None,
        }
    }

    /// The HTTP status, if the service refused.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Api(_, status) => Some(*status),
            Self::Transport(_)
            | Self::Decode(_)
            | Self::Settings(_)
            | Self::Deadline(_)
            | Self::File(_)
            | Self::Randomness(_) => None,
        }
    }

    /// Whether the same request may well succeed later.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Api(_, status) => *status == 429 || *status >= 500,
            Self::Transport(error) => !(error.is_builder() || error.is_redirect()),
            Self::Decode(_)
            | Self::Settings(_)
            | Self::Deadline(_)
            | Self::File(_)
            | Self::Randomness(_) => false,
        }
    }
}

/// Everything that whoever reads the error needs, in one line.
struct Refusal<'a>(&'a ErrorDetail, u16);

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(detail, status) = self;
        write!(f, "{} ({status} {}", detail.message, detail.code)?;
        for (field, problem) in &detail.fields {
            write!(f, "; {field}: {problem}")?;
        }
        if !detail.request_id.is_empty() {
            write!(f, "; request {}", detail.request_id)?;
        }
        f.write_str(")")
    }
}
