//! Traces: one from a request over the job that it caused to the provider and the webhook.

use std::time::{Duration, Instant};

use lyceum_client::{Client, wait_until};
use lyceum_wire::notifying::webhooks::CreateWebhookEndpoint;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Told;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::{Value, json};
use support::binary::Launch;
use support::receiver::{Message, Receiver};
use support::scripted_provider::{ScriptedProvider, chat};
use support::stores::Database;
use tokio::net::TcpListener;

use crate::service::{SOON, Service, place};

const CALLER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const ANSWER: &str = "canary-answer: I use shallow pans.";
const STUDENT: &str = "canary.student@example.org";

/// What the model says of the submission.
fn grade() -> Value {
    json!({
        "criteria": [{
            "criterion_id": "method", "evidence": [{"text": "I use shallow pans.", "occurrence": 1}],
            "rationale": "canary-rationale", "level_id": null, "points": 3, "confidence": 0.9,
            "missing": [],
        }],
        "overall": {"strengths": [], "next_steps": [], "feedback": "canary-feedback"},
        "integrity": {
            "instructions_in_submission": false, "off_topic": false, "language": "en", "note": "",
        },
    })
}

fn launch(provider: &ScriptedProvider) -> Launch {
    Launch::new()
        .env("LYCEUM_LOG_FORMAT", "json")
        .env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8")
        .env("LYCEUM_WEBHOOK_SCHEDULE", "0,1,1,1")
        .env("LYCEUM_AI_PROVIDER", "openai")
        .env("LYCEUM_AI_STRUCTURED", "prompt_only")
        .env("LYCEUM_AI_BASE_URL", provider.base_url())
        .env("LYCEUM_AI_MODEL", "scripted-1")
}

async fn provider() -> ScriptedProvider {
    ScriptedProvider::deciding(|_| chat(&grade().to_string()).play()).await
}

async fn made(client: &Client, path: &str, body: &Value) -> String {
    let made: Value = client.post(path, body).await.unwrap();
    made["id"].as_str().unwrap().to_owned()
}

/// A submission that nobody has judged, and somebody who wants to hear when that changes.
async fn submission(client: &Client, hook: &Receiver) -> String {
    let endpoint = CreateWebhookEndpoint {
        url: hook.url.clone(),
        enabled_events: Some(vec!["submission.graded".to_owned()]),
        ..CreateWebhookEndpoint::default()
    };
    client.webhook_endpoints().create(&endpoint).await.unwrap();
    let course = json!({"name": "Food", "language": "en"});
    let course = made(client, "/v1/courses", &course).await;
    let rubric = json!({"criteria": [{"id": "method", "name": "Method", "max_points": 4}]});
    let assignment = json!({
        "course_id": course, "name": "Plan", "rubric": rubric, "human_review": "optional",
    });
    let assignment = made(client, "/v1/assignments", &assignment).await;
    let user = made(client, "/v1/users", &json!({"email": STUDENT})).await;
    let submission = json!({
        "assignment_id": assignment, "user_id": user,
        "content": {"type": "text", "text": ANSWER}, "draft": false,
    });
    made(client, "/v1/submissions", &submission).await
}

/// Has it graded by AI, by a caller who traces; the message that the receiver got.
async fn graded(service: &Service, hook: &Receiver) -> Message {
    let client = service.client();
    let id = submission(&client, hook).await;
    let url = format!("{}/v1/submissions/{id}/ai", service.process.url());
    let asked = reqwest::Client::new()
        .post(url)
        .header("x-api-key", &service.key)
        .header("x-learning-platform-code", "main")
        .header("traceparent", CALLER)
        .json(&json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(asked.status(), 202, "{}", asked.text().await.unwrap());
    let submission = client.submissions().wait(&id).within(SOON).await.unwrap();
    assert_eq!(submission.ai_status.as_deref(), Some("ready"));
    let look = || async { Ok(hook.messages()) };
    let seen = wait_until(SOON, look, |seen| !seen.is_empty()).await;
    seen.unwrap().remove(0)
}

/// What a collector was told.
fn spans(collector: &Receiver) -> Vec<Span> {
    let batches = collector.messages().into_iter();
    batches
        .map(|batch| ExportTraceServiceRequest::decode(batch.body.as_slice()).unwrap())
        .flat_map(|batch| batch.resource_spans)
        .flat_map(|resource| resource.scope_spans)
        .flat_map(|scope| scope.spans)
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    lyceum_domain::hex::lower(bytes)
}

/// The only span of this trace whose name begins so.
fn of_trace<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let mut found = spans
        .iter()
        .filter(|span| hex(&span.trace_id) == TRACE && span.name.starts_with(name));
    let span = found.next().unwrap_or_else(|| panic!("{name}: {spans:#?}"));
    assert!(found.next().is_none(), "{name} is there twice: {spans:#?}");
    span
}

