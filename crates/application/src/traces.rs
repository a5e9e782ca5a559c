//! Spans of what is done: a request, a job that it caused, the calls to AI providers and the deliveries of webhooks that
//! came of it. Where nobody takes spans, what a caller sent still travels on, so that their trace and the receivers'
//! stay one.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use lyceum_ports::drafting::ai_calls::{AiCall, CallOutcome, CallWatcher};
pub use lyceum_ports::traces::{NewSpan, Span, SpanKind, SpanValue, TraceParent, Traces};

/// Who takes spans, if anybody does; clones are the same.
#[derive(Clone, Default)]
pub struct Tracing(Option<Arc<dyn Traces>>);

impl Tracing {
    /// Spans go there.
    pub fn to(traces: Arc<dyn Traces>) -> Self {
        Self(Some(traces))
    }

    /// Begins a span.
    pub fn begin(
        &self,
        kind: SpanKind,
        parent: Option<TraceParent>,
        name: impl FnOnce() -> String,
    ) -> OpenSpan {
        self.begun(Duration::ZERO, kind, parent, name)
    }

    fn begun(
        &self,
        ago: Duration,
        kind: SpanKind,
        parent: Option<TraceParent>,
        name: impl FnOnce() -> String,
    ) -> OpenSpan {
        let span = self.0.as_ref().and_then(|traces| {
            traces.begin(NewSpan {
                name: name(),
                kind,
                parent,
                ago,
            })
        });
        OpenSpan { span, parent }
    }

    /// Who makes spans of the calls of a meter; nobody, where nobody takes them.
    pub fn calls(&self, parent: Option<TraceParent>) -> Option<Arc<dyn CallWatcher>> {
        let tracing = self.clone();
        self.0.as_ref()?;
        Some(Arc::new(TracedCalls { tracing, parent }))
    }
}

impl fmt::Debug for Tracing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tracing({})", self.0.is_some())
    }
}

/// Something that is being done. It ends when it is dropped.
pub struct OpenSpan {
    span: Option<Box<dyn Span>>,
    parent: Option<TraceParent>,
}

impl OpenSpan {
    /// Where what it causes belongs.
    pub fn place(&self) -> Option<TraceParent> {
        self.span.as_ref().map(|span| span.place()).or(self.parent)
    }

    /// Says more of it, if anybody keeps that.
    pub fn describe(&mut self, tell: impl FnOnce(&mut dyn Span)) {
        if let Some(span) = &mut self.span
            && span.place().is_sampled()
        {
            tell(span.as_mut());
        }
    }
}

/// Makes a span of each call to an AI provider.
#[derive(Debug)]
struct TracedCalls {
    tracing: Tracing,
    parent: Option<TraceParent>,
}

