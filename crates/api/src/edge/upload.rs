//! Uploads: forms with a file in them, which goes to a folder of ours as it comes. What it takes of memory does not depend on
//! how large it is.

use std::sync::Arc;
use std::time::Duration;

use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::HttpRequest;
use actix_web::http::header;
use actix_web::web::Payload;
use futures_util::StreamExt;
use lyceum_application::authoring::media::ReceivedFile;
use lyceum_application::running::scratch::Scratch;
use lyceum_application::{App, Error};
use lyceum_domain::authoring::media::{UploadedFile, file_name};
use lyceum_domain::json::JsonObject;
use lyceum_domain::{Invalid, hex};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncWriteExt, BufWriter};

use crate::http::error::Failure;
use crate::http::headers::header_text;

/// The part of the form that is the file.
pub const FILE: &str = "file";
/// How long an upload may take in all.
pub const UPLOAD_DEADLINE: Duration = Duration::from_hours(1);
/// Longest text field, in bytes.
const TEXT_BYTES: usize = 64 * 1024;
/// Most parts of a form.
const PARTS: usize = 20;
/// What is held of a file before it is written.
const BUFFER_BYTES: usize = 256 * 1024;

/// What a form held.
pub struct Form {
    /// Its texts by name; under the name of the file its hash, so that the same form is the same request.
    pub body: JsonObject,
    /// Bytes of all texts.
    pub text_bytes: usize,
    /// Its file.
    pub file: ReceivedFile,
}

/// Takes a form in, as long as there is always more of it soon.
///
/// # Errors
/// [`Failure::NoForm`], [`Failure::PayloadTooLarge`], [`Failure::SlowBody`], [`Error::Invalid`]
/// for a form without a file or with several, [`Error::DiskFull`], [`Error::Unavailable`] where it cannot be written.
pub async fn receive(
    app: &App,
    request: &HttpRequest,
    payload: Payload,
    idle: Duration,
) -> Result<Form, Failure> {
    check_form(request)?;
    if app.is_almost_full() {
        return Err(Error::DiskFull.into());
    }
    let mut parts = Multipart::new(request.headers(), payload);
    let (mut body, mut text_bytes, mut file) = (JsonObject::new(), 0, None);
    for number in 0.. {
        let next = tokio::time::timeout(idle, parts.next()).await;
        let Some(field) = next.map_err(|_| Failure::SlowBody)? else {
            break;
        };
        let field = field.map_err(|error| unreadable(&error))?;
        if number >= PARTS {
            return Err(Invalid::new(FILE, format!("must be one of at most {PARTS} parts")).into());
        }
        let name = field.name().unwrap_or_default().to_owned();
        if name == FILE {
            if file.is_some() {
                return Err(Invalid::new(FILE, "must be sent once").into());
            }
            file = Some(save(app, field, idle).await?);
        } else {
            let text = text(field, idle).await?;
            text_bytes += text.len();
            body.insert(name, Value::String(text));
        }
    }
    let file = file.ok_or_else(|| Invalid::missing(FILE))?;
    body.insert(FILE.to_owned(), Value::String(file.uploaded.sha256.clone()));
    Ok(Form {
        body,
        text_bytes,
        file,
    })
}

fn check_form(request: &HttpRequest) -> Result<(), Failure> {
    let is_packed = request.headers().contains_key(header::CONTENT_ENCODING);
    let given = header_text(request, "content-type").unwrap_or_default();
    let kind = given.split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("multipart/form-data") && !is_packed {
        return Ok(());
    }
    Err(Failure::NoForm)
}

async fn save(app: &App, mut field: Field, idle: Duration) -> Result<ReceivedFile, Failure> {
    let sent = field
        .content_disposition()
        .and_then(|disposition| disposition.get_filename().map(str::to_owned));
    let path = app
        .settings
        .scratch
        .join(format!("upload-{}", app.ids.next()));
    // Gone when nobody needs it any more, however the request ends.
    let scratch = Arc::new(Scratch(path));
    let file = File::create(&scratch.0).await.map_err(unwritten)?;
    let mut file = BufWriter::with_capacity(BUFFER_BYTES, file);
    let (mut hash, mut size_bytes) = (Sha256::new(), 0_u64);
    let most = app.settings.spending.upload_bytes;
    while let Some(piece) = next_piece(&mut field, idle).await? {
        size_bytes += u64::try_from(piece.len()).unwrap_or(u64::MAX);
        if size_bytes > most {
            return Err(Failure::PayloadTooLarge);
        }
        hash.update(&piece);
        file.write_all(&piece).await.map_err(unwritten)?;
    }
    file.flush().await.map_err(unwritten)?;
    if size_bytes == 0 {
        return Err(Invalid::new(FILE, "must not be empty").into());
    }
    Ok(ReceivedFile {
        file: scratch,
        uploaded: UploadedFile {
            file_name: file_name(&sent.unwrap_or_default()),
            size_bytes,
            sha256: hex::lower(&hash.finalize()),
        },
    })
}

async fn text(mut field: Field, idle: Duration) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    while let Some(piece) = next_piece(&mut field, idle).await? {
        if bytes.len() + piece.len() > TEXT_BYTES {
            return Err(Failure::PayloadTooLarge);
        }
        bytes.extend_from_slice(&piece);
    }
    let name = field.name().unwrap_or_default().to_owned();
    String::from_utf8(bytes).map_err(|_| Invalid::new(name, "must be UTF-8").into())
}

async fn next_piece(
    field: &mut Field,
    idle: Duration,
) -> Result<Option<actix_web::web::Bytes>, Failure> {
    let next = tokio::time::timeout(idle, field.next()).await;
    let piece = next.map_err(|_| Failure::SlowBody)?;
    piece.transpose().map_err(|error| unreadable(&error))
}

/// A form that breaks off, or is none.
fn unreadable(error: &MultipartError) -> Failure {
    Invalid::new(FILE, format!("could not be read: {error}")).into()
}

/// What could not be written to a folder of ours.
pub fn unwritten(error: std::io::Error) -> Failure {
    if error.kind() == std::io::ErrorKind::StorageFull {
        return Error::DiskFull.into();
    }
    Error::Unavailable(error.into()).into()
}
