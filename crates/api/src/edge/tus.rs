//! Uploads in pieces, as tus 1.0.0 speaks of them (<https://tus.io/protocols/resumable-upload>): what its headers say, and
//! bytes that go to a folder of ours as they come. What it takes of memory does not depend on how many they are.
//!
//! Of the protocol's extensions there are `creation`, `expiration` and `termination`.

use std::time::{Duration, SystemTime};

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue, HttpDate};
use actix_web::web::{Bytes, Payload};
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures_util::StreamExt;
use lyceum_application::App;
use lyceum_application::authoring::media_uploads::ReceivedPiece;
use lyceum_application::running::scratch::Scratch;
use lyceum_domain::json::JsonObject;
use lyceum_domain::{Invalid, Timestamp, hex};
use lyceum_wire::authoring::media_uploads::MediaUploadView;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncWriteExt, BufWriter};

use crate::addresses::VERSION as API;
use crate::edge::concurrency::Permit;
use crate::edge::upload::unwritten;
use crate::http::error::Failure;
use crate::http::headers::header_text;

/// The only version there is.
const VERSION: HeaderValue = HeaderValue::from_static("1.0.0");
/// What is spoken of the protocol beside its core.
const EXTENSIONS: HeaderValue = HeaderValue::from_static("creation,expiration,termination");
const RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
/// What bytes are sent as.
pub const MEDIA_TYPE: &str = "application/offset+octet-stream";
/// Where the first byte belongs that is sent.
pub const OFFSET: &str = "Upload-Offset";
/// How much is kept at once: who is cut off loses no more than this.
const PIECE_BYTES: u64 = 16 * 1024 * 1024;
/// What is held of a piece before it is written.
const BUFFER_BYTES: usize = 256 * 1024;
/// What clients call things that we call otherwise.
const ALSO_CALLED: [(&str, &str); 2] = [("filename", "file_name"), ("name", "file_name")];

/// Refuses whoever speaks another version; who says nothing speaks ours.
///
/// # Errors
/// [`Failure::UnsupportedTusVersion`]
pub fn check_version(request: &HttpRequest) -> Result<(), Failure> {
    match header_text(request, "tus-resumable") {
        Some(version) if version != VERSION => Err(Failure::UnsupportedTusVersion),
        Some(_) | None => Ok(()),
    }
}

/// Puts what the headers of a beginning upload say into its body.
///
/// # Errors
/// [`Failure::UnsupportedTusVersion`], [`lyceum_application::Error::Invalid`]
pub fn read_beginning(request: &HttpRequest, body: &mut JsonObject) -> Result<(), Failure> {
    check_version(request)?;
    if let Some(length) = header_text(request, "upload-length") {
        let length: u64 = length
            .parse()
            .map_err(|_| Invalid::new("size_bytes", "must be a number of bytes"))?;
        body.insert("size_bytes".to_owned(), length.into());
    }
    let said = header_text(request, "upload-metadata").unwrap_or_default();
    for pair in said.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        let (name, value) = pair.split_once(' ').unwrap_or((pair, ""));
        let text = BASE64_STANDARD.decode(value.trim()).ok();
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        let text = text.ok_or_else(|| Invalid::new(name, "must be UTF-8 in Base64"))?;
        let known = ALSO_CALLED.iter().find(|(theirs, _)| *theirs == name);
        let name = known.map_or(name, |(_, ours)| *ours);
        body.insert(name.to_owned(), Value::String(text));
    }
    Ok(())
}

/// Where the first byte belongs that a request sends.
///
/// # Errors
/// [`Failure::UnsupportedTusVersion`], [`Failure::NoBytes`], [`lyceum_application::Error::Invalid`]
pub fn offset(request: &HttpRequest) -> Result<u64, Failure> {
    check_version(request)?;
    let is_packed = request.headers().contains_key(header::CONTENT_ENCODING);
    if is_packed || header_text(request, "content-type").as_deref() != Some(MEDIA_TYPE) {
        return Err(Failure::NoBytes);
    }
    let offset = header_text(request, OFFSET).ok_or_else(|| Invalid::missing(OFFSET))?;
    let offset = offset.parse();
    Ok(offset.map_err(|_| Invalid::new(OFFSET, "must be a number of bytes"))?)
}

