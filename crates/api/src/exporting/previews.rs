//! Lessons and activities that are tried over HTTP: where they are played, to authors; and the player, to whoever holds a signed address.
//!
//! As with packages, three things come from one address: the page, the page's own files (`page/…`), and the files that a package
//! would have (`package/…`). The page is of this origin and has nothing of an author's in it but a name; what authors wrote is
//! played in a frame that has no origin, so that it reaches neither the page nor whoever frames that, and can keep nothing.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use futures_util::StreamExt;
use lyceum_application::error::Forbidden;
use lyceum_application::exporting::previews::{
    self, PreviewPage, PreviewedFile, SignedPreview, Tryable,
};
use lyceum_application::running::files::KeptFile;
use lyceum_application::{Error, Tx};
use lyceum_wire::exporting::previews::PreviewView;

use crate::edge::signed_file::Link;
use crate::exporting::preview_files::{PACKAGE_POLICY, answer, escaped};
use crate::http::ranges;
use crate::http::response;
use crate::http::route::{Body, IdentityDoc, RawDoc};
use crate::prelude::*;
use crate::state::Api;

const PAGE: &str = include_str!("../../preview/try.html");
/// The page's own files, by name.
const PAGE_FILES: [(&str, &str); 3] = [
    ("icon.svg", include_str!("../../preview/icon.svg")),
    ("try.css", include_str!("../../preview/try.css")),
    ("try.js", include_str!("../../preview/try.js")),
];
/// The file that would let learners in at the live service.
const SERVICE: &str = "content/service.js";
/// What the player reads instead.
const LMS: &str = include_str!("../../preview/try_lms.js");

/// The page runs its own script and frames the player; pages of this origin may frame it.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                           frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
/// What is played runs by itself: with no origin, so no storage, no cookies, and nobody's page within its reach. Links of texts open
/// pages that are as any other.
const SANDBOX: &str =
    "sandbox allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox";

/// What a signed address has.
const SIGNED: &[Parameter] = &[
    Parameter::new("workspace", "Of a signed address."),
    Parameter::new("signature", "Of a signed address."),
    Parameter::new(
        "expires",
        "When a signed address ends, in seconds since 1970.",
    ),
];

/// How the pages are documented.
pub fn page_doc() -> RawDoc {
    RawDoc {
        parameters: SIGNED,
        answer: Body::File("text/html"),
        identity: IdentityDoc::Nobody,
        also: &[403],
    }
}

/// How their files are documented.
pub fn file_doc() -> RawDoc {
    RawDoc {
        parameters: &[],
        answer: Body::File("*/*"),
        identity: IdentityDoc::Nobody,
        also: &[206, 304, 403],
    }
}

pub async fn create_of_lesson(call: Call<Nothing>) -> Outcome<Found<PreviewView>> {
    call.read(|tx, ctx, path, ()| previews::create(tx, ctx, Tryable::Lesson(path.id()?)))
        .await
}

pub async fn create_of_activity(call: Call<Nothing>) -> Outcome<Found<PreviewView>> {
    call.read(|tx, ctx, path, ()| previews::create(tx, ctx, Tryable::Activity(path.id()?)))
        .await
}

/// The page that plays a lesson.
pub async fn lesson_page(request: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    let what = Link::of(&request).id().map(Tryable::Lesson);
    page(&request, &api, &request_id, what).await
}

/// The page that plays an activity.
pub async fn activity_page(
    request: HttpRequest,
    api: Arc<Api>,
    request_id: String,
) -> HttpResponse {
    let what = Link::of(&request).id().map(Tryable::Activity);
    page(&request, &api, &request_id, what).await
}

/// A file of the page, or of a lesson that is played.
pub async fn lesson_file(request: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    let what = Link::of(&request).id().map(Tryable::Lesson);
    file(&request, &api, &request_id, what).await
}

/// A file of the page, or of an activity that is played.
pub async fn activity_file(
    request: HttpRequest,
    api: Arc<Api>,
    request_id: String,
) -> HttpResponse {
    let what = Link::of(&request).id().map(Tryable::Activity);
    file(&request, &api, &request_id, what).await
}

async fn page(
    request: &HttpRequest,
    api: &Api,
    request_id: &str,
    what: Result<Tryable, Error>,
) -> HttpResponse {
    let found = async { find_page(request, api, what?).await };
    match found.await {
        Ok((page, expires)) => {
            answer(HttpResponse::Ok(), "try.html", PAGE_POLICY).body(rendered(&page, expires))
        }
        Err(failure) => response::failure(&failure, request_id),
    }
}

