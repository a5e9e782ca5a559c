//! One-time login tokens: handed to a server, exchanged once for a session key.

use std::time::Duration;

use crate::hex;
use crate::identity::keys::SecretHash;
use crate::ids::{ApiKeyId, UserId, WorkspaceId};
use crate::{Timestamp, text::Email};

/// How long a one-time token may wait.
pub const LOGIN_TOKEN_LIFETIME: Duration = Duration::from_mins(10);

/// How long a session key lives; it does not slide.
pub const SESSION_LIFETIME: Duration = Duration::from_hours(24);

/// A whole one-time token: `tok_` and 64 hexadecimal digits (256 bits).
#[derive(Clone, PartialEq, Eq)]
pub struct LoginTokenSecret(String);

impl LoginTokenSecret {
    /// From 32 random bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(format!("tok_{}", hex::lower(&bytes)))
    }

    /// The whole token; shown once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored instead of the token.
    pub fn hash(&self) -> SecretHash {
        SecretHash::of(&self.0)
    }
}

/// A one-time token as it is kept: everything but the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginToken {
    /// The hash of the whole; also its key.
    pub hash: SecretHash,
    /// The platform it opens.
    pub workspace_id: WorkspaceId,
    /// Whom it opens it for.
    pub user_id: UserId,
    /// The address it was asked for.
    pub email: Email,
    /// The key that asked for it.
    pub issued_by: ApiKeyId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops working.
    pub expires_at: Timestamp,
}
