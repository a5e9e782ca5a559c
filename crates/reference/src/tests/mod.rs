//! What is promised of the reference, asked as a browser asks.

mod answers;
mod looks;
mod reading;
mod samples;
mod search;

use std::sync::LazyLock;

use actix_web::body::to_bytes;
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderName;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::{self, Path};
use actix_web::{App, HttpRequest, HttpResponse, rt};

use crate::Reference;

const DOCUMENT: &str = include_str!("../../../../docs/openapi.json");

static REFERENCE: LazyLock<Reference> =
    LazyLock::new(|| Reference::of(serde_json::from_str(DOCUMENT).unwrap()));

async fn start(request: HttpRequest) -> HttpResponse {
    REFERENCE.start(&request)
}

async fn named(request: HttpRequest, name: Path<String>) -> HttpResponse {
    let found = REFERENCE.page(&request, &name);
    found.unwrap_or_else(|| HttpResponse::NotFound().finish())
}

fn asked(request: TestRequest) -> ServiceResponse {
    rt::System::new().block_on(async {
        let app = App::new()
            .route("/docs", web::get().to(start))
            .route("/docs/{name}", web::get().to(named));
        call_service(&init_service(app).await, request.to_request()).await
    })
}

fn get(path: &str) -> ServiceResponse {
    asked(TestRequest::get().uri(path))
}

fn value(response: &ServiceResponse, name: HeaderName) -> String {
    let value = response.headers().get(name).unwrap();
    value.to_str().unwrap().to_owned()
}

fn body(response: ServiceResponse) -> String {
    let body = rt::System::new().block_on(to_bytes(response.into_body()));
    String::from_utf8(body.map_err(drop).unwrap().to_vec()).unwrap()
}

/// The page at an address, which has to be there.
fn page(path: &str) -> String {
    let response = get(path);
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    body(response)
}

/// What stands between two marks, each time.
fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    let behind = text.split(start).skip(1);
    behind.filter_map(move |rest| rest.split(end).next())
}
