//! The same thing asked for many times at once happens once.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use support::stores::Database;

use crate::api::{Outcome, Reply, Write};
use crate::figures::by_length;
use crate::scene::{Scene, Staging};

const AT_ONCE: usize = 50;

async fn scene(test: &'static str, database: Database) -> Scene {
    let nodes = if database == Database::Postgres { 2 } else { 1 };
    let staging = Staging {
        nodes,
        ..Staging::new(test, database)
    };
    staging.open().await
}

/// What is answered when a write is sent so many times at once, to all nodes.
async fn at_once(scene: &Scene, write: &Write, times: usize) -> Vec<Reply> {
    let sending = (0..times).map(|node| scene.api.write(node, write));
    let answered = |outcome| match outcome {
        Outcome::Answered(reply) => reply,
        other => panic!("{write:?}: {other:?}"),
    };
    join_all(sending).await.into_iter().map(answered).collect()
}

/// Sends a write many times at once under one key: one effect, and one answer for all.
pub async fn all_the_same(scene: &mut Scene, round: usize, times: usize) {
    let course = json!({"name": format!("race {round}"), "language": "en"});
    let write = Write::post("/v1/courses", course, &format!("race-{round}"));
    let replies = at_once(scene, &write, times).await;
    let told: BTreeSet<&str> = replies.iter().map(|reply| reply.text.as_str()).collect();
    assert!(replies.iter().all(Reply::is_success), "{replies:?}");
    assert_eq!(told.len(), 1, "one key had several answers");
    let first = replies.iter().filter(|reply| !reply.replayed).count();
    assert_eq!(first, 1, "{first} of the requests say that they did it");
    let made = scene.api.walk("/v1/courses").await;
    let name = format!("race {round}");
    let made = made.iter().filter(|course| course["name"] == name.as_str());
    assert_eq!(made.count(), 1, "one key made several courses");
    scene.figures.add("raced", times);
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_key_has_one_effect(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut scene = scene("same_key", database).await;
    for round in 0..by_length(3, 10) {
        all_the_same(&mut scene, round, AT_ONCE).await;
        scene.figures.one_more("rounds");
    }
    one_token_is_one_session(&scene).await;
    one_submission_has_one_run(&mut scene).await;
    scene.verdict().await;
}

/// I11: of many who come with the same token at once, one gets in.
async fn one_token_is_one_session(scene: &Scene) {
    let student = json!({"email": "token@school.example"});
    scene.api.make("/v1/users", student).await;
    let wanted = json!({"email": "token@school.example"});
    let token = scene.api.made("/v1/tokens/start", wanted).await;
    let body = json!({"token": token["token"]});
    let exchanging = (0..AT_ONCE).map(|number| {
        let write = Write::post(
            "/v1/tokens/finish",
            body.clone(),
            &format!("token-{number}"),
        );
        async move { scene.api.write(number, &write).await }
    });
    let mut statuses = Vec::new();
    for outcome in join_all(exchanging).await {
        match outcome {
            Outcome::Answered(reply) => statuses.push(reply.status),
            other => panic!("{other:?}"),
        }
    }
    let entered = statuses.iter().filter(|status| **status < 300).count();
    let refused = statuses.iter().filter(|status| **status == 401).count();
    assert_eq!((entered, refused), (1, AT_ONCE - 1), "{statuses:?}");
}

/// Many who want the same submission graded at once start one run.
async fn one_submission_has_one_run(scene: &mut Scene) {
    let mut hand = scene.hand("race");
    let student = json!({"email": "race@school.example"});
    let student = hand.write(Method::POST, "/v1/users", student).await.id();
    let text = "Everybody wants this graded.";
    let id = hand.hand_in(&scene.assignment, &student, text).await;
    let calls = scene.ai.calls();
    let path = format!("/v1/submissions/{id}/ai");
    // Long enough for all to come while the first run is under way.
    scene.ai.take_time(std::time::Duration::from_secs(5));
    let grading = (0..AT_ONCE).map(|number| {
        let write = Write::post(&path, json!({}), &format!("grading-{number}"));
        let api = scene.api.clone();
        async move { api.write(number, &write).await }
    });
    for outcome in join_all(grading).await {
        match outcome {
            Outcome::Answered(reply) => assert!(
                reply.is_success() || reply.status == 409,
                "{} {}",
                reply.status,
                reply.text
            ),
            other => panic!("{other:?}"),
        }
    }
    let entry = (text.to_owned(), true);
    scene.journal.known().submissions.insert(id.clone(), entry);
    scene.until_graded(&id).await;
    scene.ai.take_time(std::time::Duration::ZERO);
    assert_eq!(
        scene.ai.calls() - calls,
        1,
        "one submission had several runs"
    );
}
