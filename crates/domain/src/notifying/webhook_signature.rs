//! Standard Webhooks 1.0 signatures: `v1,<base64 of HMAC-SHA256(secret, "{id}.{timestamp}.{body}")>`.
//!
//! Signing is for deliveries, verifying for whoever receives them. Source:
//! <https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>.
//!
//! No clock and no randomness enter: time is an argument, secrets are made elsewhere.

use std::fmt;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use thiserror::Error;

/// How far a message's timestamp may lie from the receiver's clock, in seconds, either way.
pub const TOLERANCE_SECONDS: u64 = 5 * 60;

/// What every secret starts with.
const SECRET_PREFIX: &str = "whsec_";

/// What every signature of this version starts with.
const VERSION_PREFIX: &str = "v1,";

/// Writes padding, and takes secrets with and without it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Why a message could not be signed, or its signature not be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SignatureError {
    /// Not `whsec_` and the base64 of 24 to 64 bytes.
    #[error("not a signing secret")]
    InvalidSecret,
    /// Nothing to sign with.
    #[error("no signing secret")]
    NoSecret,
    /// Empty, or with a dot (the separator of what is signed), a space or a character outside ASCII.
    #[error("not a message id that can be signed")]
    InvalidId,
    /// Not a number of seconds.
    #[error("the timestamp is not a number of seconds")]
    InvalidTimestamp,
    /// Older or newer than [`TOLERANCE_SECONDS`].
    #[error("the timestamp is too far from now")]
    OutsideTolerance,
    /// No signature fits any secret.
    #[error("no signature matches")]
    NoMatch,
}

/// An endpoint's secret, ready to sign. Its bytes are never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret(Vec<u8>);

impl SigningSecret {
    /// Parses `whsec_` + base64.
    ///
    /// # Errors
    /// [`SignatureError::InvalidSecret`] unless it holds 24 to 64 bytes, as the specification asks.
    pub fn parse(text: &str) -> Result<Self, SignatureError> {
        text.strip_prefix(SECRET_PREFIX)
            .and_then(|encoded| BASE64.decode(encoded).ok())
            .filter(|bytes| (24..=64).contains(&bytes.len()))
            .map(Self)
            .ok_or(SignatureError::InvalidSecret)
    }

    fn mac(&self, id: &str, timestamp: i64, body: &[u8]) -> Result<Hmac<Sha256>, SignatureError> {
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&self.0)
            .map_err(|_| SignatureError::InvalidSecret)?;
        mac.update(format!("{id}.{timestamp}.").as_bytes());
        mac.update(body);
        Ok(mac)
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(whsec_…)")
    }
}

/// The value of `webhook-signature`: one signature per secret, in their order, joined by spaces.
///
/// # Errors
/// [`SignatureError::NoSecret`] without secrets, [`SignatureError::InvalidId`] for an id that would
/// make the signed text ambiguous.
pub fn sign(
    secrets: &[SigningSecret],
    id: &str,
    timestamp: i64,
    body: &[u8],
) -> Result<String, SignatureError> {
    check_id(id)?;
    if secrets.is_empty() {
        return Err(SignatureError::NoSecret);
    }
    let signatures = secrets
        .iter()
        .map(|secret| {
            let code = secret.mac(id, timestamp, body)?.finalize().into_bytes();
            Ok(format!("{VERSION_PREFIX}{}", BASE64.encode(code)))
        })
        .collect::<Result<Vec<_>, SignatureError>>()?;
    Ok(signatures.join(" "))
}

/// What a received message carries: its three headers and its body, untouched.
#[derive(Debug, Clone, Copy)]
pub struct Received<'a> {
    /// `webhook-id`.
    pub id: &'a str,
    /// `webhook-timestamp`.
    pub timestamp: &'a str,
    /// `webhook-signature`.
    pub signatures: &'a str,
    /// The bytes as they came, before any parsing.
    pub body: &'a [u8],
}

/// Checks a received message at `now` (seconds since the epoch), comparing in constant time.
///
/// # Errors
/// [`SignatureError::InvalidTimestamp`] or [`SignatureError::OutsideTolerance`] for its time,
/// [`SignatureError::NoMatch`] if no `v1` signature was made with any of the secrets.
pub fn verify(
    secrets: &[SigningSecret],
    received: &Received<'_>,
    now: i64,
) -> Result<(), SignatureError> {
    check_id(received.id)?;
    let timestamp: i64 = received
        .timestamp
        .parse()
        .map_err(|_| SignatureError::InvalidTimestamp)?;
    if now.abs_diff(timestamp) > TOLERANCE_SECONDS {
        return Err(SignatureError::OutsideTolerance);
    }
    let codes = received
        .signatures
        .split(' ')
        .filter_map(|signature| signature.strip_prefix(VERSION_PREFIX))
        .filter_map(|encoded| BASE64.decode(encoded).ok());
    for code in codes {
        for secret in secrets {
            let mac = secret.mac(received.id, timestamp, received.body)?;
            if mac.verify_slice(&code).is_ok() {
                return Ok(());
            }
        }
    }
    Err(SignatureError::NoMatch)
}

fn check_id(id: &str) -> Result<(), SignatureError> {
    let fits = |byte: u8| byte.is_ascii_graphic() && byte != b'.';
    if !id.is_empty() && id.bytes().all(fits) {
        Ok(())
    } else {
        Err(SignatureError::InvalidId)
    }
}

#[cfg(test)]
mod tests;
