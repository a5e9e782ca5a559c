//! What whoever asks for a SCORM package decides: who is let in from inside it, and what its LMS is told.

use crate::exporting::scorm_addresses::LmsOrigin;
use crate::exporting::scorm_learners::MAX_LEARNERS;
use crate::{InvalidValue, Timestamp};

/// Whom a package lets in at the live service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchPolicy {
    /// Whether the package knows of the service at all; otherwise it makes no request and lets nobody in.
    pub connected: bool,
    /// Where it may be launched; anywhere when empty.
    pub allowed_origins: Vec<LmsOrigin>,
    /// When it lets nobody in any more; until it is revoked when absent.
    pub expires_at: Option<Timestamp>,
    /// How many learners it takes; [`MAX_LEARNERS`] when absent.
    pub max_learners: Option<u32>,
}

impl Default for LaunchPolicy {
    fn default() -> Self {
        Self {
            connected: true,
            allowed_origins: Vec::new(),
            expires_at: None,
            max_learners: None,
        }
    }
}

impl LaunchPolicy {
    /// Most origins that may be named.
    pub const MAX_ORIGINS: usize = 50;

    /// Checks how many origins there are, and names each once.
    pub fn origins(named: Vec<LmsOrigin>) -> Result<Vec<LmsOrigin>, InvalidValue> {
        if named.len() > Self::MAX_ORIGINS {
            let most = Self::MAX_ORIGINS;
            return Err(InvalidValue::new(format!("must name at most {most}")));
        }
        let mut once: Vec<LmsOrigin> = Vec::new();
        for origin in named {
            if !once.contains(&origin) {
                once.push(origin);
            }
        }
        Ok(once)
    }

    /// Whether a launch is let in now: `claimed` is what the player says of its LMS, `page` what the browser says of
    /// the player, if it says anything. The browser cannot be made to lie by a page, so where both speak both count.
    pub fn admits(&self, claimed: &str, page: Option<&str>, now: Timestamp) -> bool {
        let in_time = self.expires_at.is_none_or(|end| now < end);
        let allowed = |origin: &str| self.allowed_origins.is_empty() || self.names(origin);
        self.connected && in_time && allowed(claimed) && page.is_none_or(allowed)
    }

    fn names(&self, origin: &str) -> bool {
        let read = LmsOrigin::parse(origin);
        read.is_ok_and(|origin| self.allowed_origins.contains(&origin))
    }

    /// How many learners it takes.
    pub fn most_learners(&self) -> u64 {
        self.max_learners.map_or(MAX_LEARNERS, u64::from)
    }
}

/// What the LMS is told of a course that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReportingPolicy {
    /// Whether an assignment that is graded is done only once its grade is there.
    pub waits_for_grades: bool,
    /// Whether a course below its pass mark is told as incomplete rather than failed.
    pub retries_failed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_unix_millis(millis)
    }

    fn only(origins: &[&str]) -> LaunchPolicy {
        let read = |text: &&str| LmsOrigin::parse(text).unwrap();
        LaunchPolicy {
            allowed_origins: origins.iter().map(read).collect(),
            ..LaunchPolicy::default()
        }
    }

    #[test]
    fn without_a_policy_everybody_is_let_in() {
        let anything = LaunchPolicy::default();
        assert!(anything.admits("", None, at(0)));
        assert!(anything.admits("anything at all", Some("null"), at(0)));
        assert_eq!(anything.most_learners(), MAX_LEARNERS);
    }

    #[test]
    fn of_named_origins_both_what_is_claimed_and_what_the_browser_says_must_be_one() {
        let policy = only(&["https://lms.example", "null"]);
        for (claimed, page, expected) in [
            ("https://lms.example", None, true),
            ("https://LMS.example:443", Some("https://lms.example"), true),
            ("https://lms.example", Some("null"), true),
            ("https://lms.example", Some("https://evil.example"), false),
            ("https://evil.example", Some("https://lms.example"), false),
            ("https://lms.example.evil.example", None, false),
            ("https://lms.example/path", None, false),
            ("", None, false),
        ] {
            let admitted = policy.admits(claimed, page, at(0));
            assert_eq!(admitted, expected, "{claimed} {page:?}");
        }
    }

    #[test]
    fn a_policy_ends_at_its_moment_and_a_package_without_service_lets_nobody_in() {
        let ending = LaunchPolicy {
            expires_at: Some(at(10)),
            ..LaunchPolicy::default()
        };
        assert!(ending.admits("", None, at(9)));
        assert!(!ending.admits("", None, at(10)));
        let apart = LaunchPolicy {
            connected: false,
            ..LaunchPolicy::default()
        };
        assert!(!apart.admits("", None, at(0)));
    }

    #[test]
    fn origins_stand_once_and_are_not_too_many() {
        let origin = |text: &str| LmsOrigin::parse(text).unwrap();
        let twice = vec![origin("https://a.example"), origin("https://A.example:443")];
        assert_eq!(
            LaunchPolicy::origins(twice).unwrap(),
            [origin("https://a.example")]
        );
        let many = vec![origin("null"); LaunchPolicy::MAX_ORIGINS + 1];
        assert!(LaunchPolicy::origins(many).is_err());
    }
}
