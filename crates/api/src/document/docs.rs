//! The browsable reference: pages made of the OpenAPI document, from the binary, with nothing from outside.

use std::sync::{Arc, OnceLock};

use actix_web::{HttpRequest, HttpResponse, web};
use lyceum_application::Error;
use lyceum_reference::Reference;

use crate::http::error::Failure;
use crate::http::response;
use crate::http::route::{Body, IdentityDoc, RawDoc};
use crate::state::Api;

/// How the page is documented.
pub fn page_doc() -> RawDoc {
    RawDoc {
        parameters: &[],
        answer: Body::File("text/html"),
        identity: IdentityDoc::Nobody,
        also: &[],
    }
}

/// How what is behind it is documented.
pub fn file_doc() -> RawDoc {
    RawDoc {
        answer: Body::File("*/*"),
        ..page_doc()
    }
}

/// The contents, or what is found of `q`.
pub async fn page(request: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    match reference(api).await {
        Ok(reference) => reference.start(&request),
        Err(failure) => response::failure(&failure, &request_id),
    }
}

/// A group, an operation, a message or a schema, and what the pages are shown with.
pub async fn file(request: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    let reference = match reference(api).await {
        Ok(reference) => reference,
        Err(failure) => return response::failure(&failure, &request_id),
    };
    let name = request.match_info().get("file").unwrap_or_default();
    match reference.page(&request, name) {
        Some(page) => page,
        None => response::failure(&Failure::App(Error::NotFound("file")), &request_id),
    }
}

/// Made when somebody asks first, off the worker: the document is that of this build, whoever serves it.
async fn reference(api: Arc<Api>) -> Result<&'static Reference, Failure> {
    static REFERENCE: OnceLock<Reference> = OnceLock::new();
    if let Some(reference) = REFERENCE.get() {
        return Ok(reference);
    }
    let made = web::block(move || {
        let document =
            serde_json::from_slice(&api.document()?).map_err(|error| error.to_string())?;
        Ok(REFERENCE.get_or_init(|| Reference::of(document)))
    });
    let made = made.await.map_err(|error| error.to_string());
    made.flatten()
        .map_err(|error: String| Failure::App(Error::Internal(error.into())))
}
