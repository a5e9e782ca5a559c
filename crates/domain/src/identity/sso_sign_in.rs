//! Signing in by a workspace's identity provider: what is kept between leaving and coming back, and who it was.

use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::hex;
use crate::identity::keys::SecretHash;
use crate::identity::sign_in::RECENT;
use crate::identity::sso_connections::ProviderWord;
use crate::ids::{ApiKeyId, PersonId, SsoConnectionId, WorkspaceId};
use crate::json::JsonObject;
use crate::words::words;
use crate::{InvalidValue, Timestamp};

/// How long somebody may take at the provider.
pub const SSO_PATIENCE: Duration = Duration::from_mins(10);
/// By how much a provider's clock may be ahead of ours or behind it.
pub const CLOCK_LEEWAY: Duration = Duration::from_mins(1);
/// Longest place to come back to, in characters.
const LONGEST_PLACE: usize = 300;

/// What goes to the provider and comes back: `sso_` and 64 hexadecimal digits (256 bits).
#[derive(Clone, PartialEq, Eq)]
pub struct SsoState(String);

impl SsoState {
    /// From 32 random bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(format!("sso_{}", hex::lower(&bytes)))
    }

    /// As it came back, whatever that is.
    pub const fn returned(text: String) -> Self {
        Self(text)
    }

    /// The whole; for the provider.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored instead of it.
    pub fn hash(&self) -> SecretHash {
        SecretHash::of(&self.0)
    }

    /// What a token must have said back to us. It is made of what the browser holds as well, which the provider never sees.
    pub fn nonce(&self, held: &str) -> String {
        self.derived("nonce", held)
    }

    /// What proves to the provider that whoever brings the code began this.
    pub fn verifier(&self, held: &str) -> String {
        self.derived("verifier", held)
    }

    fn derived(&self, what: &str, held: &str) -> String {
        let text = format!("lyceum sso {what}\n{}\n{held}", self.0);
        hex::lower(&Sha256::digest(text.as_bytes()))
    }
}

/// A place of Studio, behind its `#`: so nothing that comes of it leads anywhere else.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConsolePlace(String);

impl ConsolePlace {
    /// A path of letters, digits and a few signs, or nothing.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '-' | '.');
        let is_path = text.is_empty() || text.starts_with('/') && !text.starts_with("//");
        if is_path && text.chars().all(is_plain) && text.len() <= LONGEST_PLACE {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidValue::new(
                "must be a place of Studio such as /courses",
            ))
        }
    }

    /// The path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for ConsolePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Somebody who went to the provider and is not back yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SsoSignIn {
    /// The hash of the state; also its key.
    pub hash: SecretHash,
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// By which connection they went; what comes back counts for this one alone.
    pub connection_id: SsoConnectionId,
    /// The hash of what the browser holds that began it.
    pub browser: SecretHash,
    /// Where they are to come out.
    pub place: ConsolePlace,
    /// Whether they are to prove there anew who they are.
    pub fresh: bool,
    /// When they went.
    pub created_at: Timestamp,
    /// Until when they may be back.
    pub expires_at: Timestamp,
}

/// Somebody at the provider who is somebody here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SsoIdentity {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// By which connection.
    pub connection_id: SsoConnectionId,
    /// What the provider calls them, for ever.
    pub subject: ProviderWord,
    /// Who they are here.
    pub person_id: PersonId,
    /// Since when that is known.
    pub created_at: Timestamp,
}

/// A session that began by a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SsoSession {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// By which connection.
    pub connection_id: SsoConnectionId,
    /// The session.
    pub key_id: ApiKeyId,
    /// What the provider calls whoever has it.
    pub subject: ProviderWord,
    /// What the provider calls its own session, if it says so.
    pub sid: Option<ProviderWord>,
    /// When it began.
    pub created_at: Timestamp,
}

