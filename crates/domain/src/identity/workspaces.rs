//! Workspaces: tenants. A platform is the same tenant as callers choose it.

use crate::ids::WorkspaceId;
use std::fmt;

use crate::hex;
use crate::identity::ai_settings::{WorkspaceAi, WorkspaceAiChanges};
use crate::json::{Metadata, MetadataChange};
use crate::text::Name;
use crate::words::words;
use crate::{At, Invalid, InvalidValue, Stamp, Timestamp};

words!(
    /// Where a workspace is in its life.
    WorkspaceStatus {
        /// In use.
        Active = "active",
    }
);

/// A platform's slug: 2 to 63 of `a-z 0-9 -`, starting and ending with a letter or digit; case-folded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlatformCode(String);

impl PlatformCode {
    /// Folds case and checks the form.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let folded = text.to_ascii_lowercase();
        let edge =
            |c: Option<char>| c.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        let inner = folded
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        let length = (2..=63).contains(&folded.len());
        if inner && length && edge(folded.chars().next()) && edge(folded.chars().last()) {
            Ok(Self(folded))
        } else {
            Err(InvalidValue::new(
                "must be 2 to 63 letters, digits and hyphens",
            ))
        }
    }

    /// A slug made from a name, with `salt` (lower-case letters and digits) at the end to keep it apart from others.
    pub fn suggest(name: &Name, salt: &str) -> Self {
        let mut slug = String::new();
        for c in name.as_str().to_ascii_lowercase().chars() {
            if c.is_ascii_lowercase() || c.is_ascii_digit() {
                slug.push(c);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        let base: String = slug.chars().take(40).collect();
        let base = base.trim_end_matches('-');
        let base = if base.is_empty() { "workspace" } else { base };
        Self(format!("{base}-{salt}"))
    }

    /// The slug.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A platform's 24 hexadecimal digits, in lower case. An identifier, never a secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlatformUuid(String);

impl PlatformUuid {
    /// Folds case and checks the form.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let folded = text.to_ascii_lowercase();
        if folded.len() == 24 && folded.bytes().all(|b| b.is_ascii_hexdigit()) {
            Ok(Self(folded))
        } else {
            Err(InvalidValue::new("must be 24 hexadecimal digits"))
        }
    }

    /// From twelve random bytes.
    pub fn from_bytes(bytes: [u8; 12]) -> Self {
        Self(hex::lower(&bytes))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlatformCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for PlatformUuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A workspace as callers choose it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Platform {
    /// A number of its own, counted up from 1.
    pub number: i64,
    /// 24 hexadecimal digits.
    pub uuid: PlatformUuid,
    /// A slug; older platforms have none.
    pub code: Option<PlatformCode>,
}

/// A workspace to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewWorkspace {
    /// Human-readable name.
    pub name: Name,
    /// Domain name of the organisation, if it has one.
    pub domain: Option<String>,
    /// What it decides about AI.
    pub ai: WorkspaceAi,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

/// What is to change; `None` keeps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WorkspaceChanges {
    /// New name.
    pub name: Option<Name>,
    /// New domain; `Some(None)` clears it.
    pub domain: Option<Option<String>>,
    /// Change of what it decides about AI.
    pub ai: WorkspaceAiChanges,
    /// Change of the metadata.
    pub metadata: MetadataChange,
}

/// A tenant, holding users and courses.
#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    /// Its identifier.
    pub id: WorkspaceId,
    /// The same tenant as callers choose it.
    pub platform: Platform,
    /// Human-readable name.
    pub name: Name,
    /// Domain name of the organisation, if it has one.
    pub domain: Option<String>,
    /// Where it is in its life.
    pub status: WorkspaceStatus,
    /// What it decides about AI.
    pub ai: WorkspaceAi,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl Workspace {
    /// A new workspace.
    pub fn new(id: WorkspaceId, platform: Platform, new: NewWorkspace, now: Timestamp) -> Self {
        Self {
            id,
            platform,
            name: new.name,
            domain: new.domain,
            status: WorkspaceStatus::Active,
            ai: new.ai,
            metadata: new.metadata,
            stamp: Stamp::new(now),
        }
    }

    /// The colour of what it hands out, such as SCORM packages: `#rrggbb` under `accent_color` in its metadata. What is
    /// of another form is a key like any other, and no colour.
    pub fn accent_color(&self) -> Option<&str> {
        let text = self.metadata.as_map().get("accent_color")?.as_str()?;
        let digits = text.strip_prefix('#')?;
        let is_color = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_color.then_some(text)
    }

    /// Applies changes; returns whether anything really changed.
    ///
    /// # Errors
    /// [`Invalid`] if the merged metadata breaks its limits.
    pub fn change(&mut self, changes: WorkspaceChanges, now: Timestamp) -> Result<bool, Invalid> {
        let before = self.clone();
        self.name = changes.name.unwrap_or_else(|| self.name.clone());
        self.domain = changes.domain.unwrap_or_else(|| self.domain.clone());
        self.ai = changes.ai.apply(self.ai);
        self.metadata = changes.metadata.apply(&self.metadata).at("metadata")?;
        let differs = *self != before;
        if differs {
            self.stamp.touch(now);
        }
        Ok(differs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    #[test]
    fn codes_and_uuids_fold_case_and_keep_their_form() {
        assert_eq!(PlatformCode::parse("Acme-1").unwrap().as_str(), "acme-1");
        for wrong in ["a", "-acme", "acme-", "ac me", "acme/x", &"a".repeat(64)] {
            assert!(PlatformCode::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            PlatformUuid::parse(&"AB".repeat(12)).unwrap().as_str(),
            "ab".repeat(12)
        );
        assert!(PlatformUuid::parse(&"g".repeat(24)).is_err());
    }

    #[test]
    fn an_accent_colour_is_six_hexadecimal_digits_in_the_metadata() {
        let with = |value: serde_json::Value| {
            let metadata = serde_json::json!({"accent_color": value, "other": "#123456"});
            let new = NewWorkspace {
                name: Name::parse("School").unwrap(),
                domain: None,
                ai: WorkspaceAi::default(),
                metadata: Metadata::parse(metadata.as_object().unwrap().clone()).unwrap(),
            };
            let platform = Platform {
                number: 1,
                uuid: PlatformUuid::parse(&"ab".repeat(12)).unwrap(),
                code: None,
            };
            let now = Timestamp::from_unix_millis(0);
            let made = Workspace::new(Id::from_uuid(uuid::Uuid::nil()), platform, new, now);
            made.accent_color().map(str::to_owned)
        };
        assert_eq!(with("#0a7F3c".into()).as_deref(), Some("#0a7F3c"));
        let wrong = [
            "", "red", "0a7f3c", "#0a7f3", "#0a7f3cf", "#0a7f3g", "#é7f3c", " #0a7f3c",
        ];
        for wrong in wrong {
            assert_eq!(with(wrong.into()), None, "{wrong}");
        }
        assert_eq!(with(7.into()), None);
    }

    #[test]
    fn a_suggested_code_is_a_code() {
        for name in ["Café Ünïted!!", "学校", "--- x ---", &"long ".repeat(50)] {
            let code = PlatformCode::suggest(&Name::parse(name).unwrap(), "4f2a");
            assert_eq!(PlatformCode::parse(code.as_str()).unwrap(), code, "{name}");
        }
    }
}
