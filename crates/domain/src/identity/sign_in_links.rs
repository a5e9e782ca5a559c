//! Links that let a person in, once: printed by the operator's shell, sent by mail to whoever asked, or with an invitation.

use std::time::Duration;

use crate::hex;
use crate::identity::keys::SecretHash;
use crate::identity::sign_in::SignInMethod;
use crate::ids::{MailId, PersonId, UserId, WorkspaceId};
use crate::{Timestamp, text::Email};

/// How long a link may wait.
pub const LINK_LIFETIME: Duration = Duration::from_mins(15);

/// How long an invitation may wait.
pub const INVITATION_LIFETIME: Duration = Duration::from_hours(7 * 24);

/// How long after its end it is still told that there was an invitation.
pub const INVITATION_SHOWN: Duration = Duration::from_hours(30 * 24);

/// A whole link's secret: `sgn_`, or `inl_` where it invites, and 64 hexadecimal digits (256 bits).
#[derive(Clone, PartialEq, Eq)]
pub struct SignInSecret(String);

impl SignInSecret {
    /// From 32 random bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(format!("sgn_{}", hex::lower(&bytes)))
    }

    /// The same of a link that invites.
    pub fn of_invitation(bytes: [u8; 32]) -> Self {
        Self(format!("inl_{}", hex::lower(&bytes)))
    }

    /// The whole; shown once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored instead of it.
    pub fn hash(&self) -> SecretHash {
        SecretHash::of(&self.0)
    }
}

/// The membership that an invitation is to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvitedTo {
    /// The workspace that invites.
    pub workspace_id: WorkspaceId,
    /// What the person would be there.
    pub user_id: UserId,
    /// The mail that it went out with; none where it was shown to whoever invites, who then has it as well.
    pub mail_id: Option<MailId>,
}

impl InvitedTo {
    /// Whether who has the link gets mail of the address that was invited.
    pub const fn proves_address(&self) -> bool {
        self.mail_id.is_some()
    }
}

/// A link as it is kept: everything but its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInLink {
    /// The hash of the whole; also its key.
    pub hash: SecretHash,
    /// Whom it lets in; nobody, where it was asked for an address that nobody has.
    pub person_id: Option<PersonId>,
    /// The address that it was asked for.
    pub email: Email,
    /// The hash of what the browser holds that asked for it: it works in no other. None where the operator's shell made it.
    pub browser: Option<SecretHash>,
    /// Which way in it is.
    pub method: SignInMethod,
    /// To what it invites, if it does.
    pub invites: Option<InvitedTo>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops working.
    pub expires_at: Timestamp,
}

impl SignInLink {
    /// Whether it works in the browser that holds this.
    pub fn is_for(&self, browser: Option<&SecretHash>) -> bool {
        self.browser.is_none() || self.browser.as_ref() == browser
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_works_in_the_browser_that_asked_and_one_of_the_shell_in_any() {
        let mine = SecretHash::of("mine");
        let mut link = SignInLink {
            hash: SecretHash::of("link"),
            person_id: None,
            email: Email::parse("ada@example.org").unwrap(),
            browser: Some(mine.clone()),
            method: SignInMethod::MailLink,
            invites: None,
            created_at: Timestamp::from_unix_millis(0),
            expires_at: Timestamp::from_unix_millis(900_000),
        };
        assert!(link.is_for(Some(&mine)));
        assert!(!link.is_for(Some(&SecretHash::of("another's"))));
        assert!(!link.is_for(None));
        link.browser = None;
        assert!(link.is_for(None) && link.is_for(Some(&mine)));
    }
}
