//! The log of a service that tells everything it does tells no secret, and nothing that a learner wrote.

use std::fs;

use lyceum_client::wait_until;
use lyceum_wire::authoring::assignments::CreateAssignment;
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::grading::submissions::{
    ContentInput, CreateSubmission, GradeWithAi, SubmissionView,
};
use lyceum_wire::identity::tokens::{FinishToken, StartToken};
use lyceum_wire::identity::users::CreateUser;
use lyceum_wire::notifying::webhooks::CreateWebhookEndpoint;
use serde_json::{Value, json};
use support::binary::Launch;
use support::receiver::Receiver;
use support::stores::Database;

use crate::service::{SOON, Service, place};

const PROVIDER_KEY: &str = "sk-canary-4f1c9a7e55";
const STUDENT_TEXT: &str = "canary-answer-of-a-student";
const PERSON: &str = "canary.person@example.org";
const TUTOR_TEXT: &str = "canary-question-to-the-tutor";

/// A service that logs all it can, with a provider that answers nothing useful.
async fn talkative(database: Database) -> (Service, Receiver, Receiver) {
    let provider = Receiver::answering([400]).await;
    let hook = Receiver::answering([200]).await;
    let launch = Launch::new()
        .env("LYCEUM_LOG", "trace")
        .env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8")
        .env("LYCEUM_WEBHOOK_SCHEDULE", "0,1,1,1")
        .env("LYCEUM_AI_PROVIDER", "openai")
        .env("LYCEUM_AI_PROFILE", "generic")
        .env("LYCEUM_AI_STRUCTURED", "prompt_only")
        .env("LYCEUM_AI_BASE_URL", &provider.url)
        .env("LYCEUM_AI_API_KEY", PROVIDER_KEY)
        .env("LYCEUM_AI_MODEL", "canary");
    (Service::start(place(launch, database)), provider, hook)
}

/// Uses every kind of secret once; all of them.
async fn tour(service: &Service, hook: &Receiver) -> Vec<String> {
    let client = service.client();
    let endpoint = CreateWebhookEndpoint {
        url: hook.url.clone(),
        ..CreateWebhookEndpoint::default()
    };
    let endpoint = client.webhook_endpoints().create(&endpoint).await.unwrap();
    let course = CreateCourse {
        name: "Cooling".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    let course = client.courses().create(&course).await.unwrap().id;
    let assignment = CreateAssignment {
        course_id: Some(course),
        name: "A plan".to_owned(),
        ..CreateAssignment::default()
    };
    let assignment = client.assignments().create(&assignment).await.unwrap().id;
    let student = CreateUser {
        email: PERSON.to_owned(),
        ..CreateUser::default()
    };
    let student = client.users().create(&student).await.unwrap().id;
    let submission = CreateSubmission {
        assignment_id: assignment,
        user_id: Some(student),
        content: Some(ContentInput {
            text: Some(STUDENT_TEXT.to_owned()),
            ..ContentInput::default()
        }),
        draft: Some(false),
        ..CreateSubmission::default()
    };
    let submission = client.submissions().create(&submission).await.unwrap().id;
    let asked = GradeWithAi::default();
    client
        .submissions()
        .grade_with_ai(&submission, &asked)
        .await
        .unwrap();
    let submissions = client.submissions();
    let look = || submissions.retrieve(&submission);
    let ended = |seen: &SubmissionView| seen.ai_status.as_deref() != Some("pending");
    wait_until(SOON, look, ended).await.unwrap();
    let token = client
        .tokens()
        .start(&StartToken {
            email: PERSON.to_owned(),
        })
        .await
        .unwrap()
        .token;
    let session = client
        .tokens()
        .finish(&FinishToken {
            token: token.clone(),
        })
        .await
        .unwrap()
        .api_key;
    assert!(
        client
            .tokens()
            .finish(&FinishToken {
                token: token.clone()
            })
            .await
            .is_err()
    );
    let tutored: Result<Value, _> = client
        .post(
            "/v1/lessons/les_00000000000000000000000000/tutor",
            &json!({"message": TUTOR_TEXT}),
        )
        .await;
    tutored.unwrap_err();
    let in_url: Result<Value, _> = client.get(&format!("/v1/me?api_key={}", service.key)).await;
    in_url.unwrap_err();
    let rotated = client
        .webhook_endpoints()
        .rotate_secret(&endpoint.id)
        .await
        .unwrap();
    let master = service.process.data_dir().join("master.key");
    vec![
        secret_part(&service.key),
        secret_part(&session),
        token,
        endpoint.secret.unwrap(),
        rotated.secret.unwrap(),
        fs::read_to_string(master).unwrap(),
    ]
}

/// What of a key is secret: all but its first segment and its checksum.
fn secret_part(key: &str) -> String {
    let segments: Vec<&str> = key.split('-').collect();
    segments[1..4].join("-")
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_secret_and_nothing_of_a_learner_s_is_ever_logged() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (mut service, provider, hook) = talkative(database).await;
        let mut canaries = tour(&service, &hook).await;
        let told = || async { Ok((provider.messages(), hook.messages())) };
        let (asked, _) = wait_until(SOON, told, |(asked, hooked)| {
            !asked.is_empty() && !hooked.is_empty()
        })
        .await
        .unwrap();
        // Otherwise this test would show nothing.
        assert!(asked.iter().any(|one| {
            String::from_utf8_lossy(&one.body).contains(STUDENT_TEXT)
                && one.header("authorization").contains(PROVIDER_KEY)
        }));
        service.process.terminate();
        canaries.extend([PROVIDER_KEY, STUDENT_TEXT, PERSON, TUTOR_TEXT].map(str::to_owned));
        let log = service.process.stderr();
        assert!(log.contains("TRACE"), "{log}");
        for canary in canaries {
            let found = log.lines().find(|line| line.contains(&canary));
            assert_eq!(found, None, "{canary}");
        }
    }
}
