//! Once per key: the reply is remembered in the transaction of the effect.

use std::time::Duration;

use lyceum_ports::running::idempotency::RememberedReply;
pub use lyceum_ports::running::idempotency::ReplyKey;
use serde::{Deserialize, Serialize};

use crate::prelude::*;

/// How long a key is remembered.
pub const LIFETIME: Duration = Duration::from_hours(24);

/// An idempotency key as it came with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// Whose, where, which.
    pub key: ReplyKey,
    /// What tells this request from others.
    pub fingerprint: String,
}

/// A reply as it is remembered: enough to answer again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// HTTP status; always a 2xx.
    pub status: u16,
    /// `Location`, if there is one.
    pub location: Option<String>,
    /// The body; empty, as no answer of ours is, once the person it told of was erased.
    pub body: String,
}

/// A reply, and whether the effect happened now or before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The reply.
    pub reply: Reply,
    /// Whether it was remembered.
    pub replayed: bool,
}

/// The reply remembered under this key, if there is one.
///
/// # Errors
/// [`Error::IdempotencyKeyReused`] if the key came with another request.
pub fn recall(
    tx: &mut dyn Tx,
    key: &IdempotencyKey,
    now: Timestamp,
) -> Result<Option<Reply>, Error> {
    let Some(remembered) = tx.idempotency().find(&key.key, now.minus(LIFETIME))? else {
        return Ok(None);
    };
    if remembered.fingerprint != key.fingerprint {
        return Err(Error::IdempotencyKeyReused);
    }
    let reply: Reply =
        serde_json::from_str(&remembered.reply).map_err(|error| Error::Internal(error.into()))?;
    if reply.body.is_empty() {
        let reason = "what was answered was erased with the person it told of";
        return Err(Conflict::NotEditable(reason.to_owned()).into());
    }
    Ok(Some(reply))
}

/// Remembers a reply under this key.
pub fn remember(
    tx: &mut dyn Tx,
    key: &IdempotencyKey,
    reply: &Reply,
    now: Timestamp,
) -> Result<(), Error> {
    let text = serde_json::to_string(reply).map_err(|error| Error::Internal(error.into()))?;
    let remembered = RememberedReply {
        fingerprint: key.fingerprint.clone(),
        reply: text,
        created_at: now,
    };
    Ok(tx.idempotency().remember(&key.key, &remembered)?)
}
