//! The one error table: from what went wrong to status, type, code and text.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use lyceum_application::Error;
use lyceum_application::error::{
    AiError, Conflict, Forbidden, LastChange, PlatformProblem, Unauthenticated,
};
use lyceum_domain::Invalid;
use lyceum_domain::authoring::media_uploads::Misplaced;
use lyceum_domain::grading::red_team::RedTeamNeeded;
use lyceum_domain::identity::keys::DeadKey;
use lyceum_domain::text::with_article;

use crate::addresses::VERSION;

/// Why a request was not carried out: at the edge, or by the application.
#[derive(Debug)]
pub enum Failure {
    /// No such path; the nearest there is.
    UnknownRoute(Option<String>),
    /// The path has no such method; the ones it has.
    MethodNotAllowed(Vec<&'static str>),
    /// A body in another format than JSON.
    UnsupportedMediaType,
    /// The body is not a form, or compressed.
    NoForm,
    /// The body is not bytes of a file, or compressed.
    NoBytes,
    /// Another version of tus than ours.
    UnsupportedTusVersion,
    /// A larger body than the route takes.
    PayloadTooLarge,
    /// Not JSON.
    InvalidJson(String),
    /// JSON, but not an object.
    NotAnObject,
    /// Members that we do not know, under `Prefer: handling=strict`, and the nearest that we do.
    UnknownFields(Vec<(String, Option<String>)>),
    /// A query parameter that breaks its rules.
    InvalidParameter(String, String),
    /// A query parameter that we do not know, and the nearest that we do.
    UnknownParameter(String, Option<&'static str>),
    /// Something to expand that cannot be.
    InvalidExpand(String),
    /// Not an idempotency key.
    InvalidIdempotencyKey,
    /// More than the caller's quota.
    RateLimited {
        /// Whether it is the workspace's quota of AI.
        ai: bool,
        /// After how many seconds another request is taken.
        retry_after: u64,
    },
    /// It took too long.
    Timeout,
    /// Its body took too long to arrive.
    SlowBody,
    /// More requests at once than are worked on.
    Overloaded,
    /// A handler broke.
    Panicked,
    /// The application said no.
    App(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::App(error)
    }
}

impl From<Invalid> for Failure {
    fn from(invalid: Invalid) -> Self {
        Self::App(invalid.into())
    }
}

/// One row of the table, filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorRow {
    /// HTTP status.
    pub status: StatusCode,
    /// The category.
    pub kind: &'static str,
    /// The specific code.
    pub code: &'static str,
    /// For a person.
    pub message: String,
    /// What is wrong with which field.
    pub fields: BTreeMap<String, String>,
    /// Who was faster, where that is why.
    pub last: Option<LastChange>,
}

/// How many unknown members an error names: an answer does not grow with what was wrong.
pub const MOST_NAMED: usize = 100;

const REQUEST: &str = "invalid_request_error";
const AUTHENTICATION: &str = "authentication_error";
const PERMISSION: &str = "permission_error";
const CONFLICT: &str = "conflict_error";

fn row(
    status: StatusCode,
    kind: &'static str,
    code: &'static str,
    message: impl Into<String>,
) -> ErrorRow {
    ErrorRow {
        status,
        kind,
        code,
        message: message.into(),
        fields: BTreeMap::new(),
        last: None,
    }
}

fn bad(code: &'static str, message: impl Into<String>) -> ErrorRow {
    row(StatusCode::BAD_REQUEST, REQUEST, code, message)
}

impl ErrorRow {
    fn with(mut self, field: impl Into<String>, problem: impl Into<String>) -> Self {
        self.fields.insert(field.into(), problem.into());
        self
    }
}

impl Failure {
    /// The row of the table.
    pub fn row(&self) -> ErrorRow {
        match self {
            Self::UnknownRoute(near) => row(
                StatusCode::NOT_FOUND,
                REQUEST,
                "unknown_route",
                format!("There is nothing at this path.{}", meant(near.as_deref())),
            ),
            Self::MethodNotAllowed(methods) => row(
                StatusCode::METHOD_NOT_ALLOWED,
                REQUEST,
                "method_not_allowed",
                format!("This path takes {}.", methods.join(", ")),
            ),
            Self::UnsupportedMediaType => row(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                REQUEST,
                "unsupported_media_type",
                "The body must be application/json in UTF-8.",
            ),
            Self::NoForm => row(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                REQUEST,
                "unsupported_media_type",
                "The body must be multipart/form-data, with the file in the part \"file\".",
            ),
            Self::NoBytes => row(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                REQUEST,
                "unsupported_media_type",
                "The body must be application/offset+octet-stream, from the byte on that Upload-Offset names.",
            ),
            Self::UnsupportedTusVersion => row(
                StatusCode::PRECONDITION_FAILED,
                REQUEST,
                "unsupported_tus_version",
                "Uploads in pieces speak tus 1.0.0.",
            ),
            Self::PayloadTooLarge => row(
                StatusCode::PAYLOAD_TOO_LARGE,
                REQUEST,
                "payload_too_large",
                "The body is larger than this path takes.",
            ),
            Self::InvalidJson(problem) => bad(
                "invalid_json",
                format!("The body is not valid JSON: {problem}."),
            ),
            Self::NotAnObject => bad("invalid_body", "The body must be a JSON object."),
            Self::UnknownFields(names) => names.iter().take(MOST_NAMED).fold(
                bad("unknown_field", "The body has members that are not known."),
                |row, (name, near)| row.with(name, not_known(near.as_deref())),
            ),
            Self::InvalidParameter(name, problem) => bad(
                "invalid_parameter",
                format!("The parameter {name} {problem}."),
            )
            .with(name, problem),
            Self::UnknownParameter(name, near) => bad(
                "unknown_parameter",
                format!("There is no parameter {name} here.{}", meant(*near)),
            )
            .with(name, not_known(*near)),
            Self::InvalidExpand(path) => {
                bad("invalid_expand", format!("{path} cannot be expanded here."))
                    .with("expand", format!("{path} cannot be expanded here"))
            }
            Self::InvalidIdempotencyKey => bad(
                "invalid_idempotency_key",
                "An idempotency key is 1 to 255 visible ASCII characters, the same in header and options.",
            ),
            Self::RateLimited { ai, retry_after } => row(
                StatusCode::TOO_MANY_REQUESTS,
                "rate_limit_error",
                if *ai {
                    "ai_rate_limited"
                } else {
                    "rate_limited"
                },
                format!("Too many requests. Retry in {retry_after} s."),
            ),
            Self::Timeout => row(
                StatusCode::SERVICE_UNAVAILABLE,
                "api_error",
                "timeout",
                "The request took too long. Retry it with the same idempotency key.",
            ),
            Self::SlowBody => row(
                StatusCode::SERVICE_UNAVAILABLE,
                "api_error",
                "timeout",
                "The body took too long to arrive. Nothing has happened.",
            ),
            Self::Overloaded => row(
                StatusCode::SERVICE_UNAVAILABLE,
                "api_error",
                "unavailable",
                "The service is busy right now. Retry in a moment.",
            ),
            Self::Panicked => internal(),
            Self::App(error) => application(error),
        }
    }
}

/// A second sentence, for whoever probably meant something else.
fn meant(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!(" Did you mean {near}?"))
}

