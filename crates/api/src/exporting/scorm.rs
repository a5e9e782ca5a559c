//! SCORM packages over HTTP.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::StreamExt;
use lyceum_application::Error;
use lyceum_application::error::Forbidden;
use lyceum_application::exporting::scorm::{self, Download, ScormPackageFilter};
use lyceum_application::identity::access::Requirement;
use lyceum_domain::InvalidValue;
use lyceum_domain::exporting::scorm_file_name::PackageFileName;
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::ids::{ScormPackage, ScormPackageId};
use lyceum_wire::common_ids::reference;
use lyceum_wire::exporting::scorm::{CreateScormPackage, ScormPackageView};

use crate::edge::admission;
use crate::edge::policy::Policy;
use crate::http::answer::Accepted;
use crate::http::auth_scope::Tenant;
use crate::http::ranges;
use crate::http::response;
use crate::http::route::{Body, IdentityDoc, RawDoc};
use crate::prelude::*;
use crate::state::Api;

pub async fn create(call: Call<Json<CreateScormPackage>>) -> Outcome<Accepted<ScormPackageView>> {
    call.write(|tx, ctx, _, new| scorm::create(tx, ctx, new))
        .await
}

pub async fn list(
    call: Call<Listing<ScormPackage, ScormPackageFilter>>,
) -> Outcome<Listed<ScormPackageView>> {
    call.read(|tx, ctx, _, (filter, page)| scorm::list(tx, ctx, &filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<ScormPackageView>> {
    call.read(|tx, ctx, path, ()| scorm::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn delete(call: Call<Nothing>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| scorm::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, ()| scorm::delete(tx, ctx, path.id()?).map(|id| id.to_string()))
        .await
}

pub async fn revoke(call: Call<Nothing>) -> Outcome<Found<ScormPackageView>> {
    call.write(|tx, ctx, path, ()| scorm::revoke(tx, ctx, path.id()?))
        .await
}

impl FromQuery for ScormPackageFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("status", "In this state.")
            .one_of(&["pending", "ready", "error", "revoked"]),
        Parameter::new("cohort_id", "Of this cohort."),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let status = |text: &str| match text {
            "pending" | "ready" | "error" | "revoked" => Ok(text.to_owned()),
            _ => Err(InvalidValue::new(
                "must be one of pending ready error revoked",
            )),
        };
        Ok(Self {
            status: query.parsed("status", status)?,
            cohort_id: query.text("cohort_id")?.map(|id| reference(&id)),
        })
    }
}

/// What a signed address has.
pub const SIGNED: &[Parameter] = &[
    Parameter::new("signature", "Of a signed address; then no key is needed."),
    Parameter::new(
        "expires",
        "When a signed address ends, in seconds since 1970.",
    ),
];

/// What a signed address says, if it is one: when it ends, and its signature. Of one that was cut off on its way, what is
/// missing is what nobody signed.
pub fn signed(query: &mut Query) -> Option<(i64, String)> {
    let is_signed = query.names("signature") || query.names("expires");
    let mut member = |name| query.text(name).ok().flatten().unwrap_or_default();
    let expires = member("expires").parse().unwrap_or_default();
    is_signed.then(|| (expires, member("signature")))
}

/// How the download is documented.
pub fn download_doc() -> RawDoc {
    RawDoc {
        parameters: SIGNED,
        answer: Body::File("application/zip"),
        identity: IdentityDoc::MayHaveKey,
        also: &[206, 304, 400, 401, 403, 409],
    }
}

/// The archive or a part of it, to whoever holds a signed address or a key with `read:courses`.
pub async fn download(request: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    let answering = async {
        let download = find_download(&request, &api, &request_id).await?;
        answer(&request, &api, &download).await
    };
    answering
        .await
        .unwrap_or_else(|failure| response::failure(&failure, &request_id))
}

async fn answer(
    request: &HttpRequest,
    api: &Api,
    download: &Download,
) -> Result<HttpResponse, Failure> {
    let tag = format!("\"{}\"", download.file.sha256);
    let (mut answer, bytes) = ranges::begin(request.headers(), download.file.size_bytes, &tag);
    let Some(bytes) = bytes else {
        return Ok(answer.finish());
    };
    let stream = scorm::bytes(&api.app, download, bytes).await?;
    let name = disposition(&download.file_name);
    Ok(answer
        .content_type("application/zip")
        .insert_header((header::CONTENT_DISPOSITION, name))
        .streaming(stream.map(|chunk| chunk.map_err(std::io::Error::other))))
}

/// How the file is to be saved (RFC 6266): by its name in letters that every client takes, and by its own name.
fn disposition(name: &PackageFileName) -> String {
    // What may stand for itself in RFC 8187, section 3.2.1.
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&b);
    let spell = |b: u8| {
        if plain(b) {
            char::from(b).to_string()
        } else {
            format!("%{b:02X}")
        }
    };
    let unicode: String = name.unicode.bytes().map(spell).collect();
    let ascii = &name.ascii;
    format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{unicode}")
}

async fn find_download(
    request: &HttpRequest,
    api: &Api,
    request_id: &str,
) -> Result<Download, Failure> {
    let mut query = Query::parse(request.query_string());
    let id = request
        .match_info()
        .get("id")
        .unwrap_or_default()
        .parse::<ScormPackageId>();
    let missing = |_| Error::NotFound("scorm_package");
    if let Some((expires, signature)) = signed(&mut query) {
        let (id, now) = (
            id.map_err(|_| Forbidden::Link).map_err(Error::from)?,
            api.app.clock.now(),
        );
        let settings = Arc::clone(&api.app.settings);
        let find = move |tx: &mut dyn lyceum_application::Tx| {
            scorm::signed_download(tx, &settings, id, expires, &signature, now)
        };
        return Ok(api.app.read(find).await?);
    }
    let policy = Policy::new(true, Requirement::all(&[Scope::ReadCourses]));
    let entering = admission::enter::<Tenant>(api, request, &policy, request_id, None);
    let (ctx, view) = entering.await?;
    let id = id.map_err(missing)?;
    Ok(api
        .app
        .read_in(view, move |tx| scorm::own_download(tx, &ctx, id))
        .await?)
}
