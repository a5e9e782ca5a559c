//! Whether the service lives, and whether it can work; and what it says about itself.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use lyceum_application::Error;
use serde_json::json;

use crate::error::Failure;
use crate::response;
use crate::route::{Body, IdentityDoc, RawDoc};
use crate::service::Api;

/// How a one-word answer is documented.
pub fn status_doc(word: &str, also: &'static [u16]) -> RawDoc {
    RawDoc {
        parameters: &[],
        answer: Body::Inline(json!({
            "type": "object", "required": ["status"],
            "properties": { "status": { "type": "string", "enum": [word] } },
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

/// The process can work: it was not asked to stop, and its database answers.
pub async fn readyz(_: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    if api.app.node.is_draining() {
        let reason = Error::Unavailable("this node is about to stop".into());
        return response::failure(&Failure::App(reason), &request_id);
    }
    let reached = api.app.read(|tx| Ok(tx.workspaces().none_yet()?)).await;
    match reached {
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
pub async fn openapi(_: HttpRequest, api: Arc<Api>, _: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body(api.document.clone())
}
