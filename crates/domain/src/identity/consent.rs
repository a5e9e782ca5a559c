//! What a person says to belonging to a workspace.

use crate::Timestamp;
use crate::words::words;

words!(
    /// What a person said to an invitation.
    InvitationStatus {
        /// Nothing yet.
        Pending = "pending",
        /// Their own keys open the workspace.
        Accepted = "accepted",
        /// They do not, or do not any more, belong to it.
        Declined = "declined",
    }
);

/// What a person said to their membership, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Nothing yet: the workspace holds a record of them, and their own keys do not open it.
    Pending,
    /// Yes.
    Accepted(Timestamp),
    /// No, or not any more.
    Declined(Timestamp),
}

impl Consent {
    /// In a word.
    pub const fn status(self) -> InvitationStatus {
        match self {
            Self::Pending => InvitationStatus::Pending,
            Self::Accepted(_) => InvitationStatus::Accepted,
            Self::Declined(_) => InvitationStatus::Declined,
        }
    }

    /// When they said it.
    pub const fn at(self) -> Option<Timestamp> {
        match self {
            Self::Pending => None,
            Self::Accepted(at) | Self::Declined(at) => Some(at),
        }
    }

    /// From its word and its moment; `None` where the two do not belong together.
    pub const fn of(status: InvitationStatus, at: Option<Timestamp>) -> Option<Self> {
        match (status, at) {
            (InvitationStatus::Pending, None) => Some(Self::Pending),
            (InvitationStatus::Accepted, Some(at)) => Some(Self::Accepted(at)),
            (InvitationStatus::Declined, Some(at)) => Some(Self::Declined(at)),
            _ => None,
        }
    }
}
