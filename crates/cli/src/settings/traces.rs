//! Whether traces are sent somewhere, and of how much.

use clap::Args;
use url::Url;

/// Settings of traces.
#[derive(Debug, Clone, Args)]
pub struct TraceSettings {
    /// Collector that traces are sent to by OTLP over HTTP, such as `http://127.0.0.1:4318`; none are made when absent.
    #[arg(long, env = "LYCEUM_OTLP_ENDPOINT", global = true)]
    pub otlp_endpoint: Option<Url>,

    /// How many of the traces that begin here are sent, between 0 and 1; in a trace of a caller the caller decides.
    #[arg(
        long,
        env = "LYCEUM_TRACE_RATIO",
        default_value = "1",
        value_parser = ratio,
        global = true
    )]
    pub trace_ratio: f64,

    /// What this service is called in traces.
    #[arg(
        long,
        env = "OTEL_SERVICE_NAME",
        default_value = "lyceum",
        global = true
    )]
    pub otel_service_name: String,
}

impl TraceSettings {
    /// Where traces are sent, if anywhere.
    pub fn decided(&self) -> Option<lyceum_service::traces::TraceSettings> {
        let endpoint = self.otlp_endpoint.clone()?;
        Some(lyceum_service::traces::TraceSettings {
            endpoint,
            ratio: self.trace_ratio,
            service_name: self.otel_service_name.clone(),
        })
    }
}

fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse::<f64>().ok();
    ratio
        .filter(|ratio| (0.0..=1.0).contains(ratio))
        .ok_or_else(|| "it is not a number between 0 and 1".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        traces: TraceSettings,
    }

    fn settings(flags: &[&str]) -> Result<TraceSettings, clap::Error> {
        let arguments = ["lyceum"].iter().chain(flags);
        Command::try_parse_from(arguments).map(|command| command.traces)
    }

    #[test]
    fn a_ratio_is_between_none_and_all() {
        for good in ["0", "0.05", "1"] {
            settings(&["--trace-ratio", good]).unwrap();
        }
        for bad in ["-0.1", "1.1", "NaN", "inf", "half", ""] {
            assert!(
                settings(&[&format!("--trace-ratio={bad}")]).is_err(),
                "{bad}"
            );
        }
    }
}
