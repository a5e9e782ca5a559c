//! The other commands, beside a running server and without one.

use std::process::Output;

use lyceum_client::ClientError;
use lyceum_wire::identity::users::CreateUser;
use rstest::rstest;
use serde_json::Value;
use support::binary::{Launch, LyceumProcess};
use support::stores::Database;

use crate::service::{Service, client, place, printed_key};
use crate::traces::{NoTraces, VARIABLE};

const OWNER: &str = "owner@localhost.localdomain";

fn printed(output: &Output) -> String {
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} {complaint}", output.status);
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn bootstrap(process: &LyceumProcess) -> Value {
    let output = process.run(&[
        "bootstrap",
        "--email",
        "head@school.example",
        "--workspace",
        "Evening school",
        "--code",
        "evening",
        "--json",
    ]);
    serde_json::from_str(&printed(&output)).expect("one JSON document and nothing else")
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn bootstrap_prints_what_a_script_needs_and_the_server_does_not_bootstrap_again(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let traces = NoTraces::expected();
    let launch = Launch::new().env(VARIABLE, traces.mark());
    let mut process = place(launch, database).prepare();
    let made = bootstrap(&process);
    let members = |value: &Value| -> Vec<String> {
        let mut names: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        names.sort();
        names
    };
    assert_eq!(
        members(&made),
        [
            "api_key",
            "platform",
            "sign_in_url",
            "user_id",
            "workspace_id"
        ]
    );
    assert_eq!(members(&made["platform"]), ["code", "id", "name", "uuid"]);
    assert_eq!(made["platform"]["code"], "evening");
    assert_eq!(made["platform"]["name"], "Evening school");
    assert_eq!(made["platform"]["id"], 1);
    assert_eq!(made["platform"]["uuid"].as_str().unwrap().len(), 24);
    process.restart();
    assert_eq!(printed_key(&process.stdout()), None);
    let client = client(&process, made["api_key"].as_str().unwrap(), "evening");
    let workspaces = client.platforms().list().collect().await.unwrap();
    assert_eq!(workspaces.len(), 1, "{workspaces:?}");
    let owner = client
        .users()
        .retrieve(made["user_id"].as_str().unwrap())
        .await
        .unwrap();
    assert_eq!(
        (owner.email.as_str(), owner.role.as_str()),
        ("head@school.example", "owner")
    );
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_key_revoked_on_the_command_line_opens_nothing_from_the_next_request_on(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let service = Service::on(database);
    let process = &service.process;
    let made = printed(&process.run(&["keys", "create", "--email", OWNER, "--name", "Night job"]));
    let mut words = made.split_whitespace();
    let (id, secret) = (words.next().unwrap(), words.next().unwrap());
    let listed = printed(&process.run(&["keys", "list", "--email", OWNER]));
    let line = listed
        .lines()
        .find(|line| line.starts_with(id))
        .expect("the new key is listed");
    assert!(
        line.contains("live") && line.contains("Night job"),
        "{line}"
    );
    assert!(!listed.contains(secret), "a list shows no secrets");
    let client = client(process, secret, "main");
    client.me().await.unwrap();
    printed(&process.run(&["keys", "revoke", id]));
    let refused = client.me().await.map(drop).unwrap_err();
    assert!(
        matches!(&refused, ClientError::Api(detail, 401) if detail.code == "api_key_revoked"),
        "{refused}"
    );
    let listed = printed(&process.run(&["keys", "list", "--email", OWNER]));
    let line = listed.lines().find(|line| line.starts_with(id)).unwrap();
    assert!(line.contains("revoked"), "{line}");
    service.client().me().await.unwrap();
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_key_made_at_the_shell_opens_what_the_operator_names(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let service = Service::on(database);
    let process = &service.process;
    let evening = bootstrap(process);
    let evening = client(process, evening["api_key"].as_str().unwrap(), "evening");
    let tom = CreateUser {
        email: "tom@school.example".to_owned(),
        ..CreateUser::default()
    };
    service.client().users().create(&tom).await.unwrap();
    let create = |more: &[&str]| {
        let words = ["keys", "create", "--email", "tom@school.example"];
        process.run(&[&words[..], more].concat())
    };
    let codes = async |made: &Output| {
        let made = printed(made);
        let secret = made.split_whitespace().nth(1).unwrap().to_owned();
        let client = client(process, &secret, "main");
        let places = client.me().await.unwrap().platforms;
        let codes = places.into_iter().map(|place| place.code.unwrap());
        codes.collect::<Vec<String>>()
    };
    // There is one place that it can be for.
    assert_eq!(codes(&create(&[])).await, ["main"]);
    evening.users().create(&tom).await.unwrap();
    // Whoever else has a record of them is not let in by that.
    assert_eq!(codes(&create(&[])).await, ["main"]);
    let named = create(&["--workspace", "evening"]);
    assert_eq!(codes(&named).await, ["evening", "main"]);
    let unknown = create(&["--workspace", "nowhere"]);
    assert!(!unknown.status.success());
}

#[test]
fn nobodys_keys_are_an_error() {
    let traces = NoTraces::expected();
    let process = Launch::new().env(VARIABLE, traces.mark()).prepare();
    let output = process.run(&["keys", "list", "--email", "nobody@example.org"]);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && complaint.contains("nobody"),
        "{complaint}"
    );
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_database_can_be_migrated_before_the_first_start_and_again(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let traces = NoTraces::expected();
    let launch = Launch::new().env(VARIABLE, traces.mark());
    let mut process = place(launch, database).prepare();
    for _ in 0..2 {
        assert_eq!(printed(&process.run(&["migrate"])), "");
    }
    process.restart();
    let key = printed_key(&process.stdout()).expect("migrating is not a first start");
    client(&process, &key, "main").me().await.unwrap();
}