fn told(span: &Span, name: &str) -> String {
    let mut attributes = span.attributes.iter();
    let found = attributes.find(|one| one.key == name);
    let value = found.and_then(|one| one.value.as_ref()?.value.as_ref());
    match value {
        Some(Told::StringValue(text)) => text.clone(),
        Some(Told::IntValue(number)) => number.to_string(),
        other => panic!("{name} of {}: {other:?}", span.name),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_its_job_the_provider_and_the_webhook_are_one_trace() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (collector, hook) = (
            Receiver::answering([]).await,
            Receiver::answering([500]).await,
        );
        let provider = provider().await;
        let launch = launch(&provider)
            .env("LYCEUM_OTLP_ENDPOINT", &collector.url)
            .env("OTEL_SERVICE_NAME", "our-lyceum");
        let mut service = Service::start(place(launch, database));
        let me: Value = service.client().get("/v1/me").await.unwrap();
        let first = graded(&service, &hook).await;
        let look = || async { Ok(hook.messages()) };
        let sent = wait_until(SOON, look, |seen| seen.len() == 2)
            .await
            .unwrap();
        assert!(service.process.terminate().success());

        let spans = spans(&collector);
        let request = of_trace(&spans, "POST /v1/submissions/{id}/ai");
        assert_eq!(hex(&request.parent_span_id), "b7ad6b7169203331");
        assert_eq!(told(request, "http.response.status_code"), "202");
        assert_eq!(
            told(request, "lyceum.key.id"),
            me["key"]["id"].as_str().unwrap()
        );
        assert!(told(request, "lyceum.workspace.id").starts_with("wsp_"));
        assert!(told(request, "lyceum.request.id").starts_with("req_"));
        let job = of_trace(&spans, "job grade_submission");
        assert_eq!(job.parent_span_id, request.span_id);
        assert_eq!(told(job, "lyceum.job.outcome"), "done");
        assert_eq!(told(job, "lyceum.job.attempt"), "1");
        let call = of_trace(&spans, "ai grading");
        assert_eq!(call.parent_span_id, job.span_id);
        assert_eq!(told(call, "gen_ai.request.model"), "scripted-1");
        assert_eq!(told(call, "gen_ai.usage.input_tokens"), "100");
        assert_eq!(told(call, "gen_ai.usage.output_tokens"), "20");
        assert_eq!(told(call, "lyceum.ai.outcome"), "answered");
        assert!(job.start_time_unix_nano <= call.start_time_unix_nano);
        assert!(call.end_time_unix_nano <= job.end_time_unix_nano);

        let mut attempts: Vec<&Span> = spans
            .iter()
            .filter(|span| span.name == "webhook submission.graded")
            .collect();
        attempts.sort_by_key(|span| span.start_time_unix_nano);
        assert_eq!(attempts.len(), 2, "{attempts:#?}");
        let outcomes = [("retried", "500"), ("delivered", "204")];
        for (number, ((attempt, message), (outcome, status))) in
            (1..).zip(attempts.iter().zip([first, sent[1].clone()]).zip(outcomes))
        {
            assert_eq!(attempt.parent_span_id, job.span_id);
            assert_eq!(
                told(attempt, "lyceum.delivery.attempt"),
                format!("{number}")
            );
            assert_eq!(told(attempt, "lyceum.delivery.outcome"), outcome);
            assert_eq!(told(attempt, "http.response.status_code"), status);
            let header = format!("00-{TRACE}-{}-01", hex(&attempt.span_id));
            assert_eq!(message.header("traceparent"), header);
        }
        assert_alone_and_silent(&service, &collector, &spans);
    }
}

/// Nothing else is in the caller's trace, the log names it, and nothing of people or secrets was told.
fn assert_alone_and_silent(service: &Service, collector: &Receiver, spans: &[Span]) {
    let in_trace = spans.iter().filter(|span| hex(&span.trace_id) == TRACE);
    assert_eq!(in_trace.count(), 5);
    assert!(spans.iter().any(|span| span.name == "POST /v1/users"));
    let log = service.process.stderr();
    let lines = log.lines().filter(|line| line.contains("lyceum::access"));
    let named: Vec<&str> = lines.filter(|line| line.contains(TRACE)).collect();
    assert!(named.len() == 1 && named[0].contains("/ai"), "{named:?}");
    let told: Vec<u8> = collector
        .messages()
        .into_iter()
        .flat_map(|one| one.body)
        .collect();
    let told = String::from_utf8_lossy(&told);
    assert!(told.contains("our-lyceum"));
    for secret in ["canary", "sub_", "usr_", service.key.as_str(), "/hook"] {
        assert!(!told.contains(secret), "{secret} was told");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_no_traces_are_sent_the_callers_goes_on_to_the_receiver() {
    let hook = Receiver::answering([]).await;
    let provider = provider().await;
    let mut service = Service::start(launch(&provider));
    let message = graded(&service, &hook).await;
    assert_eq!(message.header("traceparent"), CALLER);
    service.process.terminate();
    assert!(service.process.stderr().contains(TRACE));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_away_or_hangs_harms_nothing() {
    let hanging = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let hanging = hanging.local_addr().unwrap();
    for endpoint in ["http://127.0.0.1:9".to_owned(), format!("http://{hanging}")] {
        let hook = Receiver::answering([]).await;
        let provider = provider().await;
        let launch = launch(&provider).env("LYCEUM_OTLP_ENDPOINT", &endpoint);
        let mut service = Service::start(launch);
        graded(&service, &hook).await;
        // Time enough for batches to be tried.
        tokio::time::sleep(Duration::from_secs(8)).await;
        let begun = Instant::now();
        for _ in 0..50 {
            let _: Value = service.client().get("/v1/me").await.unwrap();
        }
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
        let begun = Instant::now();
        assert!(service.process.terminate().success());
        assert!(
            begun.elapsed() < Duration::from_secs(15),
            "{:?}",
            begun.elapsed()
        );
        let log = service.process.stderr();
        assert_eq!(
            log.matches("the collector takes no spans").count(),
            1,
            "{log}"
        );
    }
}
