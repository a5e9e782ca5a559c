//! The log of a service that tells everything it does tells no secret, and nothing that a learner wrote.

use std::fs;
use std::sync::mpsc;
use std::thread;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
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
use support::identity_provider::{CLIENT_ID, IdentityProvider};
use support::receiver::Receiver;
use support::stores::Database;

use crate::service::{SOON, Service, place};
use crate::webhooks::now;

const PROVIDER_KEY: &str = "sk-canary-4f1c9a7e55";
const STUDENT_TEXT: &str = "canary-answer-of-a-student";
const PERSON: &str = "canary.person@example.org";
const TUTOR_TEXT: &str = "canary-question-to-the-tutor";
const CLIENT_SECRET: &str = "canary-5e0c1f7ab2d94c36";

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

/// An identity provider that says that everybody is Grace. Its kind of runtime is not that of these tests.
fn provider() -> IdentityProvider {
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            tell.send(IdentityProvider::start(now())).unwrap();
            std::future::pending::<()>().await;
        });
    });
    let provider = told.recv().unwrap();
    CLIENT_SECRET.clone_into(&mut provider.conduct().secret);
    provider.say(json!({"email": "grace@school.example", "email_verified": true}));
    provider
}

/// What a browser holds that has this answer.
fn held(answer: &reqwest::Response) -> String {
    let set = answer.headers()["set-cookie"].to_str().unwrap();
    set.split(';').next().unwrap().to_owned()
}

/// What a page of the service asks, and what its browser holds then.
async fn asked(service: &Service, path: &str, body: Value) -> (Value, String) {
    let request = reqwest::Client::new()
        .post(format!("{}{path}", service.process.url()))
        .json(&body);
    let answer = request.send().await.unwrap();
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    let held = held(&answer);
    (answer.json().await.unwrap(), held)
}

/// What a link ends with.
fn end(link: &Value) -> String {
    let link = link.as_str().unwrap();
    link.rsplit('/').next().unwrap().to_owned()
}

/// What of a cookie is secret that holds a session.
fn session_in(cookie: &str) -> String {
    secret_part(cookie.split_once('=').unwrap().1)
}

/// Comes in by a link that the shell prints and by an invitation; all that let somebody in.
async fn by_links(service: &Service) -> Vec<String> {
    let asking = [
        "sign-in",
        "--email",
        "owner@localhost.localdomain",
        "--json",
    ];
    let printed = service.process.run(&asking);
    let said = String::from_utf8_lossy(&printed.stderr).into_owned();
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    let link = end(&printed["url"]);
    assert!(!said.contains(&link), "{said}");
    let (_, mine) = asked(service, "/v1/sign_in", json!({"token": link})).await;
    let me = reqwest::Client::new()
        .get(format!("{}/v1/me", service.process.url()))
        .header("lyceum-session", "1")
        .header("cookie", &mine);
    assert_eq!(me.send().await.unwrap().status(), 200);
    let client = service.client();
    let guest = json!({"email": "guest@school.example", "role": "teacher"});
    let guest: Value = client.post("/v1/users", &guest).await.unwrap();
    let path = format!("/v1/users/{}/invitation", guest["id"].as_str().unwrap());
    let shown: Value = client.post(&path, &json!({})).await.unwrap();
    let invitation = end(&shown["url"]);
    let accept = "/v1/sign_in/invitations/accept";
    let (_, theirs) = asked(service, accept, json!({"token": invitation})).await;
    vec![link, session_in(&mine), invitation, session_in(&theirs)]
}

/// Comes in by an organisation; all that let somebody in, and by what we prove there that it is us.
async fn by_organisation(service: &Service, provider: &IdentityProvider) -> Vec<String> {
    let given = ["domains", "assign", "school.example", "--workspace", "main"];
    assert!(service.process.run(&given).status.success());
    let connection = json!({
        "name": "School", "issuer": provider.issuer, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET,
        "domains": ["school.example"], "just_in_time": true,
    });
    let made: Result<Value, _> = service
        .client()
        .post("/v1/sso_connections", &connection)
        .await;
    made.unwrap();
    let grace = json!({"email": "grace@school.example"});
    let (left, asker) = asked(service, "/v1/sign_in/sso", grace).await;
    let brought = provider.visit(left["url"].as_str().unwrap());
    let back = format!("{}/v1/sign_in/sso/callback", service.process.url());
    let back = reqwest::Url::parse_with_params(&back, &brought).unwrap();
    let stay = reqwest::redirect::Policy::none();
    let http = reqwest::Client::builder().redirect(stay).build().unwrap();
    let came = http.get(back).header("cookie", &asker).send().await;
    let came = came.unwrap();
    assert_eq!(came.status(), 303);
    let asker = asker.split_once('=').unwrap().1;
    vec![
        CLIENT_SECRET.to_owned(),
        STANDARD.encode(format!("{CLIENT_ID}:{CLIENT_SECRET}")),
        brought["state"].clone(),
        brought["code"].clone(),
        provider.asked()["nonce"].clone(),
        "open sesame".to_owned(),
        asker.to_owned(),
        session_in(&held(&came)),
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
        let organisation = self::provider();
        let mut canaries = tour(&service, &hook).await;
        canaries.extend(by_links(&service).await);
        canaries.extend(by_organisation(&service, &organisation).await);
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
