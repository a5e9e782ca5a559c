//! Invitations: a workspace may hold a record of anybody, but it becomes a place of theirs only when they say so.
//!
//! An invitation is a membership seen from the other side, by the person: it has the same bits in its id, and what it
//! adds is their consent.

use crate::Id;
pub use crate::identity::consent::{Consent, InvitationStatus};
use crate::identity::users::User;
use crate::identity::workspaces::Workspace;
use crate::ids::{InvitationId, UserId};

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
        Self::of_membership(self.user.id)
    }

    /// The invitation to a membership.
    pub const fn of_membership(id: UserId) -> InvitationId {
        Id::from_uuid(id.uuid())
    }

    /// The membership that an invitation is to.
    pub const fn membership(id: InvitationId) -> UserId {
        Id::from_uuid(id.uuid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

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
