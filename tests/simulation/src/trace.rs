//! What happened, in order: printed when a seed fails, and hashed to see that a seed happens the same way twice.

use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

/// What happened so far; clones are the same.
#[derive(Clone, Default)]
pub struct Trace(Arc<Mutex<Vec<String>>>);

impl Trace {
    /// Notes what somebody did or saw, with the simulated moment in milliseconds.
    pub fn note(&self, who: &str, what: impl std::fmt::Display) {
        let at = turmoil::sim_elapsed().unwrap_or_default().as_millis();
        let line = format!("{at:>8} {who}: {what}");
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line);
    }

    /// Every line so far.
    pub fn lines(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// SHA-256 over all of it.
    pub fn hash(&self) -> String {
        let text = self.lines().join("\n");
        let digest = Sha256::digest(text);
        digest
            .iter()
            .fold(String::new(), |hash, byte| hash + &format!("{byte:02x}"))
    }
}
