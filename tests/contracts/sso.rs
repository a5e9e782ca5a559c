//! What every repository keeps to of connections to identity providers, of who is on the way to one, and of who came back.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Stamp;
use lyceum_domain::identity::keys::{ApiKey, SecretHash};
use lyceum_domain::identity::sso_connections::{
    AssignedDomain, ClientSecret, EmailDomain, Issuer, MappedRole, ProviderWord, RoleMap,
    SsoConnection,
};
use lyceum_domain::identity::sso_sign_in::{ConsolePlace, SsoIdentity, SsoSession, SsoSignIn};
use lyceum_domain::identity::users::Role;
use lyceum_domain::ids::{ApiKeyId, SsoConnectionId};
use lyceum_ports::identity::sso::SessionsOf;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;

cases![Stores:
    a_connection_comes_out_as_it_was_stored_in_its_workspace_and_in_no_other,
    whoever_read_a_connection_before_it_changed_does_not_change_it,
    connections_of_a_workspace_come_newest_first,
    a_connection_that_is_gone_leaves_its_domains_and_nobody_linked,
    a_domain_is_of_one_workspace_until_it_is_taken_back,
    who_went_to_a_provider_is_back_once_and_in_time,
    who_does_not_come_back_is_forgotten,
    whom_a_provider_calls_so_is_found_by_it_alone,
    sessions_of_a_connection_are_found_by_whose_and_which_they_are,
    what_is_a_persons_own_is_told_from_what_opens_one_workspace,
];

fn word(text: &str) -> ProviderWord {
    ProviderWord::parse(text).unwrap()
}

fn connection(n: u64) -> SsoConnection {
    SsoConnection {
        workspace_id: id(1),
        id: id(n),
        name: sample::name("University"),
        issuer: Issuer::parse("https://id.example/realms/one").unwrap(),
        client_id: word("lyceum"),
        client_secret: ClientSecret::parse("not to be read").unwrap(),
        role_claim: Some(word("groups")),
        roles: RoleMap::parse(vec![MappedRole {
            value: word("staff"),
            role: Role::Teacher,
        }])
        .unwrap(),
        default_role: Role::Student,
        greatest_role: Role::Admin,
        just_in_time: true,
        trusts_addresses: false,
        enabled: true,
        last_signed_in_at: Some(sample::now()),
        stamp: Stamp::new(sample::now()),
    }
}

fn domain(name: &str) -> EmailDomain {
    EmailDomain::parse(name).unwrap()
}

fn assigned(name: &str, connection: Option<u64>) -> AssignedDomain {
    AssignedDomain {
        domain: domain(name),
        workspace_id: id(1),
        connection_id: connection.map(id),
        created_at: sample::now(),
    }
}

fn sign_in(n: u64) -> SsoSignIn {
    SsoSignIn {
        hash: SecretHash::of(&format!("state {n}")),
        workspace_id: id(1),
        connection_id: id(1),
        browser: SecretHash::of("browser"),
        place: ConsolePlace::parse("/courses").unwrap(),
        fresh: n == 1,
        created_at: sample::now(),
        expires_at: sample::now().plus(Duration::from_secs(600 + n)),
    }
}

fn identity(subject: &str) -> SsoIdentity {
    SsoIdentity {
        workspace_id: id(1),
        connection_id: id(1),
        subject: word(subject),
        person_id: id(1),
        created_at: sample::now(),
    }
}

fn session(n: u64, subject: &str, sid: Option<&str>) -> SsoSession {
    SsoSession {
        workspace_id: id(1),
        connection_id: id(1),
        key_id: id(n),
        subject: word(subject),
        sid: sid.map(word),
        created_at: sample::now(),
    }
}

/// Two workspaces, two people, and the connection 1 in the first workspace.
async fn store_with_connection(stores: &Stores) -> OpenStore {
    let store = stores.open().await;
    store
        .write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.workspaces().insert(&sample::workspace(2))?;
            tx.users().insert_person(&people::person(1))?;
            tx.users().insert_person(&people::person(2))?;
            tx.sso().insert(&connection(1))
        })
        .await
        .unwrap();
    store
}