/// Says how an upload stands, as its body says it.
pub fn tell(answer: &mut HttpResponse, body: &str) {
    let Ok(upload) = serde_json::from_str::<MediaUploadView>(body) else {
        return;
    };
    let headers = answer.headers_mut();
    set(headers, "upload-offset", upload.offset.to_string());
    set(headers, "upload-length", upload.size_bytes.to_string());
    if let Ok(end) = Timestamp::parse(&upload.expires_at) {
        let seconds = u64::try_from(end.unix_seconds()).unwrap_or_default();
        let end = HttpDate::from(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        set(headers, "upload-expires", end.to_string());
    }
    if let Some(media) = upload.media_id {
        set(headers, "content-location", format!("{API}/media/{media}"));
    }
}

/// Says which version an answer speaks.
pub fn mark(answer: &mut HttpResponse) {
    answer.headers_mut().insert(RESUMABLE, VERSION);
    if answer.status() == actix_web::http::StatusCode::PRECONDITION_FAILED {
        set_constant(answer.headers_mut(), "tus-version", VERSION);
    }
}

/// Says what there is, to whoever asks for options.
pub fn offer(answer: &mut HttpResponse, most_bytes: u64) {
    let headers = answer.headers_mut();
    set_constant(headers, "tus-version", VERSION);
    set_constant(headers, "tus-extension", EXTENSIONS);
    set(headers, "tus-max-size", most_bytes.to_string());
}

fn set_constant(headers: &mut HeaderMap, name: &'static str, value: HeaderValue) {
    headers.insert(HeaderName::from_static(name), value);
}

fn set(headers: &mut HeaderMap, name: &'static str, value: String) {
    if let Ok(value) = HeaderValue::try_from(value) {
        set_constant(headers, name, value);
    }
}

/// Bytes that are on their way.
pub struct Incoming {
    payload: Payload,
    /// What came beyond the piece that was taken last.
    held: Bytes,
    /// How long there is to wait for more.
    idle: Duration,
    /// One of those where files are taken in.
    _place: Permit,
}

/// Some of them.
pub struct Taken {
    /// What came.
    pub received: ReceivedPiece,
    /// Whether there is more.
    pub end: End,
}

/// What is behind a piece.
pub enum End {
    /// Perhaps more.
    Open,
    /// Nothing.
    Over,
    /// Nobody knows: it broke off.
    Broken(Failure),
}

impl Incoming {
    /// Of a request.
    pub const fn new(payload: Payload, idle: Duration, place: Permit) -> Self {
        Self {
            payload,
            held: Bytes::new(),
            idle,
            _place: place,
        }
    }

    /// Takes up to so many bytes in, as long as there are always more of them soon. What came before it broke off came.
    ///
    /// # Errors
    /// [`lyceum_application::Error::DiskFull`], [`lyceum_application::Error::Unavailable`] where it cannot be written.
    pub async fn take(&mut self, app: &App, missing: u64) -> Result<Taken, Failure> {
        let most = missing.min(PIECE_BYTES);
        let name = format!("upload-{}", app.ids.next());
        // Gone when nobody needs it any more, however the request ends.
        let scratch = Scratch(app.settings.scratch.join(name));
        let file = File::create(&scratch.0).await.map_err(unwritten)?;
        let mut file = BufWriter::with_capacity(BUFFER_BYTES, file);
        let (mut hash, mut size_bytes, mut end) = (Sha256::new(), 0, End::Open);
        while size_bytes < most {
            match self.next(most - size_bytes).await {
                Ok(Some(bytes)) => {
                    size_bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                    hash.update(&bytes);
                    file.write_all(&bytes).await.map_err(unwritten)?;
                }
                Ok(None) => {
                    end = End::Over;
                    break;
                }
                Err(failure) => {
                    end = End::Broken(failure);
                    break;
                }
            }
        }
        file.flush().await.map_err(unwritten)?;
        Ok(Taken {
            received: ReceivedPiece {
                file: scratch,
                size_bytes,
                sha256: hex::lower(&hash.finalize()),
            },
            end,
        })
    }

    /// Whether more comes. Where it breaks off instead, nothing more came, and what is there is all of it.
    pub async fn goes_on(&mut self) -> bool {
        matches!(self.next(1).await, Ok(Some(_)))
    }

    /// The next bytes, at most so many; nothing where there are none.
    async fn next(&mut self, most: u64) -> Result<Option<Bytes>, Failure> {
        while self.held.is_empty() {
            let next = tokio::time::timeout(self.idle, self.payload.next()).await;
            let Some(bytes) = next.map_err(|_| Failure::SlowBody)? else {
                return Ok(None);
            };
            self.held = bytes.map_err(|error| {
                Failure::from(Invalid::new("body", format!("could not be read: {error}")))
            })?;
        }
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Ok(Some(self.held.split_to(self.held.len().min(most))))
    }
}
