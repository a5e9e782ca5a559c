//! Playing a SCORM package in the browser, with an LMS of our own around it that shows what it is told.
//!
//! Three things come from here, all under one signed address: the page, the page's own files (`page/…`), and the files
//! of the package as they are in the archive (`package/…`).

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use futures_util::StreamExt;
use lyceum_application::error::Forbidden;
use lyceum_application::exporting::scorm_preview::{self, Preview, PreviewFile};
use lyceum_application::identity::access::Requirement;
use lyceum_application::{Error, Tx};
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::ids::ScormPackageId;

use crate::edge::admission;
use crate::edge::policy::Policy;
use crate::exporting::preview_files::{PACKAGE_POLICY, answer, escaped};
use crate::exporting::scorm::{SIGNED, signed};
use crate::http::auth_scope::Tenant;
use crate::http::ranges;
use crate::http::response;
use crate::http::route::{Body, IdentityDoc, RawDoc};
use crate::prelude::*;
use crate::state::Api;

const PAGE: &str = include_str!("../../preview/page.html");
/// The page's own files, by name.
const PAGE_FILES: [(&str, &str); 7] = [
    ("icon.svg", include_str!("../../preview/icon.svg")),
    ("page.css", include_str!("../../preview/page.css")),
    ("page.js", include_str!("../../preview/page.js")),
    ("report.js", include_str!("../../preview/report.js")),
    ("runtime.js", include_str!("../../preview/runtime.js")),
    ("elements.js", include_str!("../../preview/elements.js")),
    ("formats.js", include_str!("../../preview/formats.js")),
];

/// The page runs its own scripts, asks for the manifest and frames the package; nothing else.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                           connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
                           frame-ancestors 'none'";
/// How the page is documented.
pub fn page_doc() -> RawDoc {
    RawDoc {
        parameters: SIGNED,
        answer: Body::File("text/html"),
        identity: IdentityDoc::MayHaveKey,
        also: &[400, 401, 403, 409],
    }
}

/// How the files are documented.
pub fn file_doc() -> RawDoc {
    RawDoc {
        parameters: &[],
        answer: Body::File("*/*"),
        identity: IdentityDoc::Nobody,
        also: &[206, 304, 403],
    }
}

/// The page, to whoever holds a signed address or a key with `read:courses`.
pub async fn page(request: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    match find(&request, &api, &request_id).await {
        Ok(preview) => {
            answer(HttpResponse::Ok(), "page.html", PAGE_POLICY).body(rendered(&preview))
        }
        Err(failure) => response::failure(&failure, &request_id),
    }
}

async fn find(request: &HttpRequest, api: &Api, request_id: &str) -> Result<Preview, Failure> {
    let mut query = Query::parse(request.query_string());
    if let Some((expires, signature)) = signed(&mut query) {
        let (id, now) = (signed_id(request)?, api.app.clock.now());
        let settings = Arc::clone(&api.app.settings);
        let find = move |tx: &mut dyn Tx| {
            scorm_preview::signed(tx, &settings, id, expires, &signature, now)
        };
        return Ok(api.app.read(find).await?);
    }
    let policy = Policy::new(true, Requirement::all(&[Scope::ReadCourses]));
    let entering = admission::enter::<Tenant>(api, request, &policy, request_id, None);
    let (ctx, view) = entering.await?;
    let id = id_of(request)?;
    Ok(api
        .app
        .read_in(view, move |tx| scorm_preview::own(tx, &ctx, id))
        .await?)
}

fn id_of(request: &HttpRequest) -> Result<ScormPackageId, Error> {
    let id = request.match_info().get("id").unwrap_or_default();
    id.parse().map_err(|_| Error::NotFound("scorm_package"))
}

/// The same of a signed address, which is whole or opens nothing.
fn signed_id(request: &HttpRequest) -> Result<ScormPackageId, Error> {
    id_of(request).map_err(|_| Forbidden::Link.into())
}

/// The page of a package. Everything that is put in is of our own making or escaped.
fn rendered(preview: &Preview) -> String {
    let warnings: Vec<String> = preview
        .warnings
        .iter()
        .map(|warning| format!("<li dir=\"auto\">{}</li>", escaped(warning)))
        .collect();
    PAGE.replace("{id}", &preview.id.to_string())
        .replace("{ticket}", &preview.ticket)
        .replace("{version}", preview.version.as_str())
        .replace("{hidden}", if warnings.is_empty() { "hidden" } else { "" })
        .replace("{warnings}", &warnings.concat())
}

/// A file of the page or of the package, to whoever holds a signed address.
pub async fn file(request: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    let found = find_file(&request, &api).await;
    found.unwrap_or_else(|failure| response::failure(&failure, &request_id))
}

async fn find_file(request: &HttpRequest, api: &Api) -> Result<HttpResponse, Failure> {
    let place = |name| request.match_info().get(name).unwrap_or_default();
    let (id, now) = (signed_id(request)?, api.app.clock.now());
    let (ticket, settings) = (place("ticket").to_owned(), Arc::clone(&api.app.settings));
    let find = move |tx: &mut dyn Tx| scorm_preview::with_ticket(tx, &settings, id, &ticket, now);
    let preview = api.app.read(find).await?;
    match place("file").split_once('/') {
        Some(("page", name)) => page_file(name),
        Some(("package", name)) => package_file(request, api, &preview, name).await,
        _ => Err(Error::NotFound("file").into()),
    }
}

fn page_file(name: &str) -> Result<HttpResponse, Failure> {
    let found = PAGE_FILES.iter().find(|(known, _)| *known == name);
    let (_, text) = found.ok_or(Error::NotFound("file"))?;
    Ok(answer(HttpResponse::Ok(), name, PAGE_POLICY).body(*text))
}

async fn package_file(
    request: &HttpRequest,
    api: &Api,
    preview: &Preview,
    name: &str,
) -> Result<HttpResponse, Failure> {
    let size = match scorm_preview::file(&api.app, preview, name).await? {
        PreviewFile::Instead(text) => {
            return Ok(answer(HttpResponse::Ok(), name, PACKAGE_POLICY).body(text));
        }
        PreviewFile::Stored(size) => size,
    };
    let tag = format!("\"{}\"", preview.stored.sha256);
    let (builder, bytes) = ranges::begin(request.headers(), size, &tag);
    let Some(bytes) = bytes else {
        // A browser takes the headers of a 304 for those of the file that it has: another policy would close it.
        return Ok(answer(builder, name, PACKAGE_POLICY).finish());
    };
    let stream = scorm_preview::read(&api.app, preview, name, bytes).await?;
    Ok(answer(builder, name, PACKAGE_POLICY)
        .streaming(stream.map(|chunk| chunk.map_err(std::io::Error::other))))
}
