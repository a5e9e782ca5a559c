//! API keys: their form, their checksum, their life.
//!
//! `lyc_` + kind + 7 base62, three times 10 base62, and a CRC-32 (ISO-HDLC) of all before it in base62: five
//! segments joined by hyphens. The first segment is public and finds the row; the 30 characters in the middle
//! are the secret (178 bits); the checksum tells a typo from a wrong key without a look-up.

use std::fmt;
use std::time::Duration;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use thiserror::Error;

use crate::Id;
use crate::hex;
use crate::identity::addresses::{AllowedAddresses, Network};
use crate::identity::scopes::ScopeSet;
use crate::identity::sign_in::{self, SignedIn};
use crate::ids::{ApiKeyId, PersonId, ScormPackageId, UserId, WebSessionId, WorkspaceId};
use crate::text::Name;
use crate::words::words;
use crate::{Stamp, Timestamp};

words!(
    /// What kind of key.
    KeyKind {
        /// Made by a person, lives until revoked.
        Standard = "standard",
        /// Exchanged for a one-time token, lives a day, sees one platform.
        Session = "session",
        /// A person's session in a browser: travels in a cookie, and lives as long as it is used.
        Web = "web",
    }
);

impl KeyKind {
    const fn letter(self) -> char {
        match self {
            Self::Standard => 'k',
            Self::Session => 's',
            Self::Web => 'w',
        }
    }

    fn of_letter(letter: Option<char>) -> Option<Self> {
        let mut kinds = Self::ALL.iter().copied();
        kinds.find(|kind| Some(kind.letter()) == letter)
    }
}

/// Why a text is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MalformedKey {
    /// Key and platform uuid in one string: once a form of its own, no longer accepted.
    #[error(
        "the long form of the key is no longer accepted; send the five-segment key and the platform separately"
    )]
    LegacyForm,
    /// Not of the form, or the checksum does not fit.
    #[error("not an API key")]
    Malformed,
}

/// A whole key, secret and all. It has no `Display`, so that no log line can carry it by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKeySecret(String);

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX: &str = "lyc_";
const SEGMENT_LENGTHS: [usize; 5] = [12, 10, 10, 10, 6];

impl ApiKeySecret {
    /// Makes a key from a source of random bytes.
    pub fn mint(kind: KeyKind, random: &mut dyn FnMut(&mut [u8])) -> Self {
        let mut body = format!("{PREFIX}{}", kind.letter());
        for (index, length) in [7, 10, 10, 10].into_iter().enumerate() {
            if index > 0 {
                body.push('-');
            }
            (0..length).for_each(|_| body.push(random_base62(random)));
        }
        let checksum = checksum(&body);
        Self(format!("{body}-{checksum}"))
    }

    /// Reads a key as a caller sent it.
    ///
    /// # Errors
    /// [`MalformedKey`]; the legacy form is told apart by shape alone, before any look-up.
    pub fn parse(text: &str) -> Result<Self, MalformedKey> {
        let segments: Vec<&str> = text.split('-').collect();
        let lengths: Vec<usize> = segments.iter().map(|segment| segment.len()).collect();
        if let [first, _, _, _, _, platform] = segments.as_slice() {
            let hex = platform.len() == 24 && platform.bytes().all(|b| b.is_ascii_hexdigit());
            if first.starts_with(PREFIX) && hex {
                return Err(MalformedKey::LegacyForm);
            }
        }
        let (body, sum) = text.rsplit_once('-').ok_or(MalformedKey::Malformed)?;
        let rest = body.strip_prefix(PREFIX).ok_or(MalformedKey::Malformed)?;
        let kind = KeyKind::of_letter(rest.chars().next()).is_some();
        let alphabet = rest.bytes().all(|b| b == b'-' || b.is_ascii_alphanumeric());
        if lengths == SEGMENT_LENGTHS && kind && alphabet && checksum(body) == sum {
            Ok(Self(text.to_owned()))
        } else {
            Err(MalformedKey::Malformed)
        }
    }

    /// The whole key; shown once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The first segment: public, unique, finds the row.
    pub fn lookup(&self) -> KeyLookup {
        KeyLookup(self.0.split('-').next().unwrap_or_default().to_owned())
    }

    /// Whether it is a session of a browser, which is nobody anywhere but in its cookie.
    pub fn is_web_session(&self) -> bool {
        let letter = self.0.chars().nth(PREFIX.len());
        KeyKind::of_letter(letter) == Some(KeyKind::Web)
    }

    /// What is stored instead of the key.
    pub fn hash(&self) -> SecretHash {
        SecretHash::of(&self.0)
    }
}

impl fmt::Debug for ApiKeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKeySecret({}-…)", self.lookup().as_str())
    }
}

/// The public first segment of a key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyLookup(String);

impl KeyLookup {
    /// From storage.
    pub const fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// SHA-256 of a high-entropy secret, in lower-case hex. Plain, because the secrets have 178 bits and more.
#[derive(Debug, Clone)]
pub struct SecretHash(String);

impl SecretHash {
    /// The hash of a secret.
    pub fn of(secret: &str) -> Self {
        Self(hex::lower(&Sha256::digest(secret.as_bytes())))
    }

