use std::num::{NonZeroU64, NonZeroU128};
use std::time::Instant;

use lyceum_ports::traces::{SpanKind, TraceParent};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span as Received;
use prost::Message;
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;

fn settings(endpoint: &str, ratio: f64) -> OtlpSettings {
    OtlpSettings {
        endpoint: Url::parse(endpoint).unwrap(),
        service: "lyceum".to_owned(),
        version: "1.2.3",
        instance: "node".to_owned(),
        ratio,
    }
}

fn span(name: &str, parent: Option<TraceParent>) -> NewSpan {
    NewSpan {
        name: name.to_owned(),
        kind: SpanKind::Client,
        parent,
        ago: Duration::from_secs(3),
    }
}

fn caller(sampled: bool) -> TraceParent {
    let trace_id = NonZeroU128::new(7).unwrap();
    TraceParent::new(trace_id, NonZeroU64::new(8).unwrap(), sampled)
}

async fn close(otlp: Otlp, patience: Duration) {
    let closing = move || otlp.close(patience);
    tokio::task::spawn_blocking(closing).await.unwrap();
}

/// A collector that takes everything.
async fn collector() -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/otlp/v1/traces"))
        .and(header("content-type", "application/x-protobuf"))
        .respond_with(ResponseTemplate::new(200))
        .mount(&server)
        .await;
    server
}

async fn received(server: &MockServer) -> Vec<Received> {
    let requests = server.received_requests().await.unwrap();
    requests
        .iter()
        .map(|request| ExportTraceServiceRequest::decode(request.body.as_slice()).unwrap())
        .flat_map(|batch| batch.resource_spans)
        .flat_map(|resource| resource.scope_spans)
        .flat_map(|scope| scope.spans)
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_ended_is_sent_before_the_end_with_its_parent_and_what_was_said() {
    let server = collector().await;
    let otlp = Otlp::open(settings(&format!("{}/otlp/", server.uri()), 1.0)).unwrap();
    let mut call = otlp.begin(span("ai grading", Some(caller(true)))).unwrap();
    assert_eq!(call.place().trace_id(), caller(true).trace_id());
    assert_ne!(call.place().span_id(), caller(true).span_id());
    call.note("lyceum.ai.outcome", "refused".into());
    call.note("gen_ai.usage.input_tokens", 900.into());
    call.fail();
    let place = call.place();
    drop(call);
    close(otlp, Duration::from_secs(10)).await;
    let spans = received(&server).await;
    let [told] = spans.as_slice() else {
        panic!("{spans:?}")
    };
    assert_eq!(told.name, "ai grading");
    assert_eq!(told.parent_span_id, 8_u64.to_be_bytes());
    assert_eq!(told.span_id, place.span_id().get().to_be_bytes());
    let seconds = told.end_time_unix_nano - told.start_time_unix_nano;
    assert!(seconds >= 3_000_000_000, "{seconds}");
    assert_eq!(told.attributes.len(), 2);
    assert_eq!(told.status.as_ref().unwrap().code, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_decides_of_their_trace_and_the_ratio_of_all_others() {
    let server = collector().await;
    let otlp = Otlp::open(settings(&format!("{}/otlp", server.uri()), 0.0)).unwrap();
    let theirs = otlp.begin(span("theirs", Some(caller(true)))).unwrap();
    let unwanted = otlp.begin(span("unwanted", Some(caller(false)))).unwrap();
    let own = otlp.begin(span("own", None)).unwrap();
    assert!(theirs.place().is_sampled());
    assert!(!unwanted.place().is_sampled() && !own.place().is_sampled());
    assert_eq!(unwanted.place().trace_id(), caller(false).trace_id());
    drop((theirs, unwanted, own));
    close(otlp, Duration::from_secs(10)).await;
    let names: Vec<String> = received(&server)
        .await
        .into_iter()
        .map(|it| it.name)
        .collect();
    assert_eq!(names, ["theirs"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_hangs_keeps_nobody_waiting() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let otlp = Otlp::open(settings(&endpoint, 1.0)).unwrap();
    let begun = Instant::now();
    // More than the queue holds.
    for _ in 0..=QUEUE * 2 {
        drop(otlp.begin(span("a", None)));
    }
    close(otlp, Duration::from_millis(300)).await;
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
}

#[test]
fn only_http_is_an_address() {
    let parse = |text| address(&Url::parse(text).unwrap());
    assert_eq!(parse("http://a:4318").unwrap(), "http://a:4318/v1/traces");
    assert_eq!(parse("https://a/b/").unwrap(), "https://a/b/v1/traces");
    assert!(parse("grpc://a:4317").is_err());
}
