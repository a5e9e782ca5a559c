//! The media library over HTTP.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::StreamExt;
use lyceum_application::Error;
use lyceum_application::authoring::media::{
    self, MediaDownload, MediaFileFilter, SignedMedia, Upload,
};
use lyceum_application::error::Forbidden;
use lyceum_domain::InvalidValue;
use lyceum_domain::authoring::media::{MediaKind, MediaType};
use lyceum_domain::ids::MediaFile;
use lyceum_wire::authoring::media::{CreateMedia, MediaFileView, UpdateMedia};

use crate::http::answer::Accepted;
use crate::http::input::Uploaded;
use crate::http::ranges;
use crate::http::response;
use crate::http::route::{Body, IdentityDoc, RawDoc};
use crate::prelude::*;
use crate::state::Api;

pub async fn create(call: Call<Uploaded<CreateMedia>>) -> Outcome<Accepted<MediaFileView>> {
    call.ask(
        |tx, ctx, _, (new, received)| media::admit(tx, ctx, Upload { new, received }),
        media::store,
        media::create,
    )
    .await
}

pub async fn list(
    call: Call<Listing<MediaFile, MediaFileFilter, Tagged>>,
) -> Outcome<Listed<MediaFileView>> {
    call.read(|tx, ctx, _, (filter, page)| media::list(tx, ctx, &filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<MediaFileView>> {
    call.read(|tx, ctx, path, ()| media::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn update(call: Call<Json<UpdateMedia>>) -> Outcome<Found<MediaFileView>> {
    call.unless_changed(|tx, ctx, path| media::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, changes| media::update(tx, ctx, path.id()?, changes))
        .await
}

pub async fn delete(call: Call<Nothing>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| media::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, ()| {
            let id = media::refuse_used(tx, ctx, path.id()?)?;
            media::delete(tx, ctx, id).map(|id| id.to_string())
        })
        .await
}

impl FromQuery for MediaFileFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("status", "In this state.").one_of(&["pending", "ready", "error"]),
        Parameter::new("kind", "Of this kind, once it was looked at.")
            .one_of(&["image", "audio", "video", "captions", "document"]),
        Parameter::new(
            "sha256",
            "Whose upload has this SHA-256, in lower-case hex.",
        ),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let status = |text: &str| match text {
            "pending" | "ready" | "error" => Ok(text.to_owned()),
            _ => Err(InvalidValue::new("must be one of pending ready error")),
        };
        Ok(Self {
            status: query.parsed("status", status)?,
            kind: query.parsed("kind", MediaKind::parse)?,
            sha256: query.text("sha256")?,
        })
    }
}

/// What a signed address has.
const SIGNED: &[Parameter] = &[
    Parameter::new("workspace", "Of a signed address."),
    Parameter::new("number", "Of a signed address: which of its files."),
    Parameter::new("signature", "Of a signed address."),
    Parameter::new(
        "expires",
        "When a signed address ends, in seconds since 1970.",
    ),
];

/// How the download is documented.
pub fn doc() -> RawDoc {
    RawDoc {
        parameters: SIGNED,
        answer: Body::File("*/*"),
        identity: IdentityDoc::Nobody,
        also: &[206, 304, 307, 403],
    }
}

/// The file or a part of it, to whoever holds a signed address.
pub async fn download(request: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    let answering = async {
        let download = find(&request, &api).await?;
        answer(&request, &api, &download).await
    };
    answering
        .await
        .unwrap_or_else(|failure: Failure| response::failure(&failure, &request_id))
}

async fn answer(
    request: &HttpRequest,
    api: &Api,
    download: &MediaDownload,
) -> Result<HttpResponse, Failure> {
    let file = &download.file;
    let tag = format!("\"{}\"", file.sha256);
    let (mut answer, bytes) = ranges::begin(request.headers(), file.size_bytes, &tag);
    let Some(bytes) = bytes else {
        return Ok(answer.finish());
    };
    if let Some(elsewhere) = media::presigned(&api.app, download).await? {
        return Ok(response::sent_on(&elsewhere));
    }
    let stream = media::bytes(&api.app, download, bytes).await?;
    Ok(answer
        .content_type(file.media_type.as_str())
        // Whatever it is, it runs nothing and loads nothing where it is opened by itself.
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CONTENT_DISPOSITION, disposition(file.media_type)))
        .streaming(stream.map(|chunk| chunk.map_err(std::io::Error::other))))
}

/// A document is for keeping; everything else is shown where it stands.
const fn disposition(media_type: MediaType) -> &'static str {
    match media_type.kind() {
        MediaKind::Document => "attachment",
        MediaKind::Image | MediaKind::Audio | MediaKind::Video | MediaKind::Captions => "inline",
    }
}

async fn find(request: &HttpRequest, api: &Api) -> Result<MediaDownload, Failure> {
    // Whatever is wrong with an address, it opens nothing, and says nothing of what is there.
    let cut = || Error::from(Forbidden::Link);
    let mut query = Query::parse(request.query_string());
    let mut member = |name: &'static str| query.text(name).ok().flatten().unwrap_or_default();
    let id = request.match_info().get("id").unwrap_or_default();
    let signed = SignedMedia {
        workspace: member("workspace").parse().map_err(|_| cut())?,
        id: id.parse().map_err(|_| cut())?,
        number: member("number").parse().map_err(|_| cut())?,
        expires: member("expires").parse().map_err(|_| cut())?,
        signature: member("signature"),
    };
    let (settings, now) = (Arc::clone(&api.app.settings), api.app.clock.now());
    let find = move |tx: &mut dyn lyceum_application::Tx| {
        media::signed_download(tx, &settings, &signed, now)
    };
    Ok(api.app.read(find).await?)
}
