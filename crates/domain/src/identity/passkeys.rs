//! Passkeys (Web Authentication, <https://www.w3.org/TR/webauthn-3/>): keys that a person's device holds and never hands out. What is
//! in one, and whether an answer is one's, is for whoever speaks that protocol; here is whose they are, and how long a ceremony waits.

use std::time::Duration;

use uuid::Uuid;

use crate::identity::keys::SecretHash;
use crate::ids::{PasskeyId, PersonId, UserId, WorkspaceId};
use crate::text::Name;
use crate::{Stamp, Timestamp};

/// How long a device may take to answer.
pub const CEREMONY_LIFETIME: Duration = Duration::from_mins(5);

/// How many passkeys a person has at most.
pub const MAX_PASSKEYS: usize = 20;

/// A passkey, as far as it is ours to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    /// Its identifier.
    pub id: PasskeyId,
    /// Whose it is.
    pub person_id: PersonId,
    /// The one workspace that it opens, where it was made in a session that opens no more.
    pub workspace_id: Option<WorkspaceId>,
    /// The member as whom it signs in there.
    pub user_id: Option<UserId>,
    /// Under which name the device has it, in base64url; no two have the same.
    pub credential_id: String,
    /// What its person calls it.
    pub name: Name,
    /// What proves an answer to be its: the public key, and how often it was used if the device counts. Whoever made it reads it.
    pub credential: String,
    /// When somebody last signed in by it.
    pub last_used_at: Option<Timestamp>,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl Passkey {
    /// As whom devices know its holder. A device has one passkey of each; so one that opens a single workspace never takes the place of
    /// the person's own.
    pub fn handle(person: PersonId, only_as: Option<UserId>) -> Uuid {
        only_as.map_or(person.uuid(), |member| member.uuid())
    }

    /// Whether this is what a device says of its holder.
    pub fn is_of(&self, handle: Uuid) -> bool {
        Self::handle(self.person_id, self.user_id) == handle
    }
}

/// A device was asked for something, and has not answered yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ceremony {
    /// The hash of what it was asked to sign; also its key.
    pub hash: SecretHash,
    /// Who is to have a new passkey; none where somebody signs in.
    pub person_id: Option<PersonId>,
    /// The hash of what the browser holds in which it began; an answer from another is none.
    pub browser: SecretHash,
    /// What whoever speaks the protocol has to know to judge the answer.
    pub state: String,
    /// When it is given up.
    pub expires_at: Timestamp,
}

impl Ceremony {
    /// Whether the answer comes from where it began, for whom it began.
    pub fn is_of(&self, person: Option<PersonId>, browser: Option<&SecretHash>) -> bool {
        self.person_id == person && Some(&self.browser) == browser
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    #[test]
    fn an_answer_is_taken_from_where_it_was_asked_for_and_for_whom() {
        let somebody: PersonId = Id::from_uuid(uuid::Uuid::nil());
        let mine = SecretHash::of("mine");
        let mut ceremony = Ceremony {
            hash: SecretHash::of("challenge"),
            person_id: None,
            browser: mine.clone(),
            state: String::new(),
            expires_at: Timestamp::from_unix_millis(0),
        };
        assert!(ceremony.is_of(None, Some(&mine)));
        assert!(!ceremony.is_of(None, Some(&SecretHash::of("another's"))));
        assert!(!ceremony.is_of(None, None));
        assert!(!ceremony.is_of(Some(somebody), Some(&mine)));
        ceremony.person_id = Some(somebody);
        assert!(ceremony.is_of(Some(somebody), Some(&mine)));
        assert!(!ceremony.is_of(None, Some(&mine)));
    }
}
