//! Texts that are shown as HTML: their style, for whoever puts them into pages of their own, and what nobody has saved yet.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use lyceum_application::authoring::rendering;
use lyceum_application::authoring::texts::STYLE;
use lyceum_application::{App, Error};
use lyceum_wire::authoring::texts::{RenderText, RenderedTextView};

use crate::http::response::{etag, names_tag, unchanged};
use crate::http::route::{Body, IdentityDoc, RawDoc};
use crate::prelude::*;
use crate::state::Api;

/// How the style sheet is documented.
pub fn style_doc() -> RawDoc {
    RawDoc {
        parameters: &[],
        answer: Body::File("text/css"),
        identity: IdentityDoc::Nobody,
        also: &[304],
    }
}

/// The style sheet. Pages of others load it, so it takes no key; there is nothing in it but rules.
pub async fn style(request: HttpRequest, _: Arc<Api>, _: String) -> HttpResponse {
    let tag = etag(STYLE);
    let known = request.headers().get(header::IF_NONE_MATCH);
    let known = known.and_then(|tags| tags.to_str().ok());
    if known.is_some_and(|tags| names_tag(tags, &tag)) {
        return unchanged(&tag);
    }
    HttpResponse::Ok()
        .content_type("text/css; charset=utf-8")
        .insert_header((header::ETAG, tag))
        .body(STYLE)
}

/// A text as it would be shown, of which nothing is kept.
pub async fn render(call: Call<Json<RenderText>>) -> Outcome<Found<RenderedTextView>> {
    call.consult(
        |tx, ctx, _, unsaved| rendering::find(tx, ctx, &unsaved),
        |_: App, found| async {
            let rendered = tokio::task::spawn_blocking(move || rendering::render(found));
            rendered
                .await
                .map_err(|error| Error::Internal(error.into()))
        },
    )
    .await
}