async fn a_connection_comes_out_as_it_was_stored_in_its_workspace_and_in_no_other(stores: &Stores) {
    let store = store_with_connection(stores).await;
    store
        .read(|tx| {
            assert_eq!(tx.sso().find(id(1), id(1))?, Some(connection(1)));
            assert_eq!(tx.sso().find(id(2), id(1))?, None);
            assert_eq!(tx.sso().anywhere(id(1))?, Some(connection(1)));
            assert_eq!(tx.sso().anywhere(id(2))?, None);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn whoever_read_a_connection_before_it_changed_does_not_change_it(stores: &Stores) {
    let store = store_with_connection(stores).await;
    let mut off = connection(1);
    off.enabled = false;
    off.role_claim = None;
    off.stamp.touch(sample::now());
    let mut late = connection(1);
    late.greatest_role = Role::Owner;
    late.stamp.touch(sample::now());
    let kept = off.clone();
    store.write(move |tx| tx.sso().update(&off)).await.unwrap();
    let refused = store.write(move |tx| tx.sso().update(&late)).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    // That it was used is noted whoever changes it meanwhile, and changes nothing else.
    let later = sample::now().plus(Duration::from_mins(1));
    store
        .write(move |tx| {
            tx.sso().hold(id(1), id(1))?;
            tx.sso().note_use(id(1), id(1), later)
        })
        .await
        .unwrap();
    let found = store.read(|tx| tx.sso().find(id(1), id(1))).await.unwrap();
    let used = SsoConnection {
        last_signed_in_at: Some(later),
        ..kept
    };
    assert_eq!(found, Some(used));
}

async fn connections_of_a_workspace_come_newest_first(stores: &Stores) {
    let store = store_with_connection(stores).await;
    let elsewhere = SsoConnection {
        workspace_id: id(2),
        ..connection(3)
    };
    store
        .write(move |tx| {
            tx.sso().insert(&connection(2))?;
            tx.sso().insert(&elsewhere)
        })
        .await
        .unwrap();
    let page = store
        .read(|tx| tx.sso().page(id(1), &PageRequest::first(1)))
        .await
        .unwrap();
    let ids: Vec<SsoConnectionId> = page.items.iter().map(|one| one.id).collect();
    assert_eq!((ids, page.next.is_some()), (vec![id(2)], true));
}

async fn a_connection_that_is_gone_leaves_its_domains_and_nobody_linked(stores: &Stores) {
    let store = store_with_connection(stores).await;
    store
        .write(|tx| {
            tx.sso()
                .assign_domain(&assigned("school.example", Some(1)))?;
            tx.sso().link(&identity("ada"))?;
            assert!(!tx.sso().delete(id(2), id(1))?);
            assert!(tx.sso().delete(id(1), id(1))?);
            assert!(!tx.sso().delete(id(1), id(1))?);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
    store
        .read(|tx| {
            let left = tx.sso().domain(&domain("school.example"))?;
            assert_eq!(left, Some(assigned("school.example", None)));
            assert!(!tx.sso().is_offered()?);
            assert_eq!(tx.sso().identity(id(1), id(1), "ada")?, None);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn a_domain_is_of_one_workspace_until_it_is_taken_back(stores: &Stores) {
    let store = store_with_connection(stores).await;
    let first = assigned("school.example", None);
    let given = first.clone();
    store
        .write(move |tx| {
            tx.sso().assign_domain(&given)?;
            tx.sso().assign_domain(&assigned("a.example", None))
        })
        .await
        .unwrap();
    let other = AssignedDomain {
        workspace_id: id(2),
        ..first.clone()
    };
    let taken = store.write(move |tx| tx.sso().assign_domain(&other)).await;
    assert!(
        matches!(taken, Err(StoreError::Taken { field: "domain" })),
        "{taken:?}"
    );
    store
        .write(move |tx| {
            assert!(!tx.sso().is_offered()?);
            tx.sso().connect_domain(&first.domain, Some(id(1)))?;
            assert!(tx.sso().is_offered()?);
            let connected = assigned("school.example", Some(1));
            let all = vec![assigned("a.example", None), connected];
            assert_eq!(tx.sso().domains(None)?, all);
            assert_eq!(tx.sso().domains(Some(id(1)))?, all);
            assert_eq!(tx.sso().domains(Some(id(2)))?, []);
            assert!(tx.sso().unassign_domain(&first.domain)?);
            assert!(!tx.sso().unassign_domain(&first.domain)?);
            assert_eq!(tx.sso().domain(&first.domain)?, None);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn who_went_to_a_provider_is_back_once_and_in_time(stores: &Stores) {
    let store = store_with_connection(stores).await;
    let (went, end) = (sign_in(1), sign_in(1).expires_at);
    let hash = went.hash.clone();
    store
        .write(move |tx| {
            tx.sso().begin(&went)?;
            let just = end.minus(Duration::from_millis(1));
            assert_eq!(tx.sso().waiting(&went.hash, just)?, Some(went.clone()));
            assert_eq!(tx.sso().waiting(&went.hash, end)?, None);
            let other = SecretHash::of("another state");
            assert_eq!(tx.sso().waiting(&other, sample::now())?, None);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
    // What was not kept used nothing up.
    let lost = hash.clone();
    let failed: Result<(), StoreError> = store
        .write(move |tx| {
            assert!(tx.sso().take(&lost)?);
            Err(StoreError::Dangling)
        })
        .await;
    assert!(failed.is_err());
    store
        .write(move |tx| {
            assert!(tx.sso().take(&hash)?);
            assert!(!tx.sso().take(&hash)?);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn who_does_not_come_back_is_forgotten(stores: &Stores) {
    let store = store_with_connection(stores).await;
    store
        .write(|tx| {
            for n in 1..=3 {
                tx.sso().begin(&sign_in(n))?;
            }
            let oldest = sign_in(3).expires_at;
            assert_eq!(tx.sso().forget_expired(oldest, 1)?, 1);
            assert_eq!(tx.sso().waiting(&sign_in(1).hash, sample::now())?, None);
            assert_eq!(tx.sso().forget_expired(oldest, 9)?, 1);
            let left = tx.sso().waiting(&sign_in(3).hash, sample::now())?;
            assert_eq!(left, Some(sign_in(3)));
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn whom_a_provider_calls_so_is_found_by_it_alone(stores: &Stores) {
    let store = store_with_connection(stores).await;
    store
        .write(|tx| {
            tx.sso().insert(&connection(2))?;
            tx.sso().link(&identity("ada"))
        })
        .await
        .unwrap();
    store
        .read(|tx| {
            let known = tx.sso().identity(id(1), id(1), "ada")?;
            assert_eq!(known, Some(identity("ada")));
            for (workspace, by, subject) in [(1, 1, "Ada"), (1, 2, "ada"), (2, 1, "ada")] {
                let other = tx.sso().identity(id(workspace), id(by), subject)?;
                assert_eq!(other, None, "{workspace} {by} {subject}");
            }
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
    let twice = store.write(|tx| tx.sso().link(&identity("ada"))).await;
    assert!(twice.is_err(), "{twice:?}");
}

async fn sessions_of_a_connection_are_found_by_whose_and_which_they_are(stores: &Stores) {
    let store = store_with_connection(stores).await;
    store
        .write(|tx| {
            tx.sso().insert(&connection(2))?;
            for n in 1..=3 {
                tx.keys().insert(&people::web_session(id(1), n))?;
            }
            tx.sso().note_session(&session(1, "ada", Some("s1")))?;
            tx.sso().note_session(&session(2, "ada", None))?;
            tx.sso().note_session(&session(3, "bob", Some("s1")))
        })
        .await
        .unwrap();
    let of = async |by: u64, of: SessionsOf| -> Vec<ApiKeyId> {
        let found = store.read(move |tx| tx.sso().sessions(id(1), id(by), &of));
        let found = found.await.unwrap();
        found.iter().map(|one| one.key_id).collect()
    };
    let subject = |text: &str| SessionsOf::Subject(text.to_owned());
    assert_eq!(of(1, SessionsOf::Everybody).await, [id(1), id(2), id(3)]);
    assert_eq!(of(1, subject("ada")).await, [id(1), id(2)]);
    let sid = SessionsOf::Sid("s1".to_owned());
    assert_eq!(of(1, sid).await, [id(1), id(3)]);
    assert_eq!(of(2, SessionsOf::Everybody).await, []);
    // What is known of a session goes with it.
    store
        .write(|tx| tx.keys().delete(id(1)).map(drop))
        .await
        .unwrap();
    assert_eq!(of(1, SessionsOf::Everybody).await, [id(2), id(3)]);
}

async fn what_is_a_persons_own_is_told_from_what_opens_one_workspace(stores: &Stores) {
    let store = store_with_connection(stores).await;
    store
        .write(|tx| {
            let bound = ApiKey {
                workspace_id: Some(id(1)),
                ..people::web_session(id(1), 1)
            };
            tx.keys().insert(&bound)?;
            assert!(!tx.sso().has_own_keys(id(1))?);
            tx.keys().insert(&people::web_session(id(1), 2))?;
            assert!(tx.sso().has_own_keys(id(1))?);
            assert!(!tx.sso().has_own_keys(id(2))?);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}
