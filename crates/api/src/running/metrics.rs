//! What the edge counts.

use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use prometheus::core::Collector;
use prometheus::{HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Result};

/// From half a millisecond to the longest that a request may take.
const SECONDS: &[f64] = &[
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
    60.0,
];
/// The route of what is at no path.
pub const UNMATCHED: &str = "unmatched";

/// Answers, by what was asked and how it was answered.
#[derive(Debug)]
pub struct Metrics {
    requests: IntCounterVec,
    durations: HistogramVec,
    in_flight: IntGauge,
    /// Requests that wait for others of their caller.
    pub waiting: IntGauge,
    /// Bytes of large answers that are not sent yet.
    pub unsent: IntGauge,
    classes: IntCounterVec,
    /// Those of `classes`, from 1xx to 5xx.
    by_class: [IntCounter; 5],
}

impl Metrics {
    /// New, with nothing counted.
    ///
    /// # Errors
    /// Only if a name in here is not one that Prometheus takes.
    pub fn new() -> Result<Self> {
        let classes = IntCounterVec::new(
            Opts::new("lyceum_http_responses_total", "Answers by class of status."),
            &["class"],
        )?;
        let by_class =
            ["1xx", "2xx", "3xx", "4xx", "5xx"].map(|class| classes.with_label_values(&[class]));
        Ok(Self {
            requests: IntCounterVec::new(
                Opts::new(
                    "lyceum_http_requests_total",
                    "Answers by method, route and status.",
                ),
                &["method", "route", "status"],
            )?,
            durations: HistogramVec::new(
                HistogramOpts::new(
                    "lyceum_http_request_duration_seconds",
                    "Time from the headers of a request to those of its answer.",
                )
                .buckets(SECONDS.to_vec()),
                &["method", "route"],
            )?,
            in_flight: IntGauge::new(
                "lyceum_http_requests_in_flight",
                "Requests that are being answered.",
            )?,
            waiting: IntGauge::new(
                "lyceum_http_requests_waiting",
                "Requests that wait for earlier ones of the same key or address.",
            )?,
            unsent: IntGauge::new(
                "lyceum_http_unsent_bytes",
                "Bytes of large answers that their callers have not read yet.",
            )?,
            classes,
            by_class,
        })
    }

    /// What is to be registered.
    pub fn collectors(&self) -> Vec<Box<dyn Collector>> {
        vec![
            Box::new(self.requests.clone()),
            Box::new(self.durations.clone()),
            Box::new(self.in_flight.clone()),
            Box::new(self.waiting.clone()),
            Box::new(self.unsent.clone()),
            Box::new(self.classes.clone()),
        ]
    }

    /// A request came; it is being answered until this is dropped.
    pub fn begin(&self) -> InFlight {
        self.in_flight.inc();
        InFlight {
            gauge: self.in_flight.clone(),
            since: Instant::now(),
        }
    }

    /// Counts an answer.
    pub fn count(&self, method: &Method, route: &'static str, status: StatusCode, took: Duration) {
        let method = known(method);
        self.requests
            .with_label_values(&[method, route, status.as_str()])
            .inc();
        self.durations
            .with_label_values(&[method, route])
            .observe(took.as_secs_f64());
        let class = usize::from(status.as_u16() / 100).saturating_sub(1);
        if let Some(counter) = self.by_class.get(class) {
            counter.inc();
        }
    }
}

/// The methods that there are; callers do not choose how many series there will be.
pub fn known(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "POST" => "POST",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// A request that is being answered.
pub struct InFlight {
    gauge: IntGauge,
    since: Instant,
}

impl InFlight {
    /// For how long it has been.
    pub fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.gauge.dec();
    }
}

#[cfg(test)]
mod tests {
    use prometheus::{Encoder, Registry, TextEncoder};

    use super::*;

    fn text(metrics: &Metrics) -> String {
        let registry = Registry::new();
        for collector in metrics.collectors() {
            registry.register(collector).unwrap();
        }
        let mut text = Vec::new();
        TextEncoder::new()
            .encode(&registry.gather(), &mut text)
            .unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn answers_are_counted_by_what_was_asked() {
        let metrics = Metrics::new().unwrap();
        let took = Duration::from_millis(2);
        for (method, status) in [
            (Method::GET, StatusCode::OK),
            (Method::GET, StatusCode::OK),
            (Method::GET, StatusCode::NOT_FOUND),
            (
                Method::from_bytes(b"BREW").unwrap(),
                StatusCode::METHOD_NOT_ALLOWED,
            ),
        ] {
            metrics.count(&method, "/v1/courses/{id}", status, took);
        }
        let text = text(&metrics);
        for line in [
            "lyceum_http_requests_total{method=\"GET\",route=\"/v1/courses/{id}\",status=\"200\"} 2",
            "lyceum_http_requests_total{method=\"GET\",route=\"/v1/courses/{id}\",status=\"404\"} 1",
            "lyceum_http_requests_total{method=\"other\",route=\"/v1/courses/{id}\",status=\"405\"} 1",
            "lyceum_http_request_duration_seconds_bucket{method=\"GET\",route=\"/v1/courses/{id}\",le=\"0.001\"} 0",
            "lyceum_http_request_duration_seconds_bucket{method=\"GET\",route=\"/v1/courses/{id}\",le=\"0.0025\"} 3",
            "lyceum_http_responses_total{class=\"2xx\"} 2",
            "lyceum_http_responses_total{class=\"4xx\"} 2",
            "lyceum_http_responses_total{class=\"5xx\"} 0",
        ] {
            assert!(text.lines().any(|it| it == line), "{line}\n{text}");
        }
    }

    #[test]
    fn a_request_is_in_flight_until_it_is_answered_or_given_up() {
        let metrics = Metrics::new().unwrap();
        let request = metrics.begin();
        assert!(text(&metrics).contains("lyceum_http_requests_in_flight 1\n"));
        drop(request);
        assert!(text(&metrics).contains("lyceum_http_requests_in_flight 0\n"));
    }
}
