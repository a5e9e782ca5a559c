//! What this process has found out about callers, and how it is sure that it is still so.
//!
//! Every request begins by asking whose key that is and where it is used. What was found is kept with the stamps that the database
//! then had of the person and of the workspace; triggers give them new ones whenever a key, a person, a membership or a
//! workspace is changed or removed, in whatever process. With every request the stamps are asked for anew, unless SQLite's log says that nothing at all was
//! written since: a key that was revoked is refused by the very next one, on every node. Nothing else belongs here, because only these
//! tables have stamps, and no writer has a memory.

use std::sync::{Arc, Mutex, PoisonError};

use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::ids::WorkspaceId;
use lyceum_ports::identity::callers::{Caller, Introduction};
use lyceum_ports::store::StoreError;
use quick_cache::sync::Cache;

use crate::database::log_index::LogPosition;

/// Most callers that are kept; who was not seen for long makes room.
const CALLERS: usize = 100_000;
/// Most workspaces that callers share.
const WORKSPACES: usize = 10_000;

/// What readers know; one for all of a store.
pub struct Memory {
    callers: Cache<Introduction, KnownCaller>,
    workspaces: Cache<WorkspaceId, Arc<Workspace>>,
}

/// A caller as they were found, and by which stamps.
#[derive(Clone)]
pub struct KnownCaller {
    /// Who.
    pub caller: Arc<Caller>,
    /// As they were in the snapshot in which that was found.
    pub stamps: Stamps,
    /// Where SQLite's log stood when it was last seen that they still were; while it stands there, they are.
    pub seen_at: Option<LogPosition>,
}

/// What the database says of changes to a person, with their keys and memberships, and to a workspace; none while nothing of them was
/// changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stamps {
    /// Of the person.
    pub person: Option<i64>,
    /// Of the workspace, where one was chosen.
    pub workspace: Option<i64>,
}

/// The caller whom a request took to be as they are remembered, until that is found out.
#[derive(Default)]
pub struct Taken(Mutex<Word>);

/// What a caller's word is worth.
#[derive(Default)]
enum Word {
    /// Nobody was taken at theirs, or it was found to be so.
    #[default]
    Good,
    /// That is not known yet.
    Given(Introduction, KnownCaller),
    /// It is no longer so.
    Broken,
}

impl KnownCaller {
    /// What stamps are kept by: the person, and the workspace where one was chosen.
    pub fn names(&self) -> (String, Option<String>) {
        let workspace = self.caller.place.as_ref();
        let workspace = workspace.map(|(workspace, _)| workspace.id.to_string());
        (self.caller.person.id.to_string(), workspace)
    }
}

impl Taken {
    /// Takes this caller to be as they are remembered.
    pub fn note(&self, introduction: &Introduction, known: &KnownCaller) {
        *self.word() = Word::Given(introduction.clone(), known.clone());
    }

    /// Who is to be looked after, until it is known; an error where it is, and they are not as they were remembered.
    pub fn given(&self) -> Result<Option<(Introduction, KnownCaller)>, StoreError> {
        match &*self.word() {
            Word::Good => Ok(None),
            Word::Given(introduction, known) => Ok(Some((introduction.clone(), known.clone()))),
            Word::Broken => Err(StoreError::Outdated),
        }
    }

    /// Notes that they are as they were remembered.
    pub fn was_right(&self) {
        *self.word() = Word::Good;
    }

    /// Notes that they are not.
    pub fn was_mistaken(&self) {
        *self.word() = Word::Broken;
    }

    fn word(&self) -> std::sync::MutexGuard<'_, Word> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            callers: Cache::new(CALLERS),
            workspaces: Cache::new(WORKSPACES),
        }
    }
}

impl Memory {
    /// Who this was when they were last looked for.
    pub fn caller(&self, introduction: &Introduction) -> Option<KnownCaller> {
        self.callers.get(introduction)
    }

    /// Looks for this caller anew with the next request.
    pub fn forget(&self, introduction: &Introduction) {
        self.callers.remove(introduction);
    }

    /// Whether a caller is worth remembering: of whom everything was found. What was missing may be there with the next request, and
    /// nothing that is new has a stamp.
    pub fn is_worth_keeping(introduction: &Introduction, caller: &Caller) -> bool {
        introduction.platform.is_none() || matches!(caller.place, Some((_, Some(_))))
    }

    /// Keeps a caller; what is given back shares their workspace with others who are there.
    pub fn keep(&self, introduction: &Introduction, caller: Caller, stamps: Stamps) -> Arc<Caller> {
        let place = caller
            .place
            .map(|(workspace, user)| (self.shared(workspace), user));
        let caller = Arc::new(Caller { place, ..caller });
        let known = KnownCaller {
            caller: Arc::clone(&caller),
            stamps,
            seen_at: None,
        };
        self.callers.insert(introduction.clone(), known);
        caller
    }

    /// Notes that a caller was still as they are known, when the log stood here or had gone on from there.
    pub fn seen(
        &self,
        introduction: &Introduction,
        known: &KnownCaller,
        seen_at: Option<LogPosition>,
    ) {
        let known = KnownCaller {
            seen_at,
            ..known.clone()
        };
        self.callers.insert(introduction.clone(), known);
    }

    fn shared(&self, workspace: Arc<Workspace>) -> Arc<Workspace> {
        let known = self.workspaces.get(&workspace.id);
        if let Some(known) = known.filter(|known| **known == *workspace) {
            return known;
        }
        self.workspaces.insert(workspace.id, Arc::clone(&workspace));
        workspace
    }
}

#[cfg(test)]
mod tests {
    use lyceum_domain::Timestamp;
    use lyceum_domain::identity::addresses::AllowedAddresses;
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

    fn caller() -> Caller {
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
            user_id: None,
            made_by: None,
            made_in: None,
            issued_by: None,
            package_id: None,
            kind: KeyKind::Standard,
            name: Name::parse("a").unwrap(),
            lookup: introduction(0).lookup,
            hash: SecretHash::of("a"),
            scopes: ScopeSet::standard(),
            allowed_addresses: AllowedAddresses::default(),
            expires_at: None,
            revoked_at: None,
            last_used_at: None,
            signed_in: None,
            last_used_from: None,
            stamp: lyceum_domain::Stamp::new(at),
        };
        let place = None;
        Caller { key, person, place }
    }

    #[test]
    fn a_caller_is_known_by_the_stamps_of_then() {
        let memory = Memory::default();
        let stamps = Stamps {
            person: Some(7),
            workspace: None,
        };
        assert!(memory.caller(&introduction(0)).is_none());
        memory.keep(&introduction(0), caller(), stamps);
        let known = memory.caller(&introduction(0)).unwrap();
        assert_eq!((known.stamps, &*known.caller), (stamps, &caller()));
    }

    #[test]
    fn who_is_not_yet_a_member_is_looked_for_again() {
        let chosen = PlatformName::Code(PlatformCode::parse("main").unwrap());
        let introduction = Introduction {
            platform: Some(chosen),
            ..introduction(0)
        };
        assert!(!Memory::is_worth_keeping(&introduction, &caller()));
    }

    #[test]
    fn a_memory_does_not_grow_for_ever_and_does_not_forget_all_at_once() {
        let memory = Memory::default();
        for number in 0..CALLERS * 2 {
            memory.keep(&introduction(number), caller(), Stamps::default());
        }
        let known = memory.callers.len();
        assert!((CALLERS / 2..=CALLERS).contains(&known), "{known}");
    }
}