/// What a provider says of somebody, once it is sure that it said it, to us, now.
#[derive(Debug, Clone, PartialEq)]
pub struct SsoClaims {
    /// What it calls them, for ever.
    pub subject: ProviderWord,
    /// When they proved there who they are, where the token says so.
    pub authenticated_at: Option<Timestamp>,
    /// Everything that it says.
    pub claims: JsonObject,
}

impl SsoClaims {
    /// As from when it is sure that it is them. Where the provider does not say, it may have asked nobody anything for days, so it is no
    /// sign-in of a short while ago.
    pub fn proven_at(&self, now: Timestamp) -> Timestamp {
        let said = self.authenticated_at;
        said.unwrap_or_else(|| now.minus(RECENT)).min(now)
    }

    /// Whether the provider says that they proved it a short while ago, by a clock that may be behind ours.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        let said = self.authenticated_at;
        said.is_some_and(|at| now < at.plus(RECENT).plus(CLOCK_LEEWAY))
    }

    /// A text among them.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.claims.get(name)?.as_str()
    }

    /// What is said of the address: that it is verified, that it is not, or nothing. Some say it in words.
    pub fn is_address_verified(&self) -> Option<bool> {
        let said = ["email_verified", "xms_edov"];
        let said = said.iter().find_map(|name| self.claims.get(*name))?;
        let yes = said.as_bool() == Some(true)
            || said
                .as_str()
                .is_some_and(|word| word == "true" || word == "1")
            || said.as_u64() == Some(1);
        Some(yes)
    }
}

/// What a provider says of a session, or of all of somebody's, that ended there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SsoLogout {
    /// Whose.
    pub subject: Option<ProviderWord>,
    /// Which.
    pub sid: Option<ProviderWord>,
    /// When it said so.
    pub issued_at: Timestamp,
}

impl SsoLogout {
    /// Whether it is about this session: one that began before. So what was said once ends nothing that begins later, however
    /// often it is said again.
    pub fn ends(&self, session: &SsoSession) -> bool {
        let is_same = |said: &Option<ProviderWord>, held: Option<&ProviderWord>| {
            said.as_ref().is_none_or(|said| held == Some(said))
        };
        let is_named = self.subject.is_some() || self.sid.is_some();
        is_named
            && is_same(&self.subject, Some(&session.subject))
            && is_same(&self.sid, session.sid.as_ref())
            && session.created_at <= self.issued_at.plus(CLOCK_LEEWAY)
    }
}

