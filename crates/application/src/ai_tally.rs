//! What AI calls of one process took, in Prometheus' text format.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use lyceum_ports::ai_calls::{AiCall, AiFeature, CallOutcome};

/// The calls of one process; clones are the same.
#[derive(Debug, Clone, Default)]
pub struct AiTally(Arc<Mutex<BTreeMap<(AiFeature, CallOutcome), Sums>>>);

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    calls: u64,
    tokens_in: u64,
    tokens_out: u64,
    /// In millionths of a dollar.
    cost: u64,
    millis: u64,
}

impl AiTally {
    /// Counts calls that were written down.
    pub fn count(&self, calls: &[AiCall]) {
        let mut tally = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for call in calls {
            let sums = tally.entry((call.feature, call.outcome)).or_default();
            let millis = u64::try_from(call.latency.as_millis()).unwrap_or(u64::MAX);
            let cost = call.cost.unwrap_or_default().millionths();
            sums.calls = sums.calls.saturating_add(1);
            sums.tokens_in = sums.tokens_in.saturating_add(call.usage.tokens_in);
            sums.tokens_out = sums.tokens_out.saturating_add(call.usage.tokens_out);
            sums.cost = sums.cost.saturating_add(cost);
            sums.millis = sums.millis.saturating_add(millis);
        }
    }

    /// The counts, as a scraper reads them; nothing before the first call.
    pub fn render(&self) -> String {
        let tally = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        if tally.is_empty() {
            return text;
        }
        for (name, help, value) in COUNTERS {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} counter");
            for ((feature, outcome), sums) in tally.iter() {
                let value = value(sums);
                let _ = writeln!(
                    text,
                    "{name}{{feature=\"{feature}\",outcome=\"{outcome}\"}} {value}"
                );
            }
        }
        text
    }
}

type Counter = (&'static str, &'static str, fn(&Sums) -> String);

const COUNTERS: [Counter; 5] = [
    (
        "lyceum_ai_calls_total",
        "Requests to AI providers.",
        |sums| sums.calls.to_string(),
    ),
    (
        "lyceum_ai_tokens_read_total",
        "Tokens that AI providers read.",
        |sums| sums.tokens_in.to_string(),
    ),
    (
        "lyceum_ai_tokens_written_total",
        "Tokens that AI providers wrote.",
        |sums| sums.tokens_out.to_string(),
    ),
    (
        "lyceum_ai_cost_usd_total",
        "What AI providers cost, as far as prices are known.",
        |sums| millionths(sums.cost),
    ),
    (
        "lyceum_ai_seconds_total",
        "Time that AI providers took.",
        |sums| millionths(sums.millis.saturating_mul(1_000)),
    ),
];

fn millionths(number: u64) -> String {
    format!("{}.{:06}", number / 1_000_000, number % 1_000_000)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lyceum_domain::money::MicroUsd;
    use lyceum_ports::ai::Usage;

    use super::*;

    #[test]
    fn calls_are_counted_by_feature_and_outcome() {
        let tally = AiTally::default();
        assert_eq!(tally.render(), "");
        let call = |outcome| AiCall {
            reservation: None,
            feature: AiFeature::Grading,
            host: "ai.example".to_owned(),
            model_asked: "m".to_owned(),
            model: None,
            request_id: None,
            usage: Usage {
                tokens_in: 900,
                tokens_out: 100,
                tokens_cached: 0,
            },
            estimated: false,
            cost: Some(MicroUsd::new(1_500_000)),
            latency: Duration::from_millis(250),
            outcome,
            sent: Vec::new(),
        };
        let answered = call(CallOutcome::Answered);
        tally.count(&[answered.clone(), answered, call(CallOutcome::Refused)]);
        let text = tally.render();
        for line in [
            "lyceum_ai_calls_total{feature=\"grading\",outcome=\"answered\"} 2",
            "lyceum_ai_calls_total{feature=\"grading\",outcome=\"refused\"} 1",
            "lyceum_ai_tokens_read_total{feature=\"grading\",outcome=\"answered\"} 1800",
            "lyceum_ai_cost_usd_total{feature=\"grading\",outcome=\"answered\"} 3.000000",
            "lyceum_ai_seconds_total{feature=\"grading\",outcome=\"answered\"} 0.500000",
        ] {
            assert!(text.lines().any(|one| one == line), "{line}\n{text}");
        }
    }
}