fn not_known(near: Option<&str>) -> String {
    near.map_or_else(
        || "is not known".to_owned(),
        |near| format!("is not known; did you mean {near}?"),
    )
}

fn internal() -> ErrorRow {
    row(
        StatusCode::INTERNAL_SERVER_ERROR,
        "api_error",
        "internal_error",
        "Something went wrong on our side.",
    )
}

fn application(error: &Error) -> ErrorRow {
    match error {
        Error::Invalid(problems) => invalid(problems),
        Error::Unauthenticated(problem) => unauthenticated(problem),
        Error::Platform(problem) => platform(problem),
        Error::Forbidden(problem) => forbidden(problem),
        Error::NotFound(object) => row(
            StatusCode::NOT_FOUND,
            REQUEST,
            "resource_missing",
            format!("There is no such {object}."),
        ),
        Error::Reference { field, object } => row(
            StatusCode::NOT_FOUND,
            REQUEST,
            "resource_missing",
            format!("There is no such {object}."),
        )
        .with(
            *field,
            format!("names {} that does not exist", with_article(object)),
        ),
        Error::Conflict(problem) => conflict(problem),
        Error::PreconditionFailed => row(
            StatusCode::PRECONDITION_FAILED,
            REQUEST,
            "precondition_failed",
            "It has changed since you read it. Read it again.",
        ),
        Error::Overtaken { refused, last } => ErrorRow {
            last: Some(LastChange::clone(last)),
            ..application(refused)
        },
        Error::TooLargeToExpand { name, narrower } => bad(
            "too_large_to_expand",
            format!(
                "Expanding {name} would add more than 2 MiB to this answer. Ask for fewer at once, or for what you need \
                 by GET {VERSION}/{narrower}."
            ),
        )
        .with("expand", format!("{name} is too large here; see GET {VERSION}/{narrower}")),
        Error::IdempotencyKeyReused => row(
            StatusCode::BAD_REQUEST,
            "idempotency_error",
            "idempotency_key_reused",
            "This idempotency key was used for another request.",
        ),
        Error::InvalidCursor => bad("invalid_cursor", "The cursor is not one of this list.")
            .with("startingAfter", "is not a cursor of this list"),
        Error::Ai(problem) => row(
            StatusCode::BAD_GATEWAY,
            "api_error",
            "ai_provider_error",
            provider(problem),
        ),
        Error::IdentityProvider(_) => row(
            StatusCode::BAD_GATEWAY,
            "api_error",
            "identity_provider_error",
            "Your organisation's sign-in does not answer as it should. Try again in a moment, or tell whoever runs it.",
        ),
        Error::Unavailable(_) => row(
            StatusCode::SERVICE_UNAVAILABLE,
            "api_error",
            "unavailable",
            "The service is not available right now. Retry in a moment.",
        ),
        Error::DiskFull => row(
            StatusCode::SERVICE_UNAVAILABLE,
            "api_error",
            "unavailable",
            "The disk of the service is almost full: nothing new is taken until there is room. Reading works.",
        ),
        Error::OutcomeUnknown(_) => row(
            StatusCode::SERVICE_UNAVAILABLE,
            "api_error",
            "unavailable",
            "Whether the change was kept is not known. Retry with the same idempotency key, or look.",
        ),
        Error::Internal(_) => internal(),
    }
}

