//! Putting a file together that came in pieces, in a folder of ours.

use std::path::Path;
use std::sync::Arc;

use futures_util::StreamExt;
use lyceum_application::authoring::media::ReceivedFile;
use lyceum_application::authoring::media_uploads::{self, ReceivedPiece};
use lyceum_application::running::scratch::Scratch;
use lyceum_application::{App, Error};
use lyceum_domain::authoring::media::UploadedFile;
use lyceum_domain::authoring::media_uploads::{MediaUpload, UploadPiece};
use lyceum_domain::hex;
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufWriter};

use crate::edge::upload::unwritten;
use crate::http::error::Failure;

/// What is held of a file before it is written.
const BUFFER_BYTES: usize = 256 * 1024;

/// Why a file cannot be put together.
pub enum Broken {
    /// A piece of it is gone or damaged.
    Lost,
    /// Something that may pass.
    Later(Failure),
}

impl From<Error> for Broken {
    fn from(error: Error) -> Self {
        Self::Later(error.into())
    }
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Self {
        Self::Later(unwritten(error))
    }
}

/// Writes all pieces of an upload, and the one that just came, into one file.
///
/// # Errors
/// [`Broken`]
pub async fn put_together(
    app: &App,
    upload: &MediaUpload,
    last: ReceivedPiece,
) -> Result<ReceivedFile, Broken> {
    let name = format!("upload-{}", app.ids.next());
    let scratch = Arc::new(Scratch(app.settings.scratch.join(name)));
    let file = File::create(&scratch.0).await?;
    let mut whole = Whole {
        file: BufWriter::with_capacity(BUFFER_BYTES, file),
        hash: Sha256::new(),
        size_bytes: 0,
    };
    for piece in &upload.pieces {
        whole.add_piece(app, upload, piece).await?;
    }
    whole.add_file(&last.file.0).await?;
    whole.file.flush().await?;
    Ok(ReceivedFile {
        file: scratch,
        uploaded: UploadedFile {
            file_name: upload.file_name.clone(),
            size_bytes: whole.size_bytes,
            sha256: hex::lower(&whole.hash.finalize()),
        },
    })
}

/// A file that is being put together.
struct Whole {
    file: BufWriter<File>,
    hash: Sha256,
    size_bytes: u64,
}

impl Whole {
    async fn add(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.hash.update(bytes);
        self.size_bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.file.write_all(bytes).await
    }

    async fn add_piece(
        &mut self,
        app: &App,
        upload: &MediaUpload,
        piece: &UploadPiece,
    ) -> Result<(), Broken> {
        let bytes = media_uploads::bytes(app, upload, piece).await?;
        let mut bytes = bytes.ok_or(Broken::Lost)?;
        let mut hash = Sha256::new();
        while let Some(part) = bytes.next().await {
            let part = part.map_err(Error::from)?;
            hash.update(&part);
            self.add(&part).await?;
        }
        if hex::lower(&hash.finalize()) == piece.sha256 {
            return Ok(());
        }
        Err(Broken::Lost)
    }

    async fn add_file(&mut self, path: &Path) -> std::io::Result<()> {
        let mut file = File::open(path).await?;
        let mut part = vec![0; BUFFER_BYTES];
        loop {
            let read = file.read(&mut part).await?;
            if read == 0 {
                return Ok(());
            }
            self.add(part.get(..read).unwrap_or_default()).await?;
        }
    }
}