words!(
    /// Why somebody who came back from the provider is not let in. It stands in the address of Studio.
    SsoRefusal {
        /// It was begun too long ago, in another browser, or used before.
        Expired = "expired",
        /// The provider let them go without signing them in.
        Denied = "denied",
        /// What the provider sent does not hold, or it could not be asked.
        ProviderFailed = "provider_failed",
        /// The connection is switched off.
        SwitchedOff = "switched_off",
        /// They were to prove anew who they are, and the provider does not say that they did.
        NotFresh = "not_fresh",
        /// The provider does not say that the address is theirs.
        AddressUnverified = "address_unverified",
        /// The address is in no domain of the connection.
        AddressElsewhere = "address_elsewhere",
        /// Somebody has the address who signed in otherwise before: they are to prove that as well.
        ProveOtherWay = "prove_other_way",
        /// They are no member, and the connection makes none.
        NoMember = "no_member",
        /// They are more here than the connection may let in.
        AboveConnection = "above_connection",
        /// Browsers are signed in by https alone.
        Insecure = "insecure",
    }
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::sign_in::{SignInMethod, SignedIn};
    use serde_json::json;

    fn word(text: &str) -> ProviderWord {
        ProviderWord::parse(text).unwrap()
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_millis(seconds * 1_000)
    }

    fn session(subject: &str, sid: Option<&str>, began: i64) -> SsoSession {
        let nil = uuid::Uuid::nil();
        SsoSession {
            workspace_id: crate::Id::from_uuid(nil),
            connection_id: crate::Id::from_uuid(nil),
            key_id: crate::Id::from_uuid(nil),
            subject: word(subject),
            sid: sid.map(word),
            created_at: at(began),
        }
    }

    #[test]
    fn nonce_and_verifier_differ_and_hang_on_both_secrets() {
        let state = SsoState::from_bytes([1; 32]);
        let other = SsoState::from_bytes([2; 32]);
        let made = [
            state.nonce("a"),
            state.verifier("a"),
            state.nonce("b"),
            state.verifier("b"),
            other.nonce("a"),
            other.verifier("a"),
        ];
        let different: std::collections::BTreeSet<_> = made.iter().collect();
        assert_eq!(different.len(), made.len());
        // RFC 7636, section 4.1.
        assert!(made.iter().all(|one| (43..=128).contains(&one.len())));
    }

    #[test]
    fn a_place_is_of_the_console_and_nothing_else() {
        for good in ["", "/", "/courses/crs_01", "/account"] {
            assert_eq!(ConsolePlace::parse(good).unwrap().as_str(), good);
        }
        for bad in [
            "courses",
            "//evil.example",
            "https://evil.example",
            "/a?b",
            "/a#b",
            "/a%2f",
            "/\\evil",
            "/a b",
            "/a\r\nb",
            "/<b>",
        ] {
            assert!(ConsolePlace::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_logout_ends_what_it_names_and_nothing_that_began_later() {
        let logout = |subject: Option<&str>, sid: Option<&str>| SsoLogout {
            subject: subject.map(word),
            sid: sid.map(word),
            issued_at: at(1_000),
        };
        let mine = session("ada", Some("s1"), 900);
        assert!(logout(Some("ada"), None).ends(&mine));
        assert!(logout(None, Some("s1")).ends(&mine));
        assert!(logout(Some("ada"), Some("s1")).ends(&mine));
        assert!(!logout(Some("bob"), Some("s1")).ends(&mine));
        assert!(!logout(Some("ada"), Some("s2")).ends(&mine));
        assert!(!logout(None, Some("s1")).ends(&session("ada", None, 900)));
        assert!(!logout(None, None).ends(&mine), "nobody is named");
        assert!(!logout(Some("ada"), None).ends(&session("ada", None, 1_061)));
    }

    #[test]
    fn an_address_is_verified_where_that_is_said_and_by_nothing_else() {
        for (said, meant) in [
            (json!({"email_verified": true}), Some(true)),
            (json!({"email_verified": "true"}), Some(true)),
            (json!({"email_verified": false}), Some(false)),
            (json!({"email_verified": "yes"}), Some(false)),
            (json!({"email_verified": null}), Some(false)),
            (
                json!({"email_verified": false, "xms_edov": true}),
                Some(false),
            ),
            (json!({"xms_edov": 1}), Some(true)),
            (json!({}), None),
        ] {
            let claims = SsoClaims {
                subject: word("ada"),
                authenticated_at: None,
                claims: said.as_object().unwrap().clone(),
            };
            assert_eq!(claims.is_address_verified(), meant, "{said}");
        }
    }

    #[test]
    fn what_was_proven_there_counts_from_then_on_and_silence_is_long_ago() {
        let now = at(10_000);
        let said = |authenticated_at: Option<i64>| SsoClaims {
            subject: word("ada"),
            authenticated_at: authenticated_at.map(at),
            claims: JsonObject::new(),
        };
        for (when, proven, is_recent, is_fresh) in [
            (Some(9_900), 9_900, true, true),
            (Some(9_401), 9_401, true, true),
            (Some(9_400), 9_400, false, true),
            (Some(9_341), 9_341, false, true),
            (Some(9_340), 9_340, false, false),
            (Some(10_050), 10_000, true, true),
            (None, 9_400, false, false),
        ] {
            let claims = said(when);
            let signed_in = SignedIn {
                method: SignInMethod::Sso,
                at: claims.proven_at(now),
            };
            assert_eq!(signed_in.at, at(proven), "{when:?}");
            assert_eq!(signed_in.is_recent(now), is_recent, "{when:?}");
            assert_eq!(claims.is_fresh(now), is_fresh, "{when:?}");
        }
    }
}
