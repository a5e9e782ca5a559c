//! A browsable reference: Swagger UI over the OpenAPI document, from the binary, with nothing from outside.

use std::io::Read;
use std::sync::{Arc, OnceLock};

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use flate2::read::GzDecoder;
use lyceum_application::Error;
use utoipa_swagger_ui::{Config, SwaggerFile};

use crate::http::error::Failure;
use crate::http::response;
use crate::http::route::{Body, IdentityDoc, RawDoc};
use crate::state::Api;

/// The page and its files come from here and nowhere else; Swagger UI styles its elements inline, and the page says by
/// a `base` element where its files are.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; font-src 'self' data:; connect-src 'self'; \
                      base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

/// How the page is documented.
pub fn page_doc() -> RawDoc {
    RawDoc {
        parameters: &[],
        answer: Body::File("text/html"),
        identity: IdentityDoc::Nobody,
        also: &[],
    }
}

/// How its files are documented.
pub fn file_doc() -> RawDoc {
    RawDoc {
        answer: Body::File("*/*"),
        ..page_doc()
    }
}

/// Swagger UI's page; its addresses are relative to `/docs/`, so it says so.
pub async fn page(_: HttpRequest, _: Arc<Api>, request_id: String) -> HttpResponse {
    let found = utoipa_swagger_ui::serve("index.html", config());
    let page = found
        .ok()
        .flatten()
        .and_then(unpacked)
        .and_then(|bytes| String::from_utf8(bytes).ok());
    match page {
        Some(page) => file_answer(
            "text/html; charset=utf-8",
            page.replacen("<head>", "<head>\n    <base href=\"/docs/\" />", 1)
                .into_bytes(),
        ),
        None => missing(&request_id),
    }
}

/// One of Swagger UI's files.
pub async fn file(request: HttpRequest, _: Arc<Api>, request_id: String) -> HttpResponse {
    let name = request.match_info().get("file").unwrap_or_default();
    let found = utoipa_swagger_ui::serve(name, config()).ok().flatten();
    let answer = found.and_then(|file| {
        let content_type = file.content_type.clone();
        Some(file_answer(&content_type, unpacked(file)?))
    });
    answer.unwrap_or_else(|| missing(&request_id))
}

/// A file as browsers know it; the binary holds most of them packed, which takes a quarter of the room.
fn unpacked(file: SwaggerFile<'_>) -> Option<Vec<u8>> {
    if !file.gzpipped {
        return Some(file.bytes.into_owned());
    }
    let mut bytes = Vec::new();
    let read = GzDecoder::new(file.bytes.as_ref()).read_to_end(&mut bytes);
    read.is_ok().then_some(bytes)
}

fn config() -> Arc<Config<'static>> {
    static CONFIG: OnceLock<Arc<Config<'static>>> = OnceLock::new();
    let config = CONFIG.get_or_init(|| {
        let config = Config::from("/v1/openapi.json");
        Arc::new(
            config
                .persist_authorization(false)
                .try_it_out_enabled(true)
                .filter(true)
                // Three hundred operations are a list nobody reads, and take a browser many seconds to draw.
                .doc_expansion("none")
                // Otherwise Swagger UI shows the document's address to a service on the internet.
                .validator_url("none"),
        )
    });
    Arc::clone(config)
}

fn file_answer(content_type: &str, bytes: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(content_type)
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .body(bytes)
}

fn missing(request_id: &str) -> HttpResponse {
    response::failure(&Failure::App(Error::NotFound("file")), request_id)
}
