//! What the edge counts, in Prometheus' text format.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::http::StatusCode;

/// Answers by class of status.
#[derive(Debug, Default)]
pub struct Metrics {
    informational: AtomicU64,
    successful: AtomicU64,
    redirecting: AtomicU64,
    refused: AtomicU64,
    failed: AtomicU64,
}

impl Metrics {
    /// Counts an answer.
    pub fn count(&self, status: StatusCode) {
        let counter = match status.as_u16() {
            0..=199 => &self.informational,
            200..=299 => &self.successful,
            300..=399 => &self.redirecting,
            400..=499 => &self.refused,
            500.. => &self.failed,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// The counts, as a scraper reads them.
    pub fn render(&self) -> String {
        let classes = [
            ("1xx", &self.informational),
            ("2xx", &self.successful),
            ("3xx", &self.redirecting),
            ("4xx", &self.refused),
            ("5xx", &self.failed),
        ];
        let mut text = String::from(
            "# HELP lyceum_http_responses_total Answers by class of status.\n\
             # TYPE lyceum_http_responses_total counter\n",
        );
        for (class, count) in classes {
            let count = count.load(Ordering::Relaxed);
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "lyceum_http_responses_total{{class=\"{class}\"}} {count}"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_class() {
        let metrics = Metrics::default();
        for status in [StatusCode::OK, StatusCode::CREATED, StatusCode::NOT_FOUND] {
            metrics.count(status);
        }
        let text = metrics.render();
        assert!(
            text.contains("lyceum_http_responses_total{class=\"2xx\"} 2\n"),
            "{text}"
        );
        assert!(
            text.contains("lyceum_http_responses_total{class=\"4xx\"} 1\n"),
            "{text}"
        );
    }
}