/// What the provider itself says is for the operator.
const fn provider(problem: &AiError) -> &'static str {
    match problem {
        AiError::Unavailable { .. } | AiError::LeftAlone { .. } => {
            "The AI provider did not answer. Retry in a moment."
        }
        AiError::Refused(_) => "The AI provider refused to answer this.",
        AiError::InvalidOutput(_) => {
            "The AI provider's answer could not be used. Retry in a moment."
        }
        AiError::InputTooThin(_) => "There is too little to make it of.",
        AiError::BudgetExceeded(_) => "The AI budget does not allow it.",
    }
}

/// Several problems are all listed; a missing required field decides the code.
fn invalid(problems: &[Invalid]) -> ErrorRow {
    let missing = problems.iter().find(|problem| problem.missing);
    let code = if missing.is_some() {
        "missing_field"
    } else {
        "invalid_field"
    };
    let message = match (missing, problems) {
        (Some(missing), _) => format!("The field {} is required.", missing.field),
        (None, [only]) => format!("The field {} {}.", only.field, only.problem),
        (None, _) => "Several fields are not valid.".to_owned(),
    };
    problems.iter().fold(bad(code, message), |row, problem| {
        row.with(&problem.field, &problem.problem)
    })
}

fn unauthenticated(problem: &Unauthenticated) -> ErrorRow {
    let (code, message) = match problem {
        Unauthenticated::MissingKey => (
            "missing_api_key",
            "Send your API key in the header x-api-key.",
        ),
        Unauthenticated::KeyElsewhere => (
            "missing_api_key",
            "Send your API key in the header x-api-key; the header Authorization is not read.",
        ),
        Unauthenticated::InvalidKey => ("invalid_api_key", "The API key is not valid."),
        Unauthenticated::LegacyKey => (
            "legacy_key_format",
            "The long form of the key is no longer accepted. Send the five-segment key in x-api-key \
             and the platform in X-Learning-Platform-Uuid.",
        ),
        Unauthenticated::Dead(DeadKey::Revoked) => {
            ("api_key_revoked", "The API key has been revoked.")
        }
        Unauthenticated::Dead(DeadKey::Expired) => ("api_key_expired", "The API key has expired."),
        Unauthenticated::InvalidToken => (
            "invalid_token",
            "The token is not valid, was used, or has expired.",
        ),
        Unauthenticated::AnotherBrowser => (
            "another_browser",
            "Open the link in the browser that you asked for it with, or ask for another here.",
        ),
        Unauthenticated::InvalidPasskey => (
            "invalid_passkey",
            "The answer is of no passkey that is known here, came too late, or from another browser than asked.",
        ),
        Unauthenticated::SignInFirst => (
            "sign_in_first",
            "Whoever is invited is known here already: sign in, and accept the invitation then.",
        ),
        Unauthenticated::CrossSite => (
            "cross_site_session",
            "A session counts for pages of this service alone.",
        ),
        Unauthenticated::Insecure => (
            "insecure_sign_in",
            "People sign in by https, or on the machine itself. Whoever runs this service sets LYCEUM_PUBLIC_URL to an address with https.",
        ),
    };
    row(StatusCode::UNAUTHORIZED, AUTHENTICATION, code, message)
}

