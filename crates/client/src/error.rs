//! What can go wrong.

use std::collections::BTreeMap;
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
    /// The bucket of the service does not take a file: its status, if there was an address to put it to.
    #[error("the bucket did not take the file{}", .0.map_or_else(String::new, |status| format!(": HTTP {status}")))]
    NotTaken(Option<u16>),
    /// A download could not be written.
    #[error("could not write the download")]
    File(#[source] std::io::Error),
    /// The machine gave no randomness for an idempotency key.
    #[error("no randomness for an idempotency key")]
    Randomness(#[source] getrandom::Error),
}

/// What sort of refusal it is; what it is exactly says [`ErrorDetail::code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request is wrong, or what it names is not there.
    InvalidRequest,
    /// Another request came under the same idempotency key.
    Idempotency,
    /// The key does not open.
    Authentication,
    /// The key opens, and not this.
    Permission,
    /// What it acts on is in a state in which that cannot be done.
    Conflict,
    /// Too many requests.
    RateLimit,
    /// The service failed.
    Api,
}

impl ErrorKind {
    fn of(word: &str) -> Option<Self> {
        match word {
            "invalid_request_error" => Some(Self::InvalidRequest),
            "idempotency_error" => Some(Self::Idempotency),
            "authentication_error" => Some(Self::Authentication),
            "permission_error" => Some(Self::Permission),
            "conflict_error" => Some(Self::Conflict),
            "rate_limit_error" => Some(Self::RateLimit),
            "api_error" => Some(Self::Api),
            _ => None,
        }
    }

    /// The status that such a refusal mostly has.
    const fn status(self) -> u16 {
        match self {
            Self::InvalidRequest | Self::Idempotency => 400,
            Self::Authentication => 401,
            Self::Permission => 403,
            Self::Conflict => 409,
            Self::RateLimit => 429,
            Self::Api => 500,
        }
    }
}

impl ClientError {
    /// A refusal that came without a status of its own: in the middle of a stream, which was answered with 200.
    pub(crate) fn within_an_answer(detail: ErrorDetail) -> Self {
        let status = ErrorKind::of(&detail.kind).map_or(500, ErrorKind::status);
        Self::Api(Box::new(detail), status)
    }

    /// What sort of refusal it is, if the service refused and the sort is known to this client.
    pub fn kind(&self) -> Option<ErrorKind> {
        ErrorKind::of(&self.detail()?.kind)
    }

    /// What it is, such as `missing_field`, if the service refused.
    pub fn code(&self) -> Option<&str> {
        Some(&self.detail()?.code)
    }

    /// What is wrong with which field of the request (`rubric.criteria[0].name`), if the service said so.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.detail().map(|detail| &detail.fields);
        let fields = fields.into_iter().flat_map(BTreeMap::iter);
        fields.map(|(field, problem)| (field.as_str(), problem.as_str()))
    }

    /// The request, as the service's log names it.
    pub fn request_id(&self) -> Option<&str> {
        let id = &self.detail()?.request_id;
        (!id.is_empty()).then_some(id)
    }

    /// What the service said, if it answered.
    pub fn detail(&self) -> Option<&ErrorDetail> {
        match self {
            Self::Api(detail, _) => Some(detail),
            Self::Transport(_)
            | Self::Decode(_)
            | Self::Settings(_)
            | Self::Deadline(_)
            | Self::NotTaken(_)
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
            | Self::NotTaken(_)
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
            | Self::NotTaken(_)
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
