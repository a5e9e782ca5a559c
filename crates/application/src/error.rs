//! The one error of the application: a variant per distinction that a caller can act on.

use std::fmt;

use lyceum_domain::authoring::media_uploads::Misplaced;
use lyceum_domain::grading::certificates::declaration::TooFewAtHand;
use lyceum_domain::grading::red_team::RedTeamNeeded;
use lyceum_domain::identity::keys::DeadKey;
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::identity::sso_connections::faults::SsoProblem;
use lyceum_domain::running::in_use::Uses;
use lyceum_domain::text::with_article;
use lyceum_domain::transition::InvalidTransition;
use lyceum_domain::{Invalid, Timestamp};
use lyceum_ports::blobs::BlobError;
pub use lyceum_ports::drafting::ai::AiError;
use lyceum_ports::store::StoreError;
use lyceum_wire::identity::actors::ActorView;
use thiserror::Error;

/// Why the caller is not who they say they are.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unauthenticated {
    /// No key was sent.
    #[error("no API key was sent")]
    MissingKey,
    /// No key was sent where it is read, and something where others read keys.
    #[error("no API key was sent in x-api-key")]
    KeyElsewhere,
    /// Not a key, or not one of ours.
    #[error("the API key is not valid")]
    InvalidKey,
    /// Key and platform in one string.
    #[error("the long form of the key is not accepted")]
    LegacyKey,
    /// A key that no longer opens anything.
    #[error(transparent)]
    Dead(#[from] DeadKey),
    /// A one-time token that was used, expired, or never was.
    #[error("the token is not valid")]
    InvalidToken,
    /// A link that lets in another browser than the one that it is opened in.
    #[error("the link was asked for in another browser")]
    AnotherBrowser,
    /// An answer of a device that proves nothing.
    #[error("the answer proves no passkey of ours")]
    InvalidPasskey,
    /// An invitation of somebody who is known elsewhere too: it lets nobody in as them.
    #[error("the invited have to sign in by a way of their own")]
    SignInFirst,
    /// A page of somebody else's sent a person's session along.
    #[error("the session was sent from elsewhere")]
    CrossSite,
    /// Whatever a browser holds could be read on the way.
    #[error("people sign in by https, or on the machine itself")]
    Insecure,
}

/// Why no platform was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlatformProblem {
    /// Neither header was sent.
    #[error("no platform was chosen")]
    Missing,
    /// The code is not of the form of one.
    #[error("the platform code is malformed")]
    MalformedCode,
    /// The uuid is not of the form of one.
    #[error("the platform uuid is malformed")]
    MalformedUuid,
    /// The two name different platforms.
    #[error("the two platform headers do not name the same platform")]
    Mismatch,
    /// There is no such platform, or the caller does not belong to it: the same to them.
    #[error("the platform is not one of the caller's")]
    Denied,
}

/// Why a caller who is known may not do it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Forbidden {
    /// The key lacks a scope.
    #[error("the key lacks the scope {0}")]
    Scope(Scope),
    /// The caller's role is not enough.
    #[error("the caller's role does not allow this")]
    Role,
    /// A key would give away more than it has.
    #[error("a key can only grant scopes that it has itself")]
    Escalation,
    /// The key opens one platform alone, and this reaches beyond it.
    #[error("the key opens one platform alone, and this reaches beyond it")]
    Bound,
    /// The key may not be used from where the caller is.
    #[error("the key may not be used from this address")]
    Address,
    /// A signed address that has ended, or that is not whole.
    #[error("the signed address has ended or is not whole")]
    Link,
    /// It belongs to another learner.
    #[error("it belongs to somebody else")]
    NotOwn,
    /// Whoever sits before the browser is to say once more who they are.
    #[error("the person signed in too long ago for this")]
    SignInAgain,
}