fn platform(problem: &PlatformProblem) -> ErrorRow {
    match problem {
        PlatformProblem::Missing => bad(
            "missing_platform",
            "Choose a platform with the header X-Learning-Platform-Code or X-Learning-Platform-Uuid.",
        ),
        PlatformProblem::MalformedCode => bad(
            "invalid_platform_code",
            "X-Learning-Platform-Code is not a platform code.",
        ),
        PlatformProblem::MalformedUuid => bad(
            "invalid_platform_uuid",
            "X-Learning-Platform-Uuid is not 24 hexadecimal digits.",
        ),
        PlatformProblem::Mismatch => bad(
            "platform_mismatch",
            "The two platform headers do not name the same platform.",
        ),
        PlatformProblem::Denied => row(
            StatusCode::FORBIDDEN,
            PERMISSION,
            "platform_access_denied",
            "You do not belong to this platform.",
        ),
    }
}

fn forbidden(problem: &Forbidden) -> ErrorRow {
    let refused = |code, message: &str| row(StatusCode::FORBIDDEN, PERMISSION, code, message);
    match problem {
        Forbidden::Scope(scope) => refused(
            "insufficient_scope",
            &format!("The key needs the scope {scope}."),
        )
        .with("scope", scope.as_str()),
        Forbidden::Role => refused("insufficient_role", "Your role here does not allow this."),
        Forbidden::Escalation => refused(
            "scope_escalation",
            "A key can only grant scopes that it has itself.",
        )
        .with(
            "scopes",
            "must be covered by the scopes of the key that is used",
        ),
        Forbidden::Bound => refused(
            "key_bound_to_platform",
            "This key opens one platform alone, and this reaches beyond it.",
        ),
        Forbidden::Address => refused(
            "address_not_allowed",
            "This key may not be used from your address.",
        ),
        Forbidden::Link => refused(
            "link_expired",
            "This address has expired or is not complete. Ask for the object again: it shows a fresh one.",
        ),
        Forbidden::NotOwn => refused("not_own_resource", "It belongs to somebody else."),
        Forbidden::SignInAgain => refused(
            "recent_sign_in_required",
            "Sign in again first: this takes somebody who signed in within the last ten minutes.",
        ),
    }
}

