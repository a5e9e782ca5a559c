//! Whether the service lives, and whether it can work; and what it says about itself.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use lyceum_application::Error;
use serde_json::json;

use crate::http::error::Failure;
use crate::http::response;
use crate::http::route::{Body, IdentityDoc, RawDoc};
use crate::state::Api;

/// How an answer of one of a few words is documented.
pub fn status_doc(words: &[&str], also: &'static [u16]) -> RawDoc {
    RawDoc {
        parameters: &[],
        answer: Body::Inline(json!({
            "type": "object", "required": ["status"],
            "properties": { "status": { "type": "string", "enum": words }, "reason": { "type": "string" } },
        })),
        identity: IdentityDoc::Nobody,
        also,
    }
}

/// How the document documents itself.
pub fn openapi_doc() -> RawDoc {
    RawDoc {
        parameters: &[],
        answer: Body::Inline(json!({
            "type": "object", "required": ["openapi", "info", "paths"], "additionalProperties": true,
        })),
        identity: IdentityDoc::Nobody,
        also: &[],
    }
}

/// The process answers.
pub async fn healthz(_: HttpRequest, _: Arc<Api>, _: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body(r#"{"status":"ok"}"#)
}

/// The process can work: it was not asked to stop, and its database answers. `degraded`: it reads, and takes nothing new
/// until its disk has room, or its database has a damaged page. That is no 503: a balancer would take the reading away
/// too.
pub async fn readyz(_: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    if api.app.node.is_draining() {
        let reason = Error::Unavailable("this node is about to stop".into());
        return response::failure(&Failure::App(reason), &request_id);
    }
    let reached = api.app.read(|tx| Ok(tx.workspaces().none_yet()?)).await;
    match reached {
        Ok(_) if api.app.is_almost_full() => HttpResponse::Ok()
            .content_type("application/json")
            .body(r#"{"status":"degraded","reason":"disk_almost_full"}"#),
        Ok(_) if api.app.telemetry.is_database_damaged() => HttpResponse::Ok()
            .content_type("application/json")
            .body(r#"{"status":"degraded","reason":"database_damaged"}"#),
        Ok(_) => HttpResponse::Ok()
            .content_type("application/json")
            .body(r#"{"status":"ready"}"#),
        Err(error) => {
            let reason = Error::Unavailable(Box::new(error));
            response::failure(&Failure::App(reason), &request_id)
        }
    }
}

/// The OpenAPI document.
pub async fn openapi(_: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    let made = web::block(move || api.document()).await;
    match made.map_err(|error| error.to_string()).flatten() {
        Ok(document) => HttpResponse::Ok()
            .content_type("application/json")
            .body(document),
        Err(error) => response::failure(&Failure::App(Error::Internal(error.into())), &request_id),
    }
}
