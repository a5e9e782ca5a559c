//! What a reader has found out about callers and is sure is still so.
//!
//! Every request begins by asking whose key that is and where it is used. A reader of SQLite keeps what it was told as
//! long as a counter in the database says that nobody, in this process or another, has changed any of it since: a key
//! that was revoked is refused by the very next request. Nothing else belongs here, because only these tables are
//! counted, and no writer has a memory.

use std::collections::HashMap;
use std::sync::Arc;

use lyceum_ports::identity::callers::{Caller, Introduction};

/// Most callers that are kept; then all are forgotten.
const CAPACITY: usize = 1024;

/// What a connection knows, and of which version.
#[derive(Default)]
pub struct Memory {
    version: Option<i64>,
    callers: HashMap<Introduction, Arc<Caller>>,
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

    /// Who this is, if that is known.
    pub fn caller(&self, introduction: &Introduction) -> Option<Arc<Caller>> {
        self.callers.get(introduction).map(Arc::clone)
    }

    /// Keeps a caller of whom everything was found. What was missing may be there with the next request: only changes
    /// are counted, nothing that is new.
    pub fn keep(&mut self, introduction: &Introduction, caller: &Arc<Caller>) {
        let is_member = matches!(caller.place, Some((_, Some(_))));
        if introduction.platform.is_some() && !is_member {
            return;
        }
        if self.callers.len() >= CAPACITY {
            self.callers.clear();
        }
        self.callers
            .insert(introduction.clone(), Arc::clone(caller));
    }
}

#[cfg(test)]
mod tests {
    use lyceum_domain::Timestamp;
    use lyceum_domain::identity::keys::{ApiKey, KeyKind, KeyLookup, SecretHash};
    use lyceum_domain::identity::scopes::ScopeSet;
    use lyceum_domain::identity::users::Person;
    use lyceum_domain::identity::workspaces::PlatformCode;
    use lyceum_domain::ids::ApiKeyId;
    use lyceum_domain::ids::PersonId;
    use lyceum_domain::text::{Email, Name};
    use lyceum_ports::identity::callers::PlatformName;

    use super::*;

    fn introduction(number: usize) -> Introduction {
        Introduction {
            lookup: KeyLookup::from_stored(format!("lyc_k{number:07}")),
            platform: None,
        }
    }

    fn caller() -> Arc<Caller> {
        let at = Timestamp::from_unix_millis(0);
        let person = Person {
            id: PersonId::from_uuid(uuid::Uuid::nil()),
            email: Email::parse("a@b.example").unwrap(),
            created_at: at,
        };
        let key = ApiKey {
            id: ApiKeyId::from_uuid(uuid::Uuid::nil()),
            person_id: person.id,
            workspace_id: None,
            made_in: None,
            issued_by: None,
            package_id: None,
            kind: KeyKind::Standard,
            name: Name::parse("a").unwrap(),
            lookup: introduction(0).lookup,
            hash: SecretHash::of("a"),
            scopes: ScopeSet::standard(),
            expires_at: None,
            revoked_at: None,
            last_used_at: None,
            stamp: lyceum_domain::Stamp::new(at),
        };
        let place = None;
        Arc::new(Caller { key, person, place })
    }

    #[test]
    fn what_was_learnt_of_another_version_is_forgotten() {
        let mut memory = Memory::default();
        memory.keep_only_of(1);
        memory.keep(&introduction(0), &caller());
        memory.keep_only_of(1);
        assert!(memory.caller(&introduction(0)).is_some());
        memory.keep_only_of(2);
        assert!(memory.caller(&introduction(0)).is_none());
    }

    #[test]
    fn who_is_not_yet_a_member_is_looked_for_again() {
        let mut memory = Memory::default();
        let chosen = PlatformName::Code(PlatformCode::parse("main").unwrap());
        let introduction = Introduction {
            platform: Some(chosen),
            ..introduction(0)
        };
        memory.keep(&introduction, &caller());
        assert!(memory.caller(&introduction).is_none());
    }

    #[test]
    fn a_memory_does_not_grow_for_ever() {
        let mut memory = Memory::default();
        let caller = caller();
        for number in 0..=CAPACITY {
            memory.keep(&introduction(number), &caller);
        }
        assert_eq!(memory.callers.len(), 1);
    }
}
