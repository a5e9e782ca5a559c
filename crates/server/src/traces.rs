//! Traces, where the program was built with them (feature `otel`) and an operator wants them.

use lyceum_application::traces::Tracing;
use lyceum_ports::running::nodes::NodeId;

use crate::settings::TraceSettings;

#[cfg(feature = "otel")]
use otel as built;
#[cfg(not(feature = "otel"))]
use without as built;

/// Where traces go, if anywhere.
pub struct Traces(Option<built::Exporter>);

impl Traces {
    /// Gets ready to send what a node does.
    ///
    /// # Errors
    /// If traces are wanted and cannot be sent.
    pub fn open(settings: &TraceSettings, node: NodeId) -> anyhow::Result<Self> {
        settings.refuse_what_is_not_built_in()?;
        let wanted = settings.otlp_endpoint.as_ref();
        let opened = wanted.map(|endpoint| built::Exporter::open(endpoint, settings, node));
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
    use url::Url;

    use crate::settings::TraceSettings;

    /// How long a stop waits for the last spans to be sent.
    const FAREWELL: Duration = Duration::from_secs(3);

    pub(super) struct Exporter(Arc<Otlp>);

    impl Exporter {
        pub(super) fn open(
            endpoint: &Url,
            settings: &TraceSettings,
            node: NodeId,
        ) -> anyhow::Result<Self> {
            let otlp = Otlp::open(OtlpSettings {
                endpoint: endpoint.clone(),
                service: settings.otel_service_name.clone(),
                version: env!("CARGO_PKG_VERSION"),
                instance: node.0.to_string(),
                ratio: settings.trace_ratio,
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
    use url::Url;

    use crate::settings::TraceSettings;

    pub(super) struct Exporter(Infallible);

    impl Exporter {
        pub(super) fn open(_: &Url, settings: &TraceSettings, _: NodeId) -> anyhow::Result<Self> {
            settings.refuse_what_is_not_built_in()?;
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
