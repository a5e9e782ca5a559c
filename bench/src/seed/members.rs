//! Staff with an API key each, so that many callers can be had without a request for each of them.

use lyceum_domain::Stamp;
use lyceum_domain::identity::addresses::AllowedAddresses;
use lyceum_domain::identity::keys::{ApiKey, ApiKeySecret, KeyKind};
use lyceum_domain::identity::scopes::ScopeSet;
use lyceum_domain::identity::users::{NewUser, Person, Role, User};
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::json::Metadata;
use lyceum_domain::text::Email;
use lyceum_ports::store::{StoreError, Tx};

use super::{accepted, id, moment, name};
use crate::figures::mixed;

/// The number of the first, behind those of all students.
const FIRST: u64 = 1_000_000_000;

/// The key of the n-th, which is the same in every run, as everything that is planted.
pub fn key(n: u64) -> ApiKeySecret {
    let mut drawn = (FIRST + n) << 16;
    ApiKeySecret::mint(KeyKind::Standard, &mut |bytes| {
        for byte in bytes {
            drawn += 1;
            let [lowest, ..] = mixed(drawn).to_le_bytes();
            *byte = lowest;
        }
    })
}

/// The n-th of them, a teacher, who accepted to be one.
pub fn plant(tx: &mut dyn Tx, workspace: WorkspaceId, n: u64) -> Result<(), StoreError> {
    let number = FIRST + n;
    let email = accepted(Email::parse(&format!("teacher-{n}@bench.example")))?;
    tx.users().insert_person(&Person {
        id: id(number),
        email: email.clone(),
        created_at: moment(n),
    })?;
    let new = NewUser {
        email,
        name: Some(name("Teacher", n)),
        role: Role::Teacher,
        language: None,
        timezone: None,
        external_id: None,
        metadata: Metadata::default(),
    };
    let user = User::new(workspace, id(number), id(number), new, moment(n));
    tx.users().insert(&user.of_ones_own_will())?;
    let secret = key(n);
    tx.keys().insert(&ApiKey {
        id: id(number),
        person_id: id(number),
        workspace_id: None,
        user_id: None,
        made_by: None,
        made_in: Some(workspace),
        issued_by: None,
        package_id: None,
        kind: KeyKind::Standard,
        name: name("Key", n),
        lookup: secret.lookup(),
        hash: secret.hash(),
        scopes: ScopeSet::standard(),
        allowed_addresses: AllowedAddresses::default(),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        signed_in: None,
        last_used_from: None,
        stamp: Stamp::new(moment(n)),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_are_well_formed_and_each_once() {
        let keys = (0..1_000).map(|n| key(n).reveal().to_owned());
        let keys: BTreeSet<String> = keys.collect();
        assert_eq!(keys.len(), 1_000);
        assert!(keys.iter().all(|key| ApiKeySecret::parse(key).is_ok()));
        assert_eq!(key(7), key(7));
    }
}
