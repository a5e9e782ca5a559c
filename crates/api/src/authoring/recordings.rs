//! Recordings of podcasts over HTTP: to whoever holds a signed address, and to nobody else.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use futures_util::StreamExt;
use lyceum_application::Error;
use lyceum_application::authoring::recordings::{self, RecordingDownload, SignedAudio};
use lyceum_application::error::Forbidden;

use crate::http::ranges;
use crate::http::response;
use crate::http::route::{Body, IdentityDoc, RawDoc};
use crate::prelude::*;
use crate::state::Api;

/// What a signed address has.
const SIGNED: &[Parameter] = &[
    Parameter::new("workspace", "Of a signed address."),
    Parameter::new("signature", "Of a signed address."),
    Parameter::new(
        "expires",
        "When a signed address ends, in seconds since 1970.",
    ),
];

/// How it is documented.
pub fn doc() -> RawDoc {
    RawDoc {
        parameters: SIGNED,
        answer: Body::File("audio/wav"),
        identity: IdentityDoc::Nobody,
        also: &[206, 304, 307, 403],
    }
}

/// The recording or a part of it.
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
    download: &RecordingDownload,
) -> Result<HttpResponse, Failure> {
    let recording = &download.recording;
    let tag = format!("\"{}\"", recording.sha256);
    let (mut answer, bytes) = ranges::begin(request.headers(), recording.size_bytes, &tag);
    let Some(bytes) = bytes else {
        return Ok(answer.finish());
    };
    if let Some(elsewhere) = recordings::presigned(&api.app, download).await? {
        return Ok(response::sent_on(&elsewhere));
    }
    let stream = recordings::bytes(&api.app, recording, bytes).await?;
    Ok(answer
        .content_type("audio/wav")
        .streaming(stream.map(|chunk| chunk.map_err(std::io::Error::other))))
}

async fn find(request: &HttpRequest, api: &Api) -> Result<RecordingDownload, Failure> {
    // Whatever is wrong with an address, it opens nothing, and says nothing of what is there.
    let cut = || Error::from(Forbidden::Link);
    let mut query = Query::parse(request.query_string());
    let mut member = |name: &'static str| query.text(name).ok().flatten().unwrap_or_default();
    let id = request.match_info().get("id").unwrap_or_default();
    let signed = SignedAudio {
        workspace: member("workspace").parse().map_err(|_| cut())?,
        activity: id.parse().map_err(|_| cut())?,
        expires: member("expires").parse().map_err(|_| cut())?,
        signature: member("signature"),
    };
    let (settings, now) = (Arc::clone(&api.app.settings), api.app.clock.now());
    let find = move |tx: &mut dyn lyceum_application::Tx| {
        recordings::signed_download(tx, &settings, &signed, now)
    };
    Ok(api.app.read(find).await?)
}
