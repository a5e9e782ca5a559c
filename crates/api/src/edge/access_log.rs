//! One line for each request: what was asked, by which key, and how it ended. No path, no query and no body is in it, for
//! these may quote what a learner wrote.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use lyceum_domain::ids::{ApiKeyId, WorkspaceId};

use crate::edge::noted::{self, Admitted, place_of};

/// What an operator names in `LYCEUM_LOG` to have these lines or not.
const TARGET: &str = "lyceum::access";

/// Whether anybody wants to know.
fn is_wanted() -> bool {
    tracing::enabled!(target: TARGET, tracing::Level::INFO)
}

/// Notes on a request who was let in with it.
pub fn note_caller(request: &HttpRequest, key: ApiKeyId, workspace: Option<WorkspaceId>) {
    if is_wanted() || place_of(request).is_some() {
        noted::admit(request, Admitted { key, workspace });
    }
}

/// Writes the line.
pub fn tell(
    request: &HttpRequest,
    route: &'static str,
    status: StatusCode,
    took: Duration,
    request_id: &str,
) {
    if !is_wanted() {
        return;
    }
    let trace_id = place_of(request).map(|place| format!("{:032x}", place.trace_id()));
    let admitted = noted::admitted(request);
    let key = admitted.map(|it| tracing::field::display(it.key));
    let workspace = admitted
        .and_then(|it| it.workspace)
        .map(tracing::field::display);
    tracing::info!(
        target: TARGET,
        request_id,
        trace_id,
        key,
        workspace,
        method = %request.method(),
        route,
        status = status.as_u16(),
        duration_ms = milliseconds(took),
        "answered"
    );
}

/// To the microsecond.
fn milliseconds(took: Duration) -> f64 {
    f64::from(u32::try_from(took.as_micros()).unwrap_or(u32::MAX)) / 1_000.0
}
