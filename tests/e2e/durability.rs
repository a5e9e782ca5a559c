//! What was answered is kept, and what was not can be asked again.

use std::collections::BTreeMap;
use std::time::Duration;

use lyceum_client::{Client, ClientError, RequestOptions};
use lyceum_wire::authoring::courses::{CourseView, CreateCourse};
use support::chance::Chance;
use support::stores::Database;

use crate::service::Service;

const ROUNDS: usize = 10;
const WRITERS: usize = 4;
const LATEST_KILL: Duration = Duration::from_millis(400);

/// What a writer knows of its writes when the server is gone.
#[derive(Default)]
struct Written {
    /// Name and id of what was answered with 201.
    answered: Vec<(String, String)>,
    /// The one that got no answer.
    unknown: Option<String>,
}

async fn create(client: &Client, name: &str) -> Result<CourseView, ClientError> {
    let course = CreateCourse {
        name: name.to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    let options = RequestOptions {
        idempotency_key: Some(name.to_owned()),
        ..RequestOptions::default()
    };
    client.courses().create(&course).with(options).await
}

async fn write_until_nobody_answers(client: Client, writer: String) -> Written {
    let mut written = Written::default();
    for number in 0.. {
        let name = format!("{writer}-{number}");
        match create(&client, &name).await {
            Ok(course) => written.answered.push((name, course.id)),
            Err(ClientError::Transport(_)) => {
                written.unknown = Some(name);
                break;
            }
            Err(other) => panic!("{name}: {other}"),
        }
    }
    written
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_answered_survives_a_crash_and_a_retry_of_the_rest_happens_once() {
    let mut chance = Chance::from_variable("LYCEUM_TEST_SEED");
    let mut service = Service::on(Database::Sqlite);
    let client = service.client();
    let mut promised = BTreeMap::new();
    for round in 0..ROUNDS {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| format!("r{round}-w{writer}"))
            .map(|writer| tokio::spawn(write_until_nobody_answers(client.clone(), writer)))
            .collect();
        tokio::time::sleep(chance.up_to(LATEST_KILL)).await;
        service.process.kill();
        let mut unknown = Vec::new();
        for writer in writers {
            let written = writer.await.unwrap();
            promised.extend(written.answered);
            unknown.extend(written.unknown);
        }
        service.process.restart();
        for name in unknown {
            let course = create(&client, &name).await.unwrap();
            promised.insert(name, course.id);
        }
    }
    let kept = client.courses().list().collect().await.unwrap();
    assert_eq!(
        kept.len(),
        promised.len(),
        "something is there twice, or not at all"
    );
    let kept: BTreeMap<_, _> = kept
        .into_iter()
        .map(|course| (course.name, course.id))
        .collect();
    assert_eq!(kept, promised);
    assert!(
        promised.len() > ROUNDS * WRITERS,
        "hardly anything was written"
    );
}
