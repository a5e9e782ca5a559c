//! Secrets of webhooks, and answers that are kept, lie sealed in our databases.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::notifying::webhooks::{WebhookEndpoint, WebhookSecret};
use lyceum_ports::store::StoreError;
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
    ];
    let store = store_with(Database::Sqlite, endpoint).await;
    store
        .write(move |tx| {
            tx.webhooks().update(&rotated)?;
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
