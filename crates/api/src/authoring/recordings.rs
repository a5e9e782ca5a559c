//! Recordings of podcasts over HTTP: to whoever holds a signed address, and to nobody else.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use lyceum_application::authoring::recordings::{self, SignedAudio};
use lyceum_application::running::signed_files::SignedFile;

use crate::edge::signed_file::{self, Link};
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
    signed_file::hand_out(&request, &api, &request_id, find(&request, &api)).await
}

async fn find(request: &HttpRequest, api: &Api) -> Result<SignedFile, Failure> {
    let mut link = Link::of(request);
    let signed = SignedAudio {
        workspace: link.member("workspace")?,
        activity: link.id()?,
        expires: link.member("expires")?,
        signature: link.member("signature")?,
    };
    let (settings, now) = (Arc::clone(&api.app.settings), api.app.clock.now());
    let find = move |tx: &mut dyn lyceum_application::Tx| {
        recordings::signed_download(tx, &settings, &signed, now)
    };
    Ok(api.app.read(find).await?)
}
