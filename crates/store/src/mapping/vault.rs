//! Secrets at rest: what must be read back (webhook secrets, remembered replies) is encrypted with
//! XChaCha20-Poly1305 under the installation's master key, so that a copied database gives nothing away.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use lyceum_domain::grading::receipts::hash_of;
use lyceum_domain::hex;
use lyceum_ports::store::StoreError;

use crate::database::error::corrupt;

/// What everything secret is encrypted with, and what it was encrypted with before.
#[derive(Clone)]
pub struct MasterKey {
    current: [u8; 32],
    older: Vec<[u8; 32]>,
}

impl MasterKey {
    /// From its bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self {
            current: bytes,
            older: Vec::new(),
        }
    }

    /// Opens, besides what it seals itself, what these sealed.
    #[must_use]
    pub fn with_older(mut self, older: Vec<[u8; 32]>) -> Self {
        self.older = older;
        self
    }
}

/// Sealed when there was one key, which is not named.
const UNNAMED: &str = "v1.";
/// Followed by the name of the key and a dot.
const NAMED: &str = "v2.";
const NONCE_LENGTH: usize = 24;
/// Digits of a key's name.
const NAME_LENGTH: usize = 8;

struct NamedCipher {
    name: String,
    cipher: XChaCha20Poly1305,
}

impl NamedCipher {
    fn new(key: &[u8; 32]) -> Self {
        // Of a hash, which says nothing of the key.
        let digits = hex::lower(key);
        let mut name = hash_of(&format!("lyceum master key {digits}"));
        name.truncate(NAME_LENGTH);
        Self {
            name,
            cipher: XChaCha20Poly1305::new(key.into()),
        }
    }
}

/// Encrypts on the way in, decrypts on the way out.
pub struct Vault {
    current: NamedCipher,
    older: Vec<NamedCipher>,
}

impl Vault {
    pub fn new(key: &MasterKey) -> Self {
        Self {
            current: NamedCipher::new(&key.current),
            older: key.older.iter().map(NamedCipher::new).collect(),
        }
    }

    /// What everything begins with that is sealed now.
    pub fn prefix(&self) -> String {
        format!("{NAMED}{}.", self.current.name)
    }

    /// Encrypts a text; two calls never give the same result.
    pub fn seal(&self, secret: &str) -> Result<String, StoreError> {
        let mut nonce = [0_u8; NONCE_LENGTH];
        getrandom::fill(&mut nonce)
            .map_err(|error| StoreError::Failed(error.to_string().into()))?;
        let sealed = self
            .current
            .cipher
            .encrypt(&XNonce::from(nonce), secret.as_bytes())
            .map_err(|_| StoreError::Failed("could not encrypt".into()))?;
        let encoded = STANDARD.encode([nonce.as_slice(), &sealed].concat());
        Ok(format!("{}{encoded}", self.prefix()))
    }

    /// Decrypts what [`Self::seal`] made; fails if a bit of it, or the key, is another.
    pub fn open(&self, sealed: &str) -> Result<String, StoreError> {
        let wrong = || corrupt("a secret that the master key does not open");
        let (name, encoded) = match (sealed.strip_prefix(UNNAMED), sealed.strip_prefix(NAMED)) {
            (Some(encoded), _) => (None, encoded),
            (None, Some(rest)) => {
                let (name, encoded) = rest.split_once('.').ok_or_else(wrong)?;
                (Some(name), encoded)
            }
            (None, None) => return Err(wrong()),
        };
        let bytes = STANDARD.decode(encoded).map_err(|_| wrong())?;
        let (nonce, sealed) = bytes
            .split_first_chunk::<NONCE_LENGTH>()
            .ok_or_else(wrong)?;
        let opened = std::iter::once(&self.current)
            .chain(&self.older)
            .filter(|key| name.is_none_or(|name| name == key.name))
            .find_map(|key| key.cipher.decrypt(&XNonce::from(*nonce), sealed).ok());
        String::from_utf8(opened.ok_or_else(wrong)?).map_err(|_| wrong())
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

    #[test]
    fn an_older_key_opens_what_it_sealed_and_seals_no_more() {
        let old = Vault::new(&MasterKey::from_bytes([7; 32]));
        let sealed = old.seal("whsec_secret").unwrap();
        let unnamed = format!("{UNNAMED}{}", sealed.strip_prefix(&old.prefix()).unwrap());
        let both = Vault::new(&MasterKey::from_bytes([8; 32]).with_older(vec![[7; 32]]));
        for sealed in [&sealed, &unnamed] {
            assert_eq!(both.open(sealed).unwrap(), "whsec_secret");
        }
        let anew = both.seal("whsec_secret").unwrap();
        assert!(anew.starts_with(&both.prefix()) && old.open(&anew).is_err());
        let new = Vault::new(&MasterKey::from_bytes([8; 32]));
        assert_eq!(new.open(&anew).unwrap(), "whsec_secret");
    }
}
