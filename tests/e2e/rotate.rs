//! `lyceum rotate-master-key`: what was handed out under the old key goes on working, also when that key is gone; and
//! a copied database gives no key away.

use std::fs;
use std::io::{Cursor, Read};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::{PgConnection, sql_query};
use lyceum_client::{Client, wait_until};
use lyceum_domain::notifying::webhook_signature::{Received, SigningSecret, verify};
use lyceum_store::DataFolderLock;
use lyceum_wire::identity::tokens::{FinishToken, StartToken};
use rstest::rstest;
use serde_json::{Value, json};
use support::binary::Launch;
use support::postgres;
use support::receiver::Receiver;
use support::stores::Database;

use crate::service::{SOON, Service};
use crate::webhooks::{graded, now};

async fn made(client: &Client, path: &str, new: Value) -> Value {
    client.post(path, &new).await.unwrap()
}

/// A package that is ready: its id, the address of its file, and the launch key in it.
async fn package(client: &Client) -> (String, String, String) {
    let id = |made: Value| made["id"].as_str().unwrap().to_owned();
    let course = id(made(
        client,
        "/v1/courses",
        json!({"name": "Storing", "language": "en"}),
    )
    .await);
    let unit = id(made(
        client,
        "/v1/units",
        json!({"course_id": course, "name": "Cold"}),
    )
    .await);
    let lesson = json!({"unit_id": unit, "name": "Ice", "content": "Ice is cold."});
    made(client, "/v1/lessons", lesson).await;
    client.courses().publish(&course).await.unwrap();
    let cohort = id(made(
        client,
        "/v1/cohorts",
        json!({"course_id": course, "name": "Spring"}),
    )
    .await);
    client.cohorts().start(&cohort).await.unwrap();
    let package = id(made(client, "/v1/scorm", json!({"cohort_id": cohort})).await);
    let ready = client.scorm().wait(&package).within(SOON).await.unwrap();
    let address = ready.download_url.unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(download(&address).await)).unwrap();
    let mut script = String::new();
    archive
        .by_name("content/service.js")
        .unwrap()
        .read_to_string(&mut script)
        .unwrap();
    let key = script.split("\"key\":\"").nth(1).unwrap();
    let key = key.split('"').next().unwrap().to_owned();
    (package, address, key)
}

async fn download(address: &str) -> Vec<u8> {
    let answer = reqwest::get(address).await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.bytes().await.unwrap().to_vec()
}

/// Lets a learner in from inside the package.
async fn launch(client: &Client, package: &str, key: &str, nonce: &str) {
    let body = json!({
        "launch_key": key,
        "learner": {"id": nonce, "name": "Ada"},
        "lms": {"version": "2004", "origin": "https://lms.example", "title": "Campus"},
        "nonce": nonce,
    });
    made(client, &format!("/v1/scorm/{package}/sessions"), body).await;
}