fn conflict(problem: &Conflict) -> ErrorRow {
    let code = match problem {
        Conflict::Transition(_) => "invalid_state_transition",
        Conflict::Taken(_) => "already_exists",
        Conflict::CourseInUse => "course_in_use",
        Conflict::InUse { .. } => "in_use",
        Conflict::NotAccepted => "member_not_accepted",
        Conflict::ServiceAccount => "service_account",
        Conflict::GenerationInProgress => "generation_in_progress",
        Conflict::LimitReached(_) | Conflict::Misplaced(Misplaced::TooManyPieces) => {
            "limit_reached"
        }
        Conflict::NotGraded => "not_graded",
        Conflict::TooFewAnswers(_) => "too_few_answers",
        Conflict::RedTeamNeeded(_) => "red_team_needed",
        Conflict::AiBudgetExceeded { .. } => "ai_budget_exceeded",
        Conflict::NotEditable(_) => "not_editable",
        Conflict::QuotaExceeded { .. } => "quota_exceeded",
        Conflict::NotRestorable(_) => "not_restorable",
        Conflict::WorkInTrash(_) => "work_in_trash",
        Conflict::MediaInUse(_) => "media_in_use",
        Conflict::ChangedMeanwhile(_) => "changed_meanwhile",
        Conflict::Misplaced(Misplaced::Elsewhere(_)) => "upload_offset_mismatch",
        Conflict::Misplaced(Misplaced::Direct) => "upload_is_direct",
        Conflict::DirectUploadsOff => "direct_uploads_off",
        Conflict::UploadIncomplete { .. } => "upload_incomplete",
    };
    let answer = row(
        StatusCode::CONFLICT,
        CONFLICT,
        code,
        sentence(&problem.to_string()),
    );
    if let Conflict::NotRestorable(fields)
    | Conflict::WorkInTrash(fields)
    | Conflict::ChangedMeanwhile(fields)
    | Conflict::MediaInUse(fields) = problem
    {
        let each = fields.iter();
        return each.fold(answer, |row, (field, problem)| row.with(field, problem));
    }
    if let Conflict::Taken(field) = problem {
        return answer.with(*field, "is already taken");
    }
    if let Conflict::QuotaExceeded { quota, used, limit } = problem {
        return answer
            .with("quota", quota.as_str())
            .with("used_bytes", used.to_string())
            .with("limit_bytes", limit.to_string());
    }
    if let Conflict::UploadIncomplete { declared, there } = problem {
        let answer = answer.with("size_bytes", declared.to_string());
        return there.iter().fold(answer, |row, there| {
            row.with("there_bytes", there.to_string())
        });
    }
    if let Conflict::TooFewAnswers(few) = problem {
        let answer = answer.with("at_hand", few.at_hand.to_string());
        let needed = few.needed.iter();
        return needed.fold(answer, |row, needed| row.with("needed", needed.to_string()));
    }
    if let Conflict::RedTeamNeeded(RedTeamNeeded::AskForMore { passes_from, .. }) = problem {
        let least = format!("must be at least {passes_from} for the red team's report to pass");
        return answer.with("release.min_confidence", least);
    }
    if let Conflict::InUse { uses, .. } = problem {
        let told = uses.told().into_iter();
        return told.fold(answer, |row, (kind, count)| row.with(kind, count));
    }
    if let Conflict::AiBudgetExceeded { tokens, until } = problem {
        let part = if *tokens { "tokens" } else { "usd" };
        let problem = format!("is used up until {until}");
        return answer.with(format!("ai.monthly_budget.{part}"), problem);
    }
    answer
}

/// An error's text, which starts small and has no period, as a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        format!("{}{}.", first.to_uppercase(), letters.as_str())
    })
}

/// How an error is written to the log: the whole chain of causes; `None` when it is the caller's own doing.
pub fn cause(failure: &Failure) -> Option<String> {
    if matches!(failure, Failure::Panicked) {
        return Some("a handler panicked".to_owned());
    }
    if let Failure::App(Error::IdentityProvider(problem)) = failure {
        return Some(problem.to_string());
    }
    if let Failure::App(Error::Ai(problem)) = failure {
        return Some(problem.to_string());
    }
    let Failure::App(
        Error::Internal(source) | Error::Unavailable(source) | Error::OutcomeUnknown(source),
    ) = failure
    else {
        return None;
    };
    let mut text = source.to_string();
    let mut next = source.source();
    while let Some(error) = next {
        text.push_str(": ");
        text.push_str(&error.to_string());
        next = error.source();
    }
    Some(text)
}