async fn find_page(
    request: &HttpRequest,
    api: &Api,
    what: Tryable,
) -> Result<(PreviewPage, i64), Failure> {
    let mut link = Link::of(request);
    let signed = SignedPreview {
        workspace: link.member("workspace")?,
        what,
        expires: link.member("expires")?,
        signature: link.member("signature")?,
    };
    let (settings, now) = (Arc::clone(&api.app.settings), api.app.clock.now());
    let expires = signed.expires;
    let find = move |tx: &mut dyn Tx| previews::page(tx, &settings, &signed, now);
    Ok((api.app.read(find).await?, expires))
}

/// The page. Everything that is put in is of our own making or escaped; the name comes last, so that nothing in it is taken for a place.
fn rendered(page: &PreviewPage, expires: i64) -> String {
    PAGE.replace("{ticket}", &escaped(&page.ticket))
        .replace("{expires}", &expires.to_string())
        .replace("{name}", &escaped(&page.name))
}

async fn file(
    request: &HttpRequest,
    api: &Api,
    request_id: &str,
    what: Result<Tryable, Error>,
) -> HttpResponse {
    let found = async { find_file(request, api, what?).await };
    let found = found.await;
    found.unwrap_or_else(|failure| response::failure(&failure, request_id))
}

async fn find_file(
    request: &HttpRequest,
    api: &Api,
    what: Tryable,
) -> Result<HttpResponse, Failure> {
    let place = |name| request.match_info().get(name).unwrap_or_default();
    let signed = SignedPreview::of_ticket(what, place("ticket"))?;
    match place("file").split_once('/') {
        Some(("page", name)) => page_file(api, &signed, name).await,
        Some(("package", name)) => package_file(request, api, signed, name).await,
        _ => Err(Error::from(Forbidden::Link).into()),
    }
}

async fn page_file(api: &Api, signed: &SignedPreview, name: &str) -> Result<HttpResponse, Failure> {
    let (settings, now, signed) = (
        Arc::clone(&api.app.settings),
        api.app.clock.now(),
        signed.clone(),
    );
    let find = move |tx: &mut dyn Tx| previews::page(tx, &settings, &signed, now);
    api.app.read(find).await?;
    let found = PAGE_FILES.iter().find(|(known, _)| *known == name);
    let (_, text) = found.ok_or(Error::NotFound("file"))?;
    Ok(answer(HttpResponse::Ok(), name, PAGE_POLICY).body(*text))
}

async fn package_file(
    request: &HttpRequest,
    api: &Api,
    signed: SignedPreview,
    name: &str,
) -> Result<HttpResponse, Failure> {
    let policy = format!("{PACKAGE_POLICY}; {SANDBOX}");
    let step = signed.what.id();
    match find_in_package(api, signed, name).await? {
        PreviewedFile::Made(_) if name == SERVICE => {
            let lms = LMS.replace("{step}", &step);
            Ok(answer(HttpResponse::Ok(), name, &policy).body(lms))
        }
        PreviewedFile::Made(bytes) => Ok(answer(HttpResponse::Ok(), name, &policy).body(bytes)),
        PreviewedFile::Kept(kept, size) => {
            kept_file(request, api, (&kept, size), (name, &policy)).await
        }
    }
}

async fn find_in_package(
    api: &Api,
    signed: SignedPreview,
    name: &str,
) -> Result<PreviewedFile, Failure> {
    let what = signed.what;
    let (settings, now) = (Arc::clone(&api.app.settings), api.app.clock.now());
    let (writer, asked) = (Arc::clone(&api.app.packages), name.to_owned());
    let find =
        move |tx: &mut dyn Tx| previews::piece(tx, &settings, &*writer, (&signed, &asked), now);
    let found = api.app.read_at_length(find).await?;
    let (writer, asked) = (Arc::clone(&api.app.packages), name.to_owned());
    let turn = previews::turn(&api.app, what)
        .await
        .ok_or(Failure::Overloaded)?;
    let made = tokio::task::spawn_blocking(move || {
        let made = found.file(&*writer, &asked);
        drop(turn);
        made
    });
    let made = made.await.map_err(|error| Error::Internal(error.into()))?;
    Ok(made?)
}

async fn kept_file(
    request: &HttpRequest,
    api: &Api,
    (kept, size): (&KeptFile, u64),
    (name, policy): (&str, &str),
) -> Result<HttpResponse, Failure> {
    let tag = format!("\"{}\"", kept.sha256);
    let (builder, bytes) = ranges::begin(request.headers(), size, &tag);
    let Some(bytes) = bytes else {
        // A browser takes the headers of a 304 for those of the file that it has: another policy would close it.
        return Ok(answer(builder, name, policy).finish());
    };
    let stream = previews::read(&api.app, (kept, size), bytes).await?;
    Ok(answer(builder, name, policy)
        .streaming(stream.map(|chunk| chunk.map_err(std::io::Error::other))))
}
