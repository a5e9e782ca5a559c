//! Traces, where the program was built with them (feature `otel`) and an operator wants them.

use anyhow::bail;
use lyceum_application::traces::Tracing;
use lyceum_ports::running::nodes::NodeId;
use url::Url;

#[cfg(feature = "otel")]
use otel as built;
#[cfg(not(feature = "otel"))]
use without as built;

/// Where traces are sent, and of how much.
#[derive(Debug, Clone)]
pub struct TraceSettings {
    /// Collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`.
    pub endpoint: Url,
    /// How many of the traces that begin here are sent, between 0 and 1; in a trace of a caller the caller decides.
    pub ratio: f64,
    /// What this service is called in them.
    pub service_name: String,
}

/// Refuses what this build cannot do: nobody shall wait for traces that never come.
///
/// # Errors
/// Naming the way to a build that can.
pub fn refuse_what_is_not_built_in(wants_traces: bool) -> anyhow::Result<()> {
    if cfg!(feature = "otel") || !wants_traces {
        return Ok(());
    }
    bail!(
        "LYCEUM_OTLP_ENDPOINT: this program was built without traces. Build it with the feature `otel` \
         (cargo build --release -p lyceum-cli --bin lyceum --features otel), or take the setting away"
    )
}

/// Where traces go, if anywhere.
pub struct Traces(Option<built::Exporter>);

impl Traces {
    /// Gets ready to send what a node does.
    ///
    /// # Errors
    /// If traces are wanted and cannot be sent.
    pub fn open(wanted: Option<&TraceSettings>, node: NodeId) -> anyhow::Result<Self> {
        refuse_what_is_not_built_in(wanted.is_some())?;
        let opened = wanted.map(|settings| built::Exporter::open(settings, node));
        Ok(Self(opened.transpose()?))
    }

    /// Whom the application tells, if anybody.
    pub fn tracing(&self) -> Option<Tracing> {
        self.0.as_ref().map(built::Exporter::tracing)
    }

    /// Sends what waits, for a few seconds at most.
    pub async fn close(self) {
        if let Some(exporter) = self.0 {
            // It holds up the thread it is on.
            drop(tokio::task::spawn_blocking(move || exporter.close()).await);
        }
    }
}

#[cfg(feature = "otel")]
mod otel {
    use std::sync::Arc;
    use std::time::Duration;

    use anyhow::Context;
    use lyceum_application::traces::Tracing;
    use lyceum_otlp::{Otlp, OtlpSettings};
    use lyceum_ports::running::nodes::NodeId;

    use super::TraceSettings;

    /// How long a stop waits for the last spans to be sent.
    const FAREWELL: Duration = Duration::from_secs(3);

    pub(super) struct Exporter(Arc<Otlp>);

    impl Exporter {
        pub(super) fn open(settings: &TraceSettings, node: NodeId) -> anyhow::Result<Self> {
            let otlp = Otlp::open(OtlpSettings {
                endpoint: settings.endpoint.clone(),
                service: settings.service_name.clone(),
                version: env!("CARGO_PKG_VERSION"),
                instance: node.0.to_string(),
                ratio: settings.ratio,
            });
            Ok(Self(Arc::new(otlp.context("LYCEUM_OTLP_ENDPOINT")?)))
        }

        pub(super) fn tracing(&self) -> Tracing {
            Tracing::to(self.0.clone())
        }

        pub(super) fn close(&self) {
            self.0.close(FAREWELL);
        }
    }
}

/// Nothing of this is ever made: asking for traces is refused before.
#[cfg(not(feature = "otel"))]
mod without {
    use std::convert::Infallible;

    use lyceum_application::traces::Tracing;
    use lyceum_ports::running::nodes::NodeId;

    use super::TraceSettings;

    pub(super) struct Exporter(Infallible);

    impl Exporter {
        pub(super) fn open(_: &TraceSettings, _: NodeId) -> anyhow::Result<Self> {
            anyhow::bail!("this program was built without traces")
        }

        pub(super) fn tracing(&self) -> Tracing {
            match self.0 {}
        }

        pub(super) fn close(&self) {
            match self.0 {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_refused_where_they_are_not_built_in() {
        refuse_what_is_not_built_in(false).unwrap();
        let refused = refuse_what_is_not_built_in(true);
        assert_eq!(refused.is_err(), !cfg!(feature = "otel"));
    }
}