/// A test message comes, signed with the secret that was shown when the endpoint was made.
async fn is_told(client: &Client, endpoint: &Value, receiver: &Receiver, count: usize) {
    client
        .webhook_endpoints()
        .test(endpoint["id"].as_str().unwrap())
        .await
        .unwrap();
    let look = || async { Ok(receiver.messages()) };
    let seen = wait_until(SOON, look, |seen| seen.len() >= count)
        .await
        .unwrap();
    let message = seen.last().unwrap();
    let secret = SigningSecret::parse(endpoint["secret"].as_str().unwrap()).unwrap();
    let signed = Received {
        id: message.header("webhook-id"),
        timestamp: message.header("webhook-timestamp"),
        signatures: message.header("webhook-signature"),
        body: &message.body,
    };
    assert_eq!(verify(&[secret], &signed, now()), Ok(()));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn what_was_handed_out_goes_on_working_under_another_master_key(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let launching = Launch::new().env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8");
    let mut service = Service::start(crate::service::place(launching, database));
    let client = service.client();
    let receiver = Receiver::answering([]).await;
    let endpoint = json!({"url": receiver.url, "enabled_events": ["ping"]});
    let endpoint = made(&client, "/v1/webhook_endpoints", endpoint).await;
    let (package, address, key) = package(&client).await;
    let rotate = |service: &Service, more: &[&str]| {
        let arguments: Vec<&str> = ["rotate-master-key"].iter().chain(more).copied().collect();
        service.process.run(&arguments)
    };
    // Whoever uses the folder holds it.
    let held = DataFolderLock::take(service.process.data_dir());
    let refused = rotate(&service, &[]);
    drop(held);
    assert!(
        !refused.status.success(),
        "a service that runs is in the way"
    );
    let file = service.process.data_dir().join("master.key");
    let before = fs::read_to_string(&file).unwrap();
    assert_eq!(before.split_whitespace().count(), 1, "nothing was changed");
    assert!(service.process.terminate().success());
    let rotated = rotate(&service, &["--nodes-stopped"]);
    let complaint = String::from_utf8_lossy(&rotated.stderr);
    assert!(rotated.status.success(), "{complaint}");
    let after = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = after.split_whitespace().collect();
    assert!(matches!(lines.as_slice(), [new, old] if *old == before.trim() && new != old));
    service.process.restart();
    is_told(&client, &endpoint, &receiver, 1).await;
    launch(&client, &package, &key, "0000000000000001").await;
    download(&address).await;

    assert!(service.process.terminate().success());
    fs::write(&file, lines[0]).unwrap();
    service.process.restart();
    is_told(&client, &endpoint, &receiver, 2).await;
    launch(&client, &package, &key, "0000000000000002").await;
    download(&address).await;
}

#[derive(QueryableByName)]
struct Dump {
    #[diesel(sql_type = Text)]
    dump: String,
}

/// Everything that a copy of the database shows.
#[allow(
    clippy::disallowed_methods,
    reason = "a copied database is read by whoever has it"
)]
fn dump(service: &Service, url: Option<&str>) -> String {
    let Some(url) = url else {
        let file = service.process.data_dir().join("lyceum.db");
        let parts = ["", "-wal"].map(|ending| fs::read(format!("{}{ending}", file.display())));
        let bytes = parts.into_iter().flatten().flatten().collect::<Vec<u8>>();
        return String::from_utf8_lossy(&bytes).into_owned();
    };
    let mut connection = PgConnection::establish(url).unwrap();
    connection
        .batch_execute("SET client_min_messages = warning")
        .unwrap();
    let whole = "SELECT schema_to_xml('public', true, false, '')::text AS dump";
    sql_query(whole)
        .get_result::<Dump>(&mut connection)
        .unwrap()
        .dump
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_copied_database_has_no_key_no_token_and_no_secret_in_it(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let url = (database == Database::Postgres).then(|| postgres::cluster().create_database());
    let launching = match &url {
        Some(url) => Launch::new().env("LYCEUM_DATABASE_URL", url),
        None => Launch::new(),
    };
    let service = Service::start(launching);
    let client = service.client();
    graded(&client).await;
    let key = made(&client, "/v1/api_keys", json!({"name": "Night job"})).await;
    let endpoint = json!({"url": "https://example.org/", "enabled_events": ["*"]});
    let endpoint = made(&client, "/v1/webhook_endpoints", endpoint).await;
    let rotated = client
        .webhook_endpoints()
        .rotate_secret(endpoint["id"].as_str().unwrap())
        .await
        .unwrap();
    let token = client
        .tokens()
        .start(&StartToken {
            email: "student@example.org".to_owned(),
        })
        .await
        .unwrap();
    let session = client
        .tokens()
        .finish(&FinishToken {
            token: token.token.clone(),
        })
        .await
        .unwrap();
    let (package, _, launch_key) = package(&client).await;
    launch(&client, &package, &launch_key, "0000000000000001").await;
    let master = fs::read_to_string(service.process.data_dir().join("master.key")).unwrap();
    let secrets = [
        service.key.as_str(),
        key["api_key"].as_str().unwrap(),
        endpoint["secret"].as_str().unwrap(),
        rotated.secret.as_deref().unwrap(),
        token.token.as_str(),
        session.api_key.as_str(),
        launch_key.as_str(),
        master.trim(),
    ];
    let dump = dump(&service, url.as_deref());
    assert!(
        dump.contains("student@example.org"),
        "the dump shows what there is"
    );
    for (index, secret) in secrets.iter().enumerate() {
        assert!(
            secret.len() > 20 && !dump.contains(secret),
            "the secret number {index} is in the dump"
        );
    }
}
