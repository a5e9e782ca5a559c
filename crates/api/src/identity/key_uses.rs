//! Which keys' use is being noted just now: a crowd with one key notes it once.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use lyceum_domain::ids::ApiKeyId;

/// The keys; clones are the same.
#[derive(Debug, Clone, Default)]
pub struct KeyUses(Arc<Mutex<HashSet<ApiKeyId>>>);

/// A use that is being noted, until it is dropped.
#[derive(Debug)]
pub struct Noting {
    key: ApiKeyId,
    uses: KeyUses,
}

impl KeyUses {
    /// The noting of this key's use, unless somebody is at it.
    pub fn begin(&self, key: ApiKeyId) -> Option<Noting> {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.insert(key).then(|| Noting {
            key,
            uses: self.clone(),
        })
    }
}

impl Drop for Noting {
    fn drop(&mut self) {
        let mut keys = self.uses.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_noted_by_one_at_a_time() {
        let uses = KeyUses::default();
        let key = "key_00000000000000000000000001".parse().unwrap();
        let noting = uses.begin(key).unwrap();
        assert!(uses.begin(key).is_none());
        drop(noting);
        assert!(uses.begin(key).is_some());
    }
}
