//! What is noted on a request on its way in, for those who tell of it on its way out.

use actix_web::{HttpMessage, HttpRequest};
use lyceum_application::traces::TraceParent;
use lyceum_domain::ids::{ApiKeyId, WorkspaceId};

/// Who was let in.
#[derive(Debug, Clone, Copy)]
pub struct Admitted {
    /// With this key.
    pub key: ApiKeyId,
    /// Into this workspace, if one was chosen.
    pub workspace: Option<WorkspaceId>,
}

/// Notes who was let in.
pub fn admit(request: &HttpRequest, admitted: Admitted) {
    request.extensions_mut().insert(admitted);
}

/// Who was let in, if that was noted.
pub fn admitted(request: &HttpRequest) -> Option<Admitted> {
    request.extensions().get::<Admitted>().copied()
}

/// Where in a trace a request is.
#[derive(Debug, Clone, Copy)]
struct TracePlace(TraceParent);

/// Notes where in a trace it is.
pub fn place(request: &HttpRequest, place: TraceParent) {
    request.extensions_mut().insert(TracePlace(place));
}

/// Where in a trace the request is, if it is in one.
pub fn place_of(request: &HttpRequest) -> Option<TraceParent> {
    request
        .extensions()
        .get::<TracePlace>()
        .map(|TracePlace(place)| *place)
}
