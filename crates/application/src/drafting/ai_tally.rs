//! What AI calls of one process took, in Prometheus' text format.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use lyceum_ports::drafting::ai_calls::{AiCall, AiFeature, CallOutcome};

/// Models that are named; callers may name any, and each name would be a series for good.
const NAMED: usize = 32;
/// What all others are called, and those that have not answered yet.
const OTHER: &str = "other";

/// The calls of one process; clones are the same.
#[derive(Debug, Clone, Default)]
pub struct AiTally(Arc<Mutex<CallCounts>>);

#[derive(Debug, Default)]
struct CallCounts {
    sums: BTreeMap<Labels, Sums>,
    /// Models that have answered.
    models: BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Labels {
    feature: AiFeature,
    host: String,
    model: String,
    outcome: CallOutcome,
}

impl CallCounts {
    fn labels(&mut self, call: &AiCall) -> Labels {
        let asked = call.model_asked.as_str();
        if call.outcome == CallOutcome::Answered && self.models.len() < NAMED {
            self.models.insert(asked.to_owned());
        }
        let is_named = self.models.contains(asked);
        Labels {
            feature: call.feature,
            host: call.host.clone(),
            model: if is_named { asked } else { OTHER }.to_owned(),
            outcome: call.outcome,
        }
    }
}

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
            let labels = tally.labels(call);
            let sums = tally.sums.entry(labels).or_default();
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
        if tally.sums.is_empty() {
            return text;
        }
        for (name, help, value) in COUNTERS {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} counter");
            for (labels, sums) in &tally.sums {
                let (labels, value) = (labels.render(), value(sums));
                let _ = writeln!(text, "{name}{{{labels}}} {value}");
            }
        }
        text
    }
}

impl Labels {
    fn render(&self) -> String {
        let (host, model) = (quoted(&self.host), quoted(&self.model));
        let (feature, outcome) = (self.feature, self.outcome);
        format!("feature=\"{feature}\",host={host},model={model},outcome=\"{outcome}\"")
    }
}

/// A value that somebody else chose.
fn quoted(value: &str) -> String {
    let value = value.replace('\\', r"\\").replace('"', r#"\""#);
    format!("\"{}\"", value.replace('\n', r"\n"))
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
    use lyceum_ports::drafting::ai::Usage;

    use super::*;

    fn call(model: &str, outcome: CallOutcome) -> AiCall {
        AiCall {
            reservation: None,
            feature: AiFeature::Grading,
            host: "ai.example".to_owned(),
            model_asked: model.to_owned(),
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
        }
    }

    #[test]
    fn calls_are_counted_by_feature_provider_model_and_outcome() {
        let tally = AiTally::default();
        assert_eq!(tally.render(), "");
        let answered = call("m", CallOutcome::Answered);
        let dear = call("dear", CallOutcome::Answered);
        let refused = call("m", CallOutcome::Refused);
        tally.count(&[answered.clone(), answered, dear, refused]);
        let text = tally.render();
        let of = |model: &str, outcome: &str| {
            let labels = r#"feature="grading",host="ai.example""#;
            format!("{{{labels},model=\"{model}\",outcome=\"{outcome}\"}}")
        };
        for (name, labels, value) in [
            ("lyceum_ai_calls_total", of("m", "answered"), "2"),
            ("lyceum_ai_calls_total", of("m", "refused"), "1"),
            ("lyceum_ai_calls_total", of("dear", "answered"), "1"),
            ("lyceum_ai_tokens_read_total", of("m", "answered"), "1800"),
            ("lyceum_ai_tokens_written_total", of("m", "answered"), "200"),
            ("lyceum_ai_cost_usd_total", of("m", "answered"), "3.000000"),
            (
                "lyceum_ai_cost_usd_total",
                of("dear", "answered"),
                "1.500000",
            ),
            ("lyceum_ai_seconds_total", of("m", "answered"), "0.500000"),
        ] {
            let line = format!("{name}{labels} {value}");
            assert!(text.lines().any(|one| one == line), "{line}\n{text}");
        }
    }

    #[test]
    fn callers_do_not_choose_how_many_series_there_are() {
        let tally = AiTally::default();
        let made_up: Vec<AiCall> = (0..100)
            .map(|n| call(&format!("made-up-{n}"), CallOutcome::Refused))
            .collect();
        tally.count(&made_up);
        tally.count(&[call("real", CallOutcome::Answered)]);
        let any: Vec<AiCall> = (0..100)
            .map(|n| call(&format!("any-{n}"), CallOutcome::Answered))
            .collect();
        tally.count(&any);
        let text = tally.render();
        assert!(text.contains(r#"model="real",outcome="answered"} 1"#));
        assert!(text.contains(r#"model="other",outcome="refused"} 100"#));
        let calls = text
            .lines()
            .filter(|line| line.starts_with("lyceum_ai_calls_total{"));
        assert_eq!(calls.count(), NAMED + 2, "{text}");
    }

    #[test]
    fn a_name_cannot_leave_its_quotes() {
        let tally = AiTally::default();
        tally.count(&[call("a\"} 1\n\\", CallOutcome::Answered)]);
        assert!(tally.render().contains(r#"model="a\"} 1\n\\","#));
    }
}