/// Why it cannot be done now.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Conflict {
    /// The state machine has no such move.
    #[error(transparent)]
    Transition(#[from] InvalidTransition),
    /// Something with the same unique value is there.
    #[error("{0} is already taken")]
    Taken(&'static str),
    /// The course has a cohort that is running.
    #[error("the course has an active cohort; end it first, or send force=true")]
    CourseInUse,
    /// Learners have used it, or something below it.
    #[error(
        "the {object} is in use by learners: {uses}; force=true goes on all the same{}",
        uses.right_to_destroy().map_or_else(String::new, |right| format!(", with a key that has {right}"))
    )]
    InUse {
        /// The kind of thing.
        object: &'static str,
        /// What they did.
        uses: Uses,
    },
    /// Somebody is to act in the name of a member who has not accepted.
    #[error("the member has not accepted yet; nobody acts as them before they do")]
    NotAccepted,
    /// What only people do was asked of a program's account.
    #[error("only people do this, and this is a service account")]
    ServiceAccount,
    /// A generation of the same thing is under way.
    #[error("a generation is already under way")]
    GenerationInProgress,
    /// No more of it fits.
    #[error("{0}")]
    LimitReached(String),
    /// There is no grade yet.
    #[error("the submission has no grade yet")]
    NotGraded,
    /// Too few answers wait for a certificate to be tried for.
    #[error("{}", too_few(.0))]
    TooFewAnswers(TooFewAtHand),
    /// Attacks on the grader would go out, or nobody has attacked it.
    #[error("{0}")]
    RedTeamNeeded(RedTeamNeeded),
    /// The workspace's AI budget of this month is used up.
    #[error("the AI budget of this month is used up until {until}")]
    AiBudgetExceeded {
        /// Whether it is that of tokens; else it is that of money.
        tokens: bool,
        /// When the next month begins.
        until: Timestamp,
    },
    /// It cannot come back from the trash: what each field says is in the way.
    #[error("it cannot come back as things are")]
    NotRestorable(Vec<(String, String)>),
    /// Other items of the trash hang on it.
    #[error("other things in the trash have work of this member")]
    WorkInTrash(Vec<(String, String)>),
    /// Somebody has changed meanwhile what is to change: each thing by its id, with what is to be done about it.
    #[error("somebody else was faster: look at it again, or say that it is to be so all the same")]
    ChangedMeanwhile(Vec<(String, String)>),
    /// Texts refer to it: each by its id, with what it is.
    #[error("texts refer to it; take it out of them first")]
    MediaInUse(Vec<(String, String)>),
    /// The service has nobody put files into its bucket.
    #[error(
        "this service takes no files straight into its bucket; send the file whole or in pieces"
    )]
    DirectUploadsOff,
    /// What was put where an upload was to come is not there, or not as long as was said.
    #[error("{}", incomplete(*.declared, *.there))]
    UploadIncomplete {
        /// How many bytes were to come.
        declared: u64,
        /// How many are there, if any file is.
        there: Option<u64>,
    },
    /// Bytes of an upload came for another place than the next.
    #[error(transparent)]
    Misplaced(Misplaced),
    /// It can no longer be edited.
    #[error("{0}")]
    NotEditable(String),
    /// There is no room left for it among what somebody may keep.
    #[error("{quota}: {used} of {limit} bytes are used")]
    QuotaExceeded {
        /// Whose room.
        quota: Quota,
        /// Bytes that are used.
        used: u64,
        /// Bytes that there may be.
        limit: u64,
    },
}

fn too_few(TooFewAtHand { at_hand, needed }: &TooFewAtHand) -> String {
    let needed = needed.map_or_else(
        || "no number of them is enough for such a promise".to_owned(),
        |needed| format!("at least {needed} are needed for such a promise"),
    );
    format!("{at_hand} answers wait, and {needed}")
}

fn incomplete(declared: u64, there: Option<u64>) -> String {
    there.map_or_else(
        || format!("{declared} bytes were to come, and no file is there yet"),
        |there| format!("{declared} bytes were to come, and {there} are there"),
    )
}

/// Whose room something takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quota {
    /// Of the works and answers of one learner.
    Learner,
    /// Of all that a workspace keeps.
    Workspace,
    /// Of the files of a workspace's media library.
    Media,
}

