//! Secrets of webhooks, and answers that are kept, lie sealed in our databases.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use lyceum_domain::notifying::letters::Letter;
use lyceum_domain::notifying::mails::{MailState, OutgoingMail};
use lyceum_domain::notifying::webhooks::{WebhookEndpoint, WebhookSecret};
use lyceum_domain::text::LanguageTag;
use lyceum_domain::{Stamp, Timestamp};
use lyceum_ports::store::{StoreError, Tx};
use lyceum_store::running::rotation;
use lyceum_store::{DatabaseUrl, MasterKey, StoreSettings};
use rstest::rstest;
use support::fakes::id;
use support::sample;
use support::sample_people as people;
use support::stores::{Database, TestStore};

fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

/// An endpoint that has two secrets.
fn full_endpoint(n: u64) -> WebhookEndpoint {
    WebhookEndpoint {
        previous_secret: Some((
            WebhookSecret::from_text("whsec_previously".to_owned()),
            at(60),
        )),
        ..people::endpoint(id(1), n)
    }
}

async fn store_with(database: Database, endpoint: WebhookEndpoint) -> TestStore {
    let store = TestStore::open(database);
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.webhooks().insert(&endpoint)
        })
        .await
        .unwrap();
    store
}

#[rstest]
#[tokio::test]
async fn secrets_open_with_the_installation_s_master_key_only(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with(database, full_endpoint(10)).await;
    let stranger = lyceum_store::open(StoreSettings {
        url: DatabaseUrl::parse(&store.url).unwrap(),
        pooler: None,
        replica: None,
        master_key: MasterKey::from_bytes([8; 32]),
        connections: 1,
    })
    .unwrap();
    let read: Result<_, StoreError> = stranger.read(|tx| tx.webhooks().find(id(1), id(10))).await;
    assert!(matches!(read, Err(StoreError::Failed(_))), "{read:?}");
}

/// A mail with a link to sign in.
fn mail() -> OutgoingMail {
    let letter = Letter::sign_in_link("https://lyceum.example/#a-secret-link", at(60));
    OutgoingMail {
        id: id(20),
        workspace_id: None,
        to: people::email(1),
        language: LanguageTag::english(),
        template: letter.template(),
        withheld: false,
        not_after: at(60),
        state: MailState::Pending {
            next_attempt_at: at(0),
            letter: Some(letter),
        },
        attempts: 0,
        last_error: None,
        stamp: Stamp::new(at(0)),
    }
}

#[rstest]
#[tokio::test]
async fn what_a_mail_says_is_sealed_anew_with_the_master_key_and_given_up_without_it(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with(database, full_endpoint(10)).await;
    store.write(|tx| tx.mails().insert(&mail())).await.unwrap();
    let url = DatabaseUrl::parse(&store.url).unwrap();
    let open = |master_key| {
        lyceum_store::open(StoreSettings {
            url: url.clone(),
            pooler: None,
            replica: None,
            master_key,
            connections: 1,
        })
        .unwrap()
    };
    let [old, new, strange] = [7, 9, 8].map(|byte| [byte; 32]);
    let both = MasterKey::from_bytes(new).with_older(vec![old]);
    let before = rotation::to_reseal(&url, &both).unwrap();
    let done = rotation::reseal(&url, &both, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(
        (before, done),
        (3, 3),
        "two secrets of an endpoint, and a mail"
    );
    let find = |tx: &mut dyn Tx| tx.mails().find(id(20));
    let found = open(MasterKey::from_bytes(new))
        .read::<_, StoreError, _>(find)
        .await;
    assert_eq!(found.unwrap(), Some(mail()));
    // It is there without its letter, and so it is given up, and keeps no other from being sent.
    let unread = open(MasterKey::from_bytes(strange))
        .read::<_, StoreError, _>(find)
        .await;
    let unread = unread.unwrap().unwrap();
    assert!(matches!(
        unread.state,
        MailState::Pending { letter: None, .. }
    ));
}

#[tokio::test]
async fn no_secret_is_readable_in_the_file() {
    let endpoint = full_endpoint(10);
    let mut rotated = endpoint.clone();
    rotated.previous_secret = Some((endpoint.secret.clone(), at(60)));
    rotated.secret = WebhookSecret::from_text("whsec_rotated".to_owned());
    rotated.stamp.touch(at(1));
    let secrets = [
        endpoint.secret.reveal().to_owned(),
        "previously".to_owned(),
        "rotated".to_owned(),
        "a secret reply".to_owned(),
        "a-secret-link".to_owned(),
    ];
    let store = store_with(Database::Sqlite, endpoint).await;
    store
        .write(move |tx| {
            tx.webhooks().update(&rotated)?;
            tx.mails().insert(&mail())?;
            tx.idempotency().remember(
                &people::reply_key(id(1), None),
                &people::reply("a secret reply"),
            )
        })
        .await
        .unwrap();
    let path = PathBuf::from(store.url.strip_prefix("sqlite://").unwrap());
    let log = path.with_extension("db-wal");
    let bytes = [fs::read(path).unwrap(), fs::read(log).unwrap()].concat();
    let holds = |text: &str| {
        bytes
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    };
    assert!(holds("https://example.org/hooks/10"), "the right file");
    for secret in secrets {
        assert!(!holds(&secret), "{secret}");
    }
}