    /// From storage.
    pub const fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Lower-case hex.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialEq for SecretHash {
    /// In constant time.
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for SecretHash {}

pub(crate) fn random_base62(random: &mut dyn FnMut(&mut [u8])) -> char {
    loop {
        let mut byte = [0_u8];
        random(&mut byte);
        // 248 is the largest multiple of 62 in a byte: beyond it some characters would be likelier.
        let [value] = byte;
        if value < 248 {
            return base62(u32::from(value) % 62);
        }
    }
}

fn base62(digit: u32) -> char {
    let index = usize::try_from(digit).unwrap_or_default();
    BASE62.get(index).copied().map_or('0', char::from)
}

fn checksum(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes());
    let mut digits = ['0'; 6];
    for place in digits.iter_mut().rev() {
        *place = base62(rest % 62);
        rest /= 62;
    }
    digits.iter().collect()
}

/// Why a key opens nothing now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DeadKey {
    /// Someone revoked it.
    #[error("the API key has been revoked")]
    Revoked,
    /// Its time is over.
    #[error("the API key has expired")]
    Expired,
}

/// How long a key may go on beside the one that takes its place, when that is said.
pub const LONGEST_OVERLAP: Duration = Duration::from_hours(7 * 24);

/// A key as it is kept: everything but the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Its identifier.
    pub id: ApiKeyId,
    /// Whose key it is.
    pub person_id: PersonId,
    /// The one platform that it opens: of session keys, of keys that were made for a member there, and of sessions of a browser
    /// whose holder proved no more than that they are that member.
    pub workspace_id: Option<WorkspaceId>,
    /// The member as whom it acts there, where it was made for one.
    pub user_id: Option<UserId>,
    /// The member there who made it for them.
    pub made_by: Option<UserId>,
    /// The workspace through which it was made, whose audit and events tell of it; no other hears of it.
    pub made_in: Option<WorkspaceId>,
    /// The key that handed it out, if one did; revoking that one ends this one.
    pub issued_by: Option<ApiKeyId>,
    /// The SCORM package that let its holder in, if one did; taking that one back ends this key.
    pub package_id: Option<ScormPackageId>,
    /// What kind.
    pub kind: KeyKind,
    /// What its owner calls it.
    pub name: Name,
    /// The public first segment.
    pub lookup: KeyLookup,
    /// The hash of the whole.
    pub hash: SecretHash,
    /// What it may do.
    pub scopes: ScopeSet,
    /// From where it may be used.
    pub allowed_addresses: AllowedAddresses,
    /// When it stops working, if it does by itself.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
    /// When it last opened something, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// How and when whoever holds it proved who they are, if it is a session of a browser.
    pub signed_in: Option<SignedIn>,
    /// From where that was; of keys that somebody manages.
    pub last_used_from: Option<Network>,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl ApiKey {
    /// Whether it is of a person's own making, or was made for a member: neither a session, which nobody manages.
    pub fn is_managed(&self) -> bool {
        self.kind == KeyKind::Standard
    }

    /// Whether it was made for a member of this workspace, and opens nothing else.
    pub fn is_of_member_in(&self, workspace: WorkspaceId) -> bool {
        self.is_managed() && self.workspace_id == Some(workspace)
    }

    /// Whether it opens anything now.
    ///
    /// # Errors
    /// [`DeadKey`]
    pub fn alive(&self, now: Timestamp) -> Result<(), DeadKey> {
        if self.revoked_at.is_some_and(|at| at <= now) {
            return Err(DeadKey::Revoked);
        }
        if self.expires_at.is_some_and(|at| at <= now) {
            return Err(DeadKey::Expired);
        }
        Ok(())
    }

    /// When it ends from now on, if it is a session whose end is to be put off because it is used.
    pub fn renewal(&self, now: Timestamp) -> Option<Timestamp> {
        let ends = self.expires_at.filter(|_| self.kind == KeyKind::Web)?;
        let end = sign_in::end_of(self.stamp.created_at, now);
        (end >= ends.plus(sign_in::RENEWED_EVERY)).then_some(end)
    }

    /// What a session is called, as its person sees it.
    pub const fn session_id(&self) -> WebSessionId {
        Id::from_uuid(self.id.uuid())
    }

    /// The key that a session is.
    pub const fn of_session(session: WebSessionId) -> ApiKeyId {
        Id::from_uuid(session.uuid())
    }

    /// Whether it would live longer than it does now, if it ended at this moment instead.
    pub fn would_outlive_itself(&self, ends_at: Option<Timestamp>) -> bool {
        let is_after = |now: Timestamp| ends_at.is_none_or(|at| at > now);
        self.expires_at.is_some_and(is_after)
    }

    /// Lets it end at this moment, unless it ends sooner; whether that changes anything.
    pub fn end_by(&mut self, at: Timestamp, now: Timestamp) -> bool {
        if self.expires_at.is_some_and(|end| end <= at) {
            return false;
        }
        self.expires_at = Some(at);
        self.stamp.touch(now);
        true
    }

    /// Ends it; a second time changes nothing.
    pub fn revoke(&mut self, now: Timestamp) -> bool {
        if self.revoked_at.is_some() {
            return false;
        }
        self.revoked_at = Some(now);
        self.stamp.touch(now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STANDARD: &str = "lyc_k7Qm2Zt9-4fJx0RkP2a-Wb81LsYdTq-9uNcE5hGv3-3uyGXp";
    const SESSION: &str = "lyc_sA1b2C3d-0000000000-0000000000-0000000000-4gO254";

    #[test]
    fn the_published_vectors_hold() {
        for text in [STANDARD, SESSION] {
            assert_eq!(ApiKeySecret::parse(text).unwrap().reveal(), text);
        }
        assert_eq!(
            ApiKeySecret::parse(STANDARD).unwrap().lookup().as_str(),
            "lyc_k7Qm2Zt9"
        );
    }

    #[test]
    fn a_typo_is_seen_without_a_look_up() {
        let typo = STANDARD.replace("4fJx", "4fJy");
        assert_eq!(ApiKeySecret::parse(&typo), Err(MalformedKey::Malformed));
        for wrong in [
            "",
            "lyc_",
            "lyc_x7Qm2Zt9-4fJx0RkP2a-Wb81LsYdTq-9uNcE5hGv3-3uyGXp",
            "a-b-c-d-e",
        ] {
            assert_eq!(
                ApiKeySecret::parse(wrong),
                Err(MalformedKey::Malformed),
                "{wrong}"
            );
        }
    }

    #[test]
    fn the_legacy_form_is_known_by_its_shape() {
        let legacy = format!("{STANDARD}-{}", "0a".repeat(12));
        assert_eq!(ApiKeySecret::parse(&legacy), Err(MalformedKey::LegacyForm));
        let invented = format!("lyc_x-1-2-3-4-{}", "0A".repeat(12));
        assert_eq!(
            ApiKeySecret::parse(&invented),
            Err(MalformedKey::LegacyForm)
        );
    }

    #[test]
    fn debug_never_shows_the_secret() {
        let shown = format!("{:?}", ApiKeySecret::parse(STANDARD).unwrap());
        assert!(!shown.contains("4fJx0RkP2a"), "{shown}");
    }

    fn key(expires_at: Option<Timestamp>) -> ApiKey {
        let secret = ApiKeySecret::parse(STANDARD).unwrap();
        let nil = uuid::Uuid::nil();
        ApiKey {
            id: crate::Id::from_uuid(nil),
            person_id: crate::Id::from_uuid(nil),
            workspace_id: None,
            user_id: None,
            made_by: None,
            made_in: None,
            issued_by: None,
            package_id: None,
            kind: KeyKind::Standard,
            name: Name::parse("Sync").unwrap(),
            lookup: secret.lookup(),
            hash: secret.hash(),
            scopes: ScopeSet::standard(),
            allowed_addresses: AllowedAddresses::default(),
            expires_at,
            revoked_at: None,
            last_used_at: None,
            last_used_from: None,
            signed_in: None,
            stamp: Stamp::new(Timestamp::from_unix_millis(0)),
        }
    }

    #[test]
    fn an_overlap_shortens_a_life_and_never_lengthens_it() {
        let at = Timestamp::from_unix_millis;
        for (before, by, after) in [(None, 5, 5), (Some(9), 5, 5), (Some(3), 5, 3)] {
            let mut key = key(before.map(at));
            assert_eq!(key.end_by(at(by), at(1)), before != Some(after));
            assert_eq!(key.expires_at, Some(at(after)));
            assert!(!key.end_by(at(by), at(1)), "a second time changes nothing");
        }
        let mut now = key(None);
        now.end_by(at(1), at(1));
        assert_eq!(now.alive(at(1)), Err(DeadKey::Expired));
    }

    #[test]
    fn a_later_end_and_none_at_all_are_a_longer_life() {
        let at = |millis| Some(Timestamp::from_unix_millis(millis));
        assert!(key(at(5)).would_outlive_itself(at(6)) && key(at(5)).would_outlive_itself(None));
        assert!(!key(at(5)).would_outlive_itself(at(5)) && !key(at(5)).would_outlive_itself(at(4)));
        assert!(!key(None).would_outlive_itself(None) && !key(None).would_outlive_itself(at(4)));
    }

    proptest! {
        #[test]
        fn a_minted_key_reads_back(seed: u64) {
            let mut state = seed;
            let mut random = |bytes: &mut [u8]| for byte in bytes {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *byte = u8::try_from(state >> 56).unwrap();
            };
            for kind in KeyKind::ALL {
                let key = ApiKeySecret::mint(*kind, &mut random);
                prop_assert_eq!(ApiKeySecret::parse(key.reveal()), Ok(key.clone()));
                prop_assert_eq!(key.hash(), SecretHash::of(key.reveal()));
            }
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC{0,80}") {
            let _ = ApiKeySecret::parse(&text);
        }
    }
}