impl Quota {
    /// In a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Learner => "learner",
            Self::Workspace => "workspace",
            Self::Media => "media",
        }
    }
}

impl fmt::Display for Quota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Learner => "the learner has no room for it",
            Self::Workspace => "the workspace has no room for it",
            Self::Media => "the media library has no room for it",
        })
    }
}

/// Who changed something last, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastChange {
    /// Who.
    pub actor: ActorView,
    /// When.
    pub at: Timestamp,
}

/// Why a use case failed.
#[derive(Debug, Error)]
pub enum Error {
    /// Fields that break rules.
    #[error("the request is not valid")]
    Invalid(Vec<Invalid>),
    /// The caller is not known.
    #[error(transparent)]
    Unauthenticated(#[from] Unauthenticated),
    /// No platform was chosen, or not one of the caller's.
    #[error(transparent)]
    Platform(#[from] PlatformProblem),
    /// The caller may not.
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    /// There is no such thing in this workspace.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// A field names something that is not in this workspace.
    #[error("{field} names {} that does not exist", with_article(object))]
    Reference {
        /// The field.
        field: &'static str,
        /// The kind of thing.
        object: &'static str,
    },
    /// Not now.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// The condition of the request does not hold.
    #[error("it is not in the state that the request expects")]
    PreconditionFailed,
    /// It was refused because somebody changed it before.
    #[error("{refused}")]
    Overtaken {
        /// Why.
        refused: Box<Self>,
        /// Who changed it last.
        last: Box<LastChange>,
    },
    /// What is to be put into an answer is more than it holds.
    #[error("expanding {name} would make the answer too large")]
    TooLargeToExpand {
        /// What is to be expanded.
        name: &'static str,
        /// The path below the version of the API by which less of it is asked for.
        narrower: String,
    },
    /// The idempotency key was used for another request.
    #[error("the idempotency key was used for another request")]
    IdempotencyKeyReused,
    /// The cursor is not one of this list.
    #[error("the cursor is not one of this list")]
    InvalidCursor,
    /// The AI provider gave no answer that can be used.
    #[error(transparent)]
    Ai(#[from] AiError),
    /// An identity provider does not answer as it must.
    #[error("{0}")]
    IdentityProvider(SsoProblem),
    /// Storage cannot be reached now.
    #[error("the service is not available")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// There is no room left to keep anything more.
    #[error("the disk is almost full")]
    DiskFull,
    /// The connection to storage was lost while the change was being kept: it may have been, or not.
    #[error("whether the change was kept is not known")]
    OutcomeUnknown(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Something that must not happen.
    #[error("something went wrong")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<SsoProblem> for Error {
    fn from(problem: SsoProblem) -> Self {
        Self::IdentityProvider(problem)
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(vec![invalid])
    }
}

impl From<Vec<Invalid>> for Error {
    fn from(problems: Vec<Invalid>) -> Self {
        Self::Invalid(problems)
    }
}

impl From<InvalidTransition> for Error {
    fn from(transition: InvalidTransition) -> Self {
        Self::Conflict(Conflict::Transition(transition))
    }
}

impl From<BlobError> for Error {
    fn from(error: BlobError) -> Self {
        match error {
            BlobError::InvalidKey => Self::Internal(error.into()),
            BlobError::NotFound | BlobError::Damaged | BlobError::Storage(_) => {
                Self::Unavailable(error.into())
            }
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Taken { field } => Self::Conflict(Conflict::Taken(field)),
            // Storage runs again whatever lost a race, for as long as anybody waits for it. What is left of that is
            // nothing that a caller could mend, and so is a reference that dangles: use cases look up what they name.
            // Whoever lets callers in begins anew with what is outdated.
            StoreError::Stale | StoreError::Dangling | StoreError::Outdated => {
                Self::Unavailable(Box::new(error))
            }
            StoreError::Unavailable(source) => Self::Unavailable(source),
            StoreError::DiskFull => Self::DiskFull,
            StoreError::Unknown(source) => Self::OutcomeUnknown(source),
            StoreError::Failed(source) => Self::Internal(source),
        }
    }
}
