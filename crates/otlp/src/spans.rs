//! Our spans in OpenTelemetry's words.

use std::num::{NonZeroU64, NonZeroU128};

use lyceum_ports::traces::{NewSpan, Span, SpanValue, TraceParent};
use opentelemetry::trace::{
    Span as _, SpanContext, SpanId, Status, TraceContextExt, TraceFlags, TraceId, TraceState,
    Tracer,
};
use opentelemetry::{Context, KeyValue, Value};
use opentelemetry_sdk::trace::{SdkTracer, Span as SdkSpan};

use crate::kind_of;

/// A span that is sent when it is dropped.
pub struct SentSpan {
    span: SdkSpan,
    place: TraceParent,
}

impl SentSpan {
    /// Begins one; none any more after the last were sent.
    pub fn begin(tracer: &SdkTracer, new: NewSpan) -> Option<Self> {
        let NewSpan {
            name,
            kind,
            parent,
            ago,
        } = new;
        let around = Context::new();
        let around = match parent {
            Some(parent) => around.with_remote_span_context(context_of(parent)),
            None => around,
        };
        let now = opentelemetry::time::now();
        let span = tracer
            .span_builder(name)
            .with_kind(kind_of(kind))
            .with_start_time(now.checked_sub(ago).unwrap_or(now))
            .start_with_context(tracer, &around);
        let place = place_of(span.span_context())?;
        Some(Self { span, place })
    }
}

impl Span for SentSpan {
    fn place(&self) -> TraceParent {
        self.place
    }

    fn note(&mut self, name: &'static str, value: SpanValue) {
        let value = match value {
            SpanValue::Text(text) => Value::from(text),
            SpanValue::Number(number) => Value::from(i64::try_from(number).unwrap_or(i64::MAX)),
        };
        self.span.set_attribute(KeyValue::new(name, value));
    }

    fn fail(&mut self) {
        // Words would be somebody's; the attributes say what happened.
        self.span.set_status(Status::error(""));
    }
}

fn context_of(place: TraceParent) -> SpanContext {
    SpanContext::new(
        TraceId::from(place.trace_id().get()),
        SpanId::from(place.span_id().get()),
        TraceFlags::default().with_sampled(place.is_sampled()),
        true,
        TraceState::default(),
    )
}

fn place_of(context: &SpanContext) -> Option<TraceParent> {
    let trace_id = u128::from_be_bytes(context.trace_id().to_bytes());
    let span_id = u64::from_be_bytes(context.span_id().to_bytes());
    Some(TraceParent::new(
        NonZeroU128::new(trace_id)?,
        NonZeroU64::new(span_id)?,
        context.is_sampled(),
    ))
}
