//! Secrets at rest: what must be read back (webhook secrets, remembered replies) is encrypted with
//! XChaCha20-Poly1305 under the installation's master key, so that a copied database gives nothing away.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use lyceum_ports::store::StoreError;

use crate::error::corrupt;

/// The 32 bytes that everything secret is encrypted with.
#[derive(Clone)]
pub struct MasterKey([u8; 32]);

impl MasterKey {
    /// From its bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

const VERSION: &str = "v1.";
const NONCE_LENGTH: usize = 24;

/// Encrypts on the way in, decrypts on the way out.
pub struct Vault(XChaCha20Poly1305);

impl Vault {
    pub fn new(key: &MasterKey) -> Self {
        Self(XChaCha20Poly1305::new((&key.0).into()))
    }

    /// Encrypts a text; two calls never give the same result.
    pub fn seal(&self, secret: &str) -> Result<String, StoreError> {
        let mut nonce = [0_u8; NONCE_LENGTH];
        getrandom::fill(&mut nonce)
            .map_err(|error| StoreError::Failed(error.to_string().into()))?;
        let sealed = self
            .0
            .encrypt(&XNonce::from(nonce), secret.as_bytes())
            .map_err(|_| StoreError::Failed("could not encrypt".into()))?;
        Ok(format!(
            "{VERSION}{}",
            STANDARD.encode([nonce.as_slice(), &sealed].concat())
        ))
    }

    /// Decrypts what [`Self::seal`] made; fails if a bit of it, or the key, is another.
    pub fn open(&self, sealed: &str) -> Result<String, StoreError> {
        let wrong = || corrupt("a secret that the master key does not open");
        let encoded = sealed.strip_prefix(VERSION).ok_or_else(wrong)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| wrong())?;
        let (nonce, sealed) = bytes
            .split_first_chunk::<NONCE_LENGTH>()
            .ok_or_else(wrong)?;
        let opened = self
            .0
            .decrypt(&XNonce::from(*nonce), sealed)
            .map_err(|_| wrong())?;
        String::from_utf8(opened).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_opens_with_the_same_key_only() {
        let vault = Vault::new(&MasterKey::from_bytes([7; 32]));
        let sealed = vault.seal("whsec_secret").unwrap();
        assert!(!sealed.contains("secret"));
        assert_ne!(sealed, vault.seal("whsec_secret").unwrap());
        assert_eq!(vault.open(&sealed).unwrap(), "whsec_secret");
        assert!(
            Vault::new(&MasterKey::from_bytes([8; 32]))
                .open(&sealed)
                .is_err()
        );
        assert!(vault.open("v1.AAAA").is_err() && vault.open("plain").is_err());
    }
}
