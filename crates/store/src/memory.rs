//! What a reader has found out about callers and is sure is still so.
//!
//! Every request begins by asking whose key that is and where it is used. A reader of SQLite keeps what it was told as
//! long as a counter in the database says that nobody, in this process or another, has changed any of it since: a key
//! that was revoked is refused by the very next request. Nothing else belongs here, because only these tables are
//! counted, and no writer has a memory.

use std::collections::HashMap;
use std::hash::Hash;

use lyceum_domain::keys::ApiKey;
use lyceum_domain::users::{Person, PersonId, User};
use lyceum_domain::workspaces::{Workspace, WorkspaceId};

/// Most things of a kind that are kept; then the kind is forgotten.
const CAPACITY: usize = 1024;

/// What a connection knows, and of which version.
#[derive(Default)]
pub struct Memory {
    version: Option<i64>,
    /// By lookup.
    pub keys: HashMap<String, ApiKey>,
    pub people: HashMap<PersonId, Person>,
    /// By platform code.
    pub by_code: HashMap<String, Workspace>,
    /// By platform uuid.
    pub by_uuid: HashMap<String, Workspace>,
    pub members: HashMap<(WorkspaceId, PersonId), User>,
}

impl Memory {
    /// Forgets everything unless this is still the version that it was learnt of.
    pub fn keep_only_of(&mut self, version: i64) {
        if self.version != Some(version) {
            *self = Self {
                version: Some(version),
                ..Self::default()
            };
        }
    }
}

/// Keeps something.
pub fn keep<K: Hash + Eq, V>(known: &mut HashMap<K, V>, key: K, value: V) {
    if known.len() >= CAPACITY {
        known.clear();
    }
    known.insert(key, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learnt_of_another_version_is_forgotten() {
        let mut memory = Memory::default();
        memory.keep_only_of(1);
        let of_nobody = PersonId::from_uuid(uuid::Uuid::nil());
        let person = || Person {
            id: of_nobody,
            email: lyceum_domain::text::Email::parse("a@b.example").unwrap(),
            created_at: lyceum_domain::Timestamp::from_unix_millis(0),
        };
        keep(&mut memory.people, of_nobody, person());
        memory.keep_only_of(1);
        assert_eq!(memory.people.len(), 1);
        memory.keep_only_of(2);
        assert!(memory.people.is_empty());
    }

    #[test]
    fn a_memory_does_not_grow_for_ever() {
        let mut known = HashMap::new();
        for number in 0..=CAPACITY {
            keep(&mut known, number, number);
        }
        assert_eq!(known.len(), 1);
    }
}
