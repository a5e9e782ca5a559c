//! Studio: a page for people over the same API that programs use. It is plain files in the binary, and knows
//! nothing of the service but its addresses.
//!
//! Whoever opens it brings a key, which the page keeps in its memory. So the files are the same for everybody and need
//! no key themselves.

mod assets;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use actix_web::http::header;
use actix_web::middleware::Compress;
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, Route, guard};
use lyceum_pages::{has, tag};

use assets::{Asset, FILES};

const PAGE: &str = "index.html";
/// Where it is reached.
const PLACE: &str = "/studio";
/// Where it was reached before: links that were sent lead on.
const FORMER_PLACE: &str = "/console";

/// What browsers may do with these pages: everything comes from here, nothing is inline, nobody frames them and no form goes
/// anywhere by itself. They frame pages of the service alone, which play what is tried. Texts show files of the library, which a bucket may hand out itself: from there as well, and nothing else.
#[derive(Clone)]
struct Policy(String);

impl Policy {
    fn of(bucket: Option<&str>) -> Self {
        let bucket = bucket
            .map(|origin| format!(" {origin}"))
            .unwrap_or_default();
        Self(format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:{bucket}; \
             media-src 'self'{bucket}; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'"
        ))
    }
}

/// Files by name, with their tags; made when somebody asks first.
static SERVED: LazyLock<BTreeMap<&str, (&Asset, String)>> = LazyLock::new(|| {
    let tagged = |file: &'static Asset| (file.name, (file, tag(file.body)));
    FILES.iter().map(tagged).collect()
});

/// Mounts Studio under `/studio`, and leads browsers there from `/`: it asks whoever comes to sign in, or shows what waits for
/// them. `/console` leads there too, and browsers take along what stands behind the `#`. `bucket` is the origin that files of the
/// library are sent on to, where they are.
pub fn configure(config: &mut ServiceConfig, bucket: Option<&str>) {
    let reading = || -> Route { web::route().guard(guard::Any(guard::Get()).or(guard::Head())) };
    config.app_data(web::Data::new(Policy::of(bucket)));
    // Only what reads pages is led to one: programs are told that there is no such thing, as everywhere.
    config.service(
        web::resource("/")
            .guard(guard::Any(guard::Get()).or(guard::Head()))
            .guard(guard::fn_guard(wants_a_page))
            .route(web::route().to(start)),
    );
    config.service(
        web::scope(PLACE)
            .wrap(Compress::default())
            .route("", reading().to(page))
            .route("/", reading().to(page))
            .route("/{file}", reading().to(file)),
    );
    config.service(
        web::scope(FORMER_PLACE)
            .route("", reading().to(moved))
            .route("/", reading().to(moved))
            .route("/{file}", reading().to(moved)),
    );
}

/// Whether a browser asks, by what it says it takes.
fn wants_a_page(asked: &guard::GuardContext<'_>) -> bool {
    let accepts = asked.head().headers().get_all(header::ACCEPT);
    let mut accepts = accepts.filter_map(|list| list.to_str().ok());
    accepts.any(|list| list.contains("text/html"))
}

async fn start(policy: web::Data<Policy>) -> HttpResponse {
    guarded(HttpResponse::SeeOther(), &policy)
        .insert_header((header::LOCATION, PLACE))
        .insert_header((header::VARY, "Accept"))
        .finish()
}

async fn moved(request: HttpRequest, policy: web::Data<Policy>) -> HttpResponse {
    let asked = request.uri().path_and_query();
    let rest = asked.and_then(|asked| asked.as_str().strip_prefix(FORMER_PLACE));
    let place = format!("{PLACE}{}", rest.unwrap_or_default());
    guarded(HttpResponse::PermanentRedirect(), &policy)
        .insert_header((header::LOCATION, place))
        .finish()
}

async fn page(request: HttpRequest, policy: web::Data<Policy>) -> HttpResponse {
    answer(&request, &policy, PAGE)
}

async fn file(request: HttpRequest, policy: web::Data<Policy>) -> HttpResponse {
    let name = request.match_info().get("file").unwrap_or_default();
    answer(&request, &policy, name)
}

fn answer(request: &HttpRequest, policy: &Policy, name: &str) -> HttpResponse {
    let Some((file, tag)) = SERVED.get(name) else {
        return guarded(HttpResponse::NotFound(), policy).finish();
    };
    if has(request.headers(), tag) {
        return guarded(HttpResponse::NotModified(), policy)
            .insert_header((header::ETAG, tag.as_str()))
            .finish();
    }
    guarded(HttpResponse::Ok(), policy)
        .insert_header((header::ETAG, tag.as_str()))
        .content_type(file.content_type)
        .body(file.body)
}

fn guarded(answer: HttpResponseBuilder, policy: &Policy) -> HttpResponseBuilder {
    lyceum_pages::guarded(answer, &policy.0)
}

#[cfg(test)]
mod tests;
