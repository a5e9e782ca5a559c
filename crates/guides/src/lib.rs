//! The handbook, for whoever runs the binary: the texts of `docs` as they were when it was built, readable and searchable without
//! a network. Plain pages without a script. It knows nothing of the service, and of other crates of ours what pages share and
//! where browsers find them.
//!
//! The reference has a route `/docs/{file}`, which would catch `/docs/guides`: this has to be mounted before it.

mod book;
mod links;
mod page;
mod rendering;
mod searching;

use std::sync::LazyLock;

use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::middleware::Compress;
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, Route, guard};

use book::BOOK;
use links::PLACE;
use searching::{INDEX, MOST_CHARACTERS};

/// What all pages share, and what texts have beyond it.
static STYLE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{}{}",
        lyceum_pages::STYLE,
        include_str!("../assets/guides.css")
    )
});

/// What browsers may do with these pages: show them, and ask this service by their form. Nothing runs, nothing is inline, and
/// nobody frames them.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

/// Mounts the handbook under `/docs/guides`; before what mounts `/docs/{file}`.
pub fn configure(config: &mut ServiceConfig) {
    let reading = || -> Route { web::route().guard(guard::Any(guard::Get()).or(guard::Head())) };
    config.service(
        web::scope(PLACE)
            .wrap(Compress::default())
            .route("", reading().to(start))
            .route("/", reading().to(moved))
            .route("/guides.css", reading().to(style))
            .route("/{page:.*}", reading().to(text)),
    );
}

/// The contents, or what was found where something is looked for.
async fn start(request: HttpRequest) -> HttpResponse {
    let question = question(request.query_string());
    let html = match question.trim() {
        "" => page::contents(&BOOK),
        long if long.chars().count() > MOST_CHARACTERS => {
            return unasked(StatusCode::BAD_REQUEST, page::too_long());
        }
        question => page::findings(question, &INDEX.find(question)),
    };
    answer(&request, "text/html; charset=utf-8", html)
}

async fn text(request: HttpRequest) -> HttpResponse {
    let name = request.match_info().get("page").unwrap_or_default();
    let Some(page) = BOOK.page(name) else {
        return unasked(StatusCode::NOT_FOUND, page::not_found());
    };
    let rendered = rendering::rendered(&BOOK, page);
    let html = page::text(&BOOK, page, &rendered);
    answer(&request, "text/html; charset=utf-8", html)
}

async fn style(request: HttpRequest) -> HttpResponse {
    answer(&request, "text/css; charset=utf-8", STYLE.clone())
}

/// With what was asked there.
async fn moved(request: HttpRequest) -> HttpResponse {
    let query = request.uri().query();
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    guarded(HttpResponse::PermanentRedirect())
        .insert_header((header::LOCATION, format!("{PLACE}{query}")))
        .finish()
}

/// What is looked for; the first, where somebody asks twice.
fn question(query: &str) -> String {
    let pairs = web::Query::<Vec<(String, String)>>::from_query(query);
    let mut pairs = pairs
        .map(web::Query::into_inner)
        .unwrap_or_default()
        .into_iter();
    let question = pairs.find(|(name, _)| name == "q");
    question.map(|(_, value)| value).unwrap_or_default()
}

fn answer(request: &HttpRequest, kind: &'static str, body: String) -> HttpResponse {
    lyceum_pages::found(request, POLICY, kind, body)
}

/// A page in place of the one that was asked for.
fn unasked(status: StatusCode, html: String) -> HttpResponse {
    guarded(HttpResponse::build(status))
        .content_type("text/html; charset=utf-8")
        .body(html)
}

fn guarded(answer: HttpResponseBuilder) -> HttpResponseBuilder {
    lyceum_pages::guarded(answer, POLICY)
}

#[cfg(test)]
mod tests;
