//! A provider that hangs, and the real process: its workers have lanes.

use lyceum_client::{Client, wait_until};
use lyceum_wire::exporting::scorm::CreateScormPackage;
use serde_json::{Value, json};
use support::binary::Launch;
use support::scripted_provider::{Play, ScriptedProvider};

use crate::service::{SOON, Service};

async fn made(client: &Client, path: &str, new: &Value) -> String {
    let made: Value = client.post(path, new).await.unwrap();
    made["id"].as_str().unwrap().to_owned()
}

/// A cohort, and twelve submissions that wait for AI.
pub async fn waiting(client: &Client) -> (String, Vec<String>) {
    waiting_for(client, 12).await
}

/// A cohort, and so many submissions that wait for AI.
pub async fn waiting_for(client: &Client, count: usize) -> (String, Vec<String>) {
    let course = json!({"name": "Food", "language": "en"});
    let course = made(client, "/v1/courses", &course).await;
    let unit = json!({"course_id": course, "name": "Cooling"});
    let unit = made(client, "/v1/units", &unit).await;
    let lesson = json!({"unit_id": unit, "name": "The danger zone", "content": "Keep it cold."});
    made(client, "/v1/lessons", &lesson).await;
    let assignment = json!({"course_id": course, "name": "Plan"});
    let assignment = made(client, "/v1/assignments", &assignment).await;
    let cohort = json!({"course_id": course, "name": "Spring"});
    let cohort = made(client, "/v1/cohorts", &cohort).await;
    let mut submissions = Vec::new();
    for n in 0..count {
        let user = json!({"email": format!("student{n}@school.example")});
        let submission = json!({
            "assignment_id": assignment, "user_id": made(client, "/v1/users", &user).await,
            "content": {"type": "text", "text": "I use shallow pans."}, "draft": false,
        });
        let id = made(client, "/v1/submissions", &submission).await;
        made(client, &format!("/v1/submissions/{id}/ai"), &json!({})).await;
        submissions.push(id);
    }
    (cohort, submissions)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_hangs_keeps_no_package_waiting() {
    let provider = ScriptedProvider::deciding(|_| Play::Hang).await;
    let service = Service::start(
        Launch::new()
            .env("LYCEUM_AI_PROVIDER", "openai")
            .env("LYCEUM_AI_BASE_URL", provider.base_url())
            .env("LYCEUM_AI_MODEL", "scripted-1"),
    );
    let client = service.client();
    let (cohort, submissions) = waiting(&client).await;
    let look = || async { Ok(provider.requests().len()) };
    // As many as one workspace may have under way: as many as other jobs have room in all.
    wait_until(SOON, look, |hanging| *hanging >= 4)
        .await
        .unwrap();
    let wanted = CreateScormPackage {
        cohort_id: cohort,
        ..CreateScormPackage::default()
    };
    let package = client.scorm().create(&wanted).await.unwrap().id.clone();
    let package = client.scorm().wait(&package).within(SOON).await.unwrap();
    assert_eq!(package.status, "ready");
    for id in &submissions {
        let submission = client.submissions().retrieve(id).await.unwrap();
        assert_eq!(submission.ai_status.as_deref(), Some("pending"));
    }
    assert_eq!(provider.requests().len(), 4, "the rest of its queue waits");
}
