//! Files to whoever holds a signed address, and to nobody else.

use std::str::FromStr;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::StreamExt;
use lyceum_application::Error;
use lyceum_application::error::Forbidden;
use lyceum_application::running::signed_files::SignedFile;
use lyceum_domain::authoring::media::{MediaKind, MediaType};

use crate::http::error::Failure;
use crate::http::query::Query;
use crate::http::{ranges, response};
use crate::state::Api;

/// A signed address. Whatever is wrong with one, it opens nothing, and says nothing of what is there.
pub struct Link<'r> {
    request: &'r HttpRequest,
    query: Query,
}

impl<'r> Link<'r> {
    /// The one that was asked for.
    pub fn of(request: &'r HttpRequest) -> Self {
        let query = Query::parse(request.query_string());
        Self { request, query }
    }

    /// Of which thing it is.
    pub fn id<T: FromStr>(&self) -> Result<T, Error> {
        read(self.request.match_info().get("id").unwrap_or_default())
    }

    /// What it says.
    pub fn member<T: FromStr>(&mut self, name: &'static str) -> Result<T, Error> {
        read(&self.query.text(name).ok().flatten().unwrap_or_default())
    }
}

fn read<T: FromStr>(text: &str) -> Result<T, Error> {
    text.parse().map_err(|_| Forbidden::Link.into())
}

/// The file or a part of it, or where else it is had.
pub async fn hand_out(
    request: &HttpRequest,
    api: &Api,
    request_id: &str,
    find: impl Future<Output = Result<SignedFile, Failure>>,
) -> HttpResponse {
    let answering = async { answer(request, api, &find.await?).await };
    let answered = answering.await;
    answered.unwrap_or_else(|failure| response::failure(&failure, request_id))
}

async fn answer(
    request: &HttpRequest,
    api: &Api,
    file: &SignedFile,
) -> Result<HttpResponse, Failure> {
    let tag = format!("\"{}\"", file.kept.sha256);
    let (mut answer, bytes) = ranges::begin(request.headers(), file.size_bytes, &tag);
    let Some(bytes) = bytes else {
        return Ok(answer.finish());
    };
    if let Some(elsewhere) = file.presigned(&api.app).await? {
        return Ok(response::sent_on(&elsewhere));
    }
    let stream = file.bytes(&api.app, bytes).await?;
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
