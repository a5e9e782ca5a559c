//! Sessions of people in a browser: how long they live, and what they are trusted with.
//!
//! A session is a key of a kind of its own ([`KeyKind::Web`](crate::identity::keys::KeyKind)) that travels in a cookie and
//! nowhere else; so what a key is, who it is, and that it ends with the next request on every node is decided once.

use std::time::Duration;

use crate::Timestamp;
use crate::words::words;

/// How long a session lives that nobody uses.
pub const IDLE: Duration = Duration::from_hours(12);

/// How long a session lives, however much it is used.
pub const LONGEST: Duration = Duration::from_hours(7 * 24);

/// How often the end of a session that is used is put off.
pub const RENEWED_EVERY: Duration = Duration::from_mins(5);

/// How long after signing in a person may do what opens doors to others, or cannot be undone.
pub const RECENT: Duration = Duration::from_mins(10);

/// How many sessions of a person live at once; of more, the oldest end.
pub const MAX_SESSIONS: usize = 20;

words!(
    /// By which way somebody signed in.
    SignInMethod {
        /// By a link that the operator's shell printed.
        LocalLink = "local_link",
        /// By a link that came by mail.
        MailLink = "mail_link",
        /// By an invitation, which nobody has accepted before.
        Invitation = "invitation",
        /// By a passkey.
        Passkey = "passkey",
        /// By the identity provider of a workspace.
        Sso = "sso",
    }
);

/// How and when whoever holds a session proved who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedIn {
    /// By which way.
    pub method: SignInMethod,
    /// When: by a provider it may have been long before the session began, and it is never later.
    pub at: Timestamp,
}

impl SignedIn {
    /// Whether that is so short a time ago that it is surely still them.
    pub fn is_recent(&self, now: Timestamp) -> bool {
        now < self.at.plus(RECENT)
    }
}

/// When a session ends that was begun at `begun` and is used now.
pub fn end_of(begun: Timestamp, now: Timestamp) -> Timestamp {
    now.plus(IDLE).min(begun.plus(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: i64, minutes: i64) -> Timestamp {
        Timestamp::from_unix_millis((hours * 60 + minutes) * 60_000)
    }

    #[test]
    fn a_session_that_is_used_lives_half_a_day_more_and_a_week_at_most() {
        assert_eq!(end_of(at(0, 0), at(0, 0)), at(12, 0));
        assert_eq!(end_of(at(0, 0), at(100, 0)), at(112, 0));
        assert_eq!(end_of(at(0, 0), at(167, 0)), at(168, 0));
    }

    #[test]
    fn what_was_proven_is_recent_for_ten_minutes() {
        let signed_in = SignedIn {
            method: SignInMethod::LocalLink,
            at: at(0, 0),
        };
        assert!(signed_in.is_recent(at(0, 9)));
        assert!(!signed_in.is_recent(at(0, 10)));
    }
}
