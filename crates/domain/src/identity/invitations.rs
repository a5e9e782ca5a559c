//! Invitations: a workspace may hold a record of anybody, but it becomes a place of theirs only when they say so.
//!
//! An invitation is a membership seen from the other side, by the person: it has the same bits in its id, and what it
//! adds is their consent.

use crate::identity::users::User;
use crate::identity::workspaces::Workspace;
use crate::ids::{InvitationId, UserId};
use crate::words::words;
use crate::{Id, Timestamp};

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

/// A membership, as the person sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Invitation {
    /// What they would be there.
    pub user: User,
    /// Where.
    pub workspace: Workspace,
    /// Who made the membership, if that was a member who is still there.
    pub invited_by: Option<User>,
}

impl Invitation {
    /// Its identifier.
    pub const fn id(&self) -> InvitationId {
        Id::from_uuid(self.user.id.uuid())
    }

    /// The membership that an invitation is to.
    pub const fn membership(id: InvitationId) -> UserId {
        Id::from_uuid(id.uuid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consent_is_read_back_from_its_word_and_moment_and_from_nothing_else() {
        let at = Timestamp::from_unix_millis(7);
        for consent in [
            Consent::Pending,
            Consent::Accepted(at),
            Consent::Declined(at),
        ] {
            let back = Consent::of(consent.status(), consent.at());
            assert_eq!(back, Some(consent));
        }
        assert_eq!(Consent::of(InvitationStatus::Pending, Some(at)), None);
        assert_eq!(Consent::of(InvitationStatus::Accepted, None), None);
    }
}