impl CallWatcher for TracedCalls {
    fn called(&self, call: &AiCall) {
        let name = || format!("ai {}", call.feature);
        let mut span = self
            .tracing
            .begun(call.latency, SpanKind::Client, self.parent, name);
        span.describe(|span| {
            span.note("server.address", call.host.as_str().into());
            span.note("gen_ai.request.model", call.model_asked.as_str().into());
            if let Some(model) = &call.model {
                span.note("gen_ai.response.model", model.as_str().into());
            }
            span.note("gen_ai.usage.input_tokens", call.usage.tokens_in.into());
            span.note("gen_ai.usage.output_tokens", call.usage.tokens_out.into());
            span.note("lyceum.ai.feature", call.feature.as_str().into());
            span.note("lyceum.ai.outcome", call.outcome.as_str().into());
            if call.outcome != CallOutcome::Answered {
                span.fail();
            }
        });
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::num::{NonZeroU64, NonZeroU128};
    use std::sync::{Mutex, PoisonError};

    use lyceum_ports::drafting::ai::Usage;
    use lyceum_ports::drafting::ai_calls::{AiFeature, Meter};

    use super::*;

    /// A span as it ended.
    #[derive(Debug, Clone)]
    pub(crate) struct Ended {
        pub(crate) begun: NewSpan,
        pub(crate) place: TraceParent,
        pub(crate) said: Vec<(&'static str, SpanValue)>,
        pub(crate) failed: bool,
    }

    impl Ended {
        pub(crate) fn said(&self, name: &str) -> Option<&SpanValue> {
            let mut said = self.said.iter();
            said.find(|(one, _)| *one == name).map(|(_, value)| value)
        }
    }

    /// Keeps every span.
    #[derive(Debug, Default)]
    pub(crate) struct Kept(Arc<Mutex<(u64, Vec<Ended>)>>);

    struct KeptSpan(Ended, Arc<Mutex<(u64, Vec<Ended>)>>);

    impl Kept {
        pub(crate) fn ended(&self) -> Vec<Ended> {
            self.0.lock().unwrap().1.clone()
        }
    }

    pub(crate) fn place(trace: u128, span: u64, sampled: bool) -> TraceParent {
        let trace = NonZeroU128::new(trace).unwrap();
        TraceParent::new(trace, NonZeroU64::new(span).unwrap(), sampled)
    }

    impl Traces for Kept {
        fn begin(&self, begun: NewSpan) -> Option<Box<dyn Span>> {
            let mut kept = self.0.lock().unwrap();
            kept.0 += 1;
            let parent = begun.parent.unwrap_or(place(99, 99, true));
            let own = place(parent.trace_id().get(), 1000 + kept.0, parent.is_sampled());
            let ended = Ended {
                begun,
                place: own,
                said: Vec::new(),
                failed: false,
            };
            Some(Box::new(KeptSpan(ended, Arc::clone(&self.0))))
        }
    }

    impl Span for KeptSpan {
        fn place(&self) -> TraceParent {
            self.0.place
        }

        fn note(&mut self, name: &'static str, value: SpanValue) {
            self.0.said.push((name, value));
        }

        fn fail(&mut self) {
            self.0.failed = true;
        }
    }

    impl Drop for KeptSpan {
        fn drop(&mut self) {
            let mut kept = self.1.lock().unwrap_or_else(PoisonError::into_inner);
            kept.1.push(self.0.clone());
        }
    }

    fn call(outcome: CallOutcome) -> AiCall {
        AiCall {
            feature: AiFeature::Grading,
            host: "ai.example".to_owned(),
            model_asked: "m".to_owned(),
            model: Some("m-2026".to_owned()),
            request_id: None,
            usage: Usage {
                tokens_in: 900,
                tokens_out: 100,
                tokens_cached: 0,
            },
            estimated: false,
            cost: None,
            latency: Duration::from_millis(250),
            outcome,
            sent: vec!["submission_text"],
            reservation: None,
        }
    }

    #[test]
    fn without_anybody_who_takes_spans_the_callers_place_travels_on() {
        let caller = place(7, 8, true);
        let none = Tracing::default();
        let span = none.begin(SpanKind::Server, Some(caller), || unreachable!());
        assert_eq!(span.place(), Some(caller));
        assert!(none.calls(Some(caller)).is_none());
        let alone = none.begin(SpanKind::Server, None, || unreachable!());
        assert_eq!(alone.place(), None);
    }

    #[test]
    fn a_call_is_a_span_as_it_ends_and_once_whatever_meter_it_ends_up_on() {
        let kept = Arc::new(Kept::default());
        let tracing = Tracing::to(kept.clone());
        let parent = place(7, 8, true);
        let meter = Meter::default().watched(tracing.calls(Some(parent)));
        let part = Meter::default().watched(meter.watcher());
        part.record(call(CallOutcome::Answered));
        for call in part.take() {
            meter.take_over(call);
        }
        meter.record(call(CallOutcome::Refused));
        let ended = kept.ended();
        assert_eq!(ended.len(), 2);
        let answered = &ended[0];
        assert_eq!(answered.begun.parent, Some(parent));
        assert_eq!(answered.begun.ago, Duration::from_millis(250));
        assert_eq!(answered.begun.name, "ai grading");
        assert_eq!(answered.said("gen_ai.request.model"), Some(&"m".into()));
        let tokens = answered.said("gen_ai.usage.input_tokens");
        assert_eq!(tokens, Some(&900.into()));
        assert!(!answered.failed && ended[1].failed);
    }

    #[test]
    fn of_what_nobody_keeps_nothing_is_said() {
        let kept = Arc::new(Kept::default());
        let tracing = Tracing::to(kept.clone());
        let mut span = tracing.begin(SpanKind::Server, Some(place(7, 8, false)), || "a".into());
        span.describe(|_| unreachable!());
        drop(span);
        assert!(kept.ended()[0].said.is_empty());
    }
}
