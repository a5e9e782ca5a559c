//! What is promised of the handbook, asked as a browser asks.

mod answers;
mod looks;
mod order;
mod reaching;
mod search;
mod texts;

use actix_web::body::to_bytes;
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderName;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::{App, rt};

use crate::configure;

fn asked(request: TestRequest) -> ServiceResponse {
    rt::System::new().block_on(async {
        let app = init_service(App::new().configure(configure)).await;
        call_service(&app, request.to_request()).await
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

/// All tags of a page, without what stands between them: no text has a `<` of its own.
fn tags(page: &str) -> String {
    let tags = between(page, "<", ">").map(|tag| format!("<{tag}>\n"));
    tags.collect()
}

/// What stands between two marks, each time.
fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    let behind = text.split(start).skip(1);
    behind.filter_map(move |rest| rest.split(end).next())
}
