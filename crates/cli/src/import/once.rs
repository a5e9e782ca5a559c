//! Sending things so that each is there once, however often the import is run.

use lyceum_client::{Call, Client};
use lyceum_domain::hex;
use serde::Serialize;
use sha2::{Digest, Sha256};

use lyceum_terminal::progress::Progress;

/// How often something is looked for and made. The second time it is found, unless an earlier import had made it within
/// a day and somebody deleted it since: then the remembered reply was given, and the third time another key makes it.
pub const ROUNDS: u8 = 3;

/// Where things go, and how.
#[derive(Clone, Copy)]
pub struct Once<'a> {
    pub client: &'a Client,
    pub progress: &'a Progress,
    /// Nothing is changed.
    pub is_dry: bool,
}

impl Once<'_> {
    /// Makes one. Somebody else may have been faster: whoever asks looks again.
    pub async fn make<New: Serialize, View: 'static>(
        &self,
        new: &New,
        round: u8,
        create: impl FnOnce(&New) -> Call<View>,
    ) -> anyhow::Result<()> {
        match create(new).idempotency_key(key(new, round)?).await {
            Ok(_) => Ok(()),
            Err(error) if error.status() == Some(409) && round + 1 < ROUNDS => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// The same for the same thing in the same round, on every machine.
fn key(new: &impl Serialize, round: u8) -> anyhow::Result<String> {
    let text = serde_json::to_string(&("lyceum import", round, new))?;
    Ok(fingerprint(&text))
}

/// Short and as good as unique.
pub fn fingerprint(text: &str) -> String {
    let whole = hex::lower(&Sha256::digest(text.as_bytes()));
    whole.chars().take(32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_that_of_the_content_and_of_the_round() {
        let first = key(&["a"], 0).unwrap();
        assert_eq!(first, key(&["a"], 0).unwrap());
        assert_ne!(first, key(&["a"], 1).unwrap());
        assert_ne!(first, key(&["b"], 0).unwrap());
        assert_eq!(first.len(), 32);
    }
}
