//! The media library over HTTP.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use lyceum_application::authoring::media::{self, MediaFileFilter, SignedMedia, Upload};
use lyceum_application::running::signed_files::SignedFile;
use lyceum_domain::InvalidValue;
use lyceum_domain::authoring::media::MediaKind;
use lyceum_domain::ids::MediaFile;
use lyceum_wire::authoring::media::{CreateMedia, MediaFileView, UpdateMedia};

use crate::edge::signed_file::{self, Link};
use crate::http::answer::Accepted;
use crate::http::input::Uploaded;
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
    signed_file::hand_out(&request, &api, &request_id, find(&request, &api)).await
}

async fn find(request: &HttpRequest, api: &Api) -> Result<SignedFile, Failure> {
    let mut link = Link::of(request);
    let signed = SignedMedia {
        workspace: link.member("workspace")?,
        id: link.id()?,
        number: link.member("number")?,
        expires: link.member("expires")?,
        signature: link.member("signature")?,
    };
    let (settings, now) = (Arc::clone(&api.app.settings), api.app.clock.now());
    let find = move |tx: &mut dyn lyceum_application::Tx| {
        media::signed_download(tx, &settings, &signed, now)
    };
    Ok(api.app.read(find).await?)
}
