//! Passkeys: where they are kept, and who speaks with the devices that hold them.

use lyceum_domain::Timestamp;
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::passkeys::{Ceremony, Passkey};
use lyceum_domain::ids::{PasskeyId, PersonId, UserId, WorkspaceId};
use serde_json::{Map, Value};
use thiserror::Error;
use uuid::Uuid;

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Where passkeys are kept, and what devices were asked.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait PasskeyRepository {
    /// Adds a new one; [`StoreError::Failed`] where somebody has it.
    fn insert(&mut self, passkey: &Passkey) -> Result<(), StoreError>;
    /// The one with this id.
    fn find(&mut self, id: PasskeyId) -> Result<Option<Passkey>, StoreError>;
    /// The one that devices have under this name.
    fn with_credential(&mut self, credential: &str) -> Result<Option<Passkey>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, passkey: &Passkey) -> Result<(), StoreError>;
    /// Removes it; whether it was there.
    fn delete(&mut self, id: PasskeyId) -> Result<bool, StoreError>;
    /// A page of the person's, newest first: of those that open this workspace alone, or of all.
    fn page(
        &mut self,
        person: PersonId,
        only_of: Option<WorkspaceId>,
        page: &PageRequest,
    ) -> Result<Page<Passkey>, StoreError>;
    /// Removes those that sign in as this member and no more.
    fn delete_of_member(
        &mut self,
        workspace: WorkspaceId,
        member: UserId,
    ) -> Result<(), StoreError>;
    /// Notes what a device was asked; of a person who is to have a new one only what they asked last.
    fn ask(&mut self, ceremony: &Ceremony) -> Result<(), StoreError>;
    /// Takes what was asked out, if it still waits: of any number of calls exactly one gets it.
    fn answered(
        &mut self,
        hash: &SecretHash,
        now: Timestamp,
    ) -> Result<Option<Ceremony>, StoreError>;
    /// Removes up to `limit` of what was asked and not answered before `oldest`; how many those were.
    fn forget_unanswered(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError>;
}

/// A device is to be asked: what the browser passes on to it, and what has to be known when it answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// For `navigator.credentials`, in the JSON form of the standard.
    pub options: Map<String, Value>,
    /// What the device is to sign.
    pub challenge: String,
    /// What has to be known to judge the answer.
    pub state: String,
}

/// What a device made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Under which name the device has it.
    pub credential_id: String,
    /// What is kept of it.
    pub credential: String,
}

/// What an answer says of itself, before anything of it is proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What it answers to.
    pub challenge: String,
    /// By which passkey.
    pub credential_id: String,
    /// As whom the device knows its holder; of one that was just made nobody says.
    pub handle: Option<Uuid>,
}

/// An answer that proves nothing: why, for the log and nobody else.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotProved(pub String);

/// Speaks the protocol of passkeys for one address at which the service is reached.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait PasskeyProtocol: Send + Sync {
    /// Has a device make a passkey for somebody of this address, as whom it is to know them, unless it holds one of these.
    fn ask_for_new(
        &self,
        handle: Uuid,
        address: &str,
        held: &[Passkey],
    ) -> Result<Asked, NotProved>;
    /// Has a device sign in whomever it holds a passkey of.
    fn ask_for_any(&self) -> Result<Asked, NotProved>;
    /// What an answer says of itself.
    fn claim(&self, answer: &Value) -> Result<Claim, NotProved>;
    /// What a device made, if the answer proves it: the right challenge and address, with the person there and verified.
    fn made(&self, state: &str, answer: &Value) -> Result<Made, NotProved>;
    /// Whether an answer is of this passkey, in the same sense; what is kept of it from now on.
    fn proved(&self, state: &str, answer: &Value, passkey: &Passkey) -> Result<String, NotProved>;
}
