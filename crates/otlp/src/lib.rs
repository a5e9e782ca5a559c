//! Spans on their way to a collector: OTLP over HTTP, in the background.
//!
//! A span is put into a queue of limited length when it ends, and a thread of its own sends what is in it; while the
//! collector is slow or away, what does not fit is dropped. Nobody waits, and nothing but spans is lost.

mod client;
mod spans;

use std::time::Duration;

use lyceum_ports::traces::{NewSpan, Span, Traces};
use opentelemetry::trace::TracerProvider;
use opentelemetry::{KeyValue, trace};
use opentelemetry_otlp::{
    ExporterBuildError, SpanExporter, WithExportConfig as _, WithHttpConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider,
};
use thiserror::Error;
use url::Url;

use client::Client;
use spans::SentSpan;

/// Spans that wait to be sent; what ends beyond them is dropped.
const QUEUE: usize = 4096;
/// Spans that are sent at once.
const BATCH: usize = 512;
/// How long spans wait for others.
const DELAY: Duration = Duration::from_secs(2);
/// How long the collector may take to accept spans, second tries included.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where spans go, and of whom they tell.
#[derive(Debug, Clone)]
pub struct OtlpSettings {
    /// Where the collector takes OTLP over HTTP; `/v1/traces` is added.
    pub endpoint: Url,
    /// `service.name`.
    pub service: String,
    /// `service.version`.
    pub version: &'static str,
    /// `service.instance.id`: which of several nodes this is.
    pub instance: String,
    /// How many of the traces that begin here are kept, between 0 and 1. In a trace of a caller the caller decides.
    pub ratio: f64,
}

/// Why no spans can be sent.
#[derive(Debug, Error)]
pub enum OtlpError {
    /// The address is none.
    #[error("{0} is no address of a collector: it must begin with http:// or https://")]
    Endpoint(Url),
    /// The client cannot be made.
    #[error("no client could be made")]
    Client(#[from] reqwest::Error),
    /// The exporter cannot be made.
    #[error("no exporter could be made")]
    Exporter(#[from] ExporterBuildError),
}

/// Sends spans.
#[derive(Debug)]
pub struct Otlp {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Otlp {
    /// Gets ready to send; whether anybody is there shows later, and only in the log. Belongs into the runtime that
    /// shall do the sending.
    ///
    /// # Errors
    /// [`OtlpError`]
    pub fn open(settings: OtlpSettings) -> Result<Self, OtlpError> {
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Client::new(PATIENCE)?)
            .with_endpoint(address(&settings.endpoint)?)
            .with_timeout(PATIENCE)
            .build()?;
        let queue = BatchConfigBuilder::default()
            .with_max_queue_size(QUEUE)
            .with_max_export_batch_size(BATCH)
            .with_scheduled_delay(DELAY)
            .build();
        let batches = BatchSpanProcessor::builder(exporter)
            .with_batch_config(queue)
            .build();
        let sampler = Sampler::parent_based(Sampler::TraceIdRatioBased(settings.ratio));
        let resource = Resource::builder()
            .with_service_name(settings.service)
            .with_attributes([
                KeyValue::new("service.version", settings.version),
                KeyValue::new("service.instance.id", settings.instance),
            ]);
        let provider = SdkTracerProvider::builder()
            .with_span_processor(batches)
            .with_sampler(sampler)
            .with_resource(resource.build())
            .build();
        let tracer = provider.tracer("lyceum");
        Ok(Self { provider, tracer })
    }

    /// Sends what waits, for no longer than this, and takes no more. It holds up the thread that it is called on.
    pub fn close(&self, patience: Duration) {
        if let Err(error) = self.provider.shutdown_with_timeout(patience) {
            tracing::warn!(%error, "the last spans could not be sent");
        }
    }
}

/// Where traces are taken, at a collector that takes more.
fn address(endpoint: &Url) -> Result<String, OtlpError> {
    if !["http", "https"].contains(&endpoint.scheme()) {
        return Err(OtlpError::Endpoint(endpoint.clone()));
    }
    let base = endpoint.as_str().trim_end_matches('/');
    Ok(format!("{base}/v1/traces"))
}

impl Traces for Otlp {
    fn begin(&self, span: NewSpan) -> Option<Box<dyn Span>> {
        let begun = SentSpan::begin(&self.tracer, span)?;
        Some(Box::new(begun))
    }
}

/// Which side of an exchange a span is, in OpenTelemetry's words.
const fn kind_of(kind: lyceum_ports::traces::SpanKind) -> trace::SpanKind {
    match kind {
        lyceum_ports::traces::SpanKind::Server => trace::SpanKind::Server,
        lyceum_ports::traces::SpanKind::Client => trace::SpanKind::Client,
        lyceum_ports::traces::SpanKind::Consumer => trace::SpanKind::Consumer,
    }
}

#[cfg(test)]
mod tests;
