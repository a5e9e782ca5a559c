//! Uploads of large files to the media library: in pieces, as tus 1.0.0 has them, or straight to the bucket.

use std::io::{ErrorKind, SeekFrom};
use std::path::Path;
use std::time::Duration;

use lyceum_wire::authoring::media::MediaFileView;
use lyceum_wire::authoring::media_uploads::{CreateMediaUpload, MediaUploadView};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};

use crate::call::Call;
use crate::client::path;
use crate::error::ClientError;
use crate::media::MediaLibrary;
use crate::retry::wait_before;

/// How much is sent at once: who is cut off sends no more than this again.
const PIECE_BYTES: u64 = 8 * 1024 * 1024;

/// How long the service may take to read what was put into its bucket.
const COMPLETION: Duration = Duration::from_hours(1);

impl MediaLibrary {
    /// Uploads a large file in pieces, and goes on where it was cut off as often as the client may retry, counted anew
    /// with each piece that arrived. Its size is the file's, whatever `said` says.
    ///
    /// # Errors
    /// [`ClientError::File`] if it cannot be read, and what the service answers.
    pub async fn upload_in_pieces(
        &self,
        file: &Path,
        said: &CreateMediaUpload,
    ) -> Result<MediaFileView, ClientError> {
        let mut file = File::open(file).await.map_err(ClientError::File)?;
        let size_bytes = file.metadata().await.map_err(ClientError::File)?.len();
        let said = CreateMediaUpload {
            size_bytes,
            ..said.clone()
        };
        let mut upload = self.begin_upload(&said).await?;
        let mut failures = 0;
        while upload.media_id.is_none() {
            let bytes = read(&mut file, upload.offset).await?;
            match self.append(&upload.id, upload.offset, bytes).await {
                Ok(()) => failures = 0,
                Err(error) if failures < self.0.retries() && may_pass(&error) => {
                    let wait = wait_before(failures, None);
                    tokio::time::sleep(wait.unwrap_or_default()).await;
                    failures += 1;
                }
                Err(error) => return Err(error),
            }
            upload = self.retrieve_upload(&upload.id).await?;
        }
        self.retrieve(upload.media_id.as_deref().unwrap_or_default())
            .await
    }

    /// Begins an upload of a large file.
    pub fn begin_upload(&self, said: &CreateMediaUpload) -> Call<MediaUploadView> {
        self.0.post("/v1/media_uploads", said)
    }

    /// Uploads a large file straight to the bucket of the service, where that is allowed (`direct_uploads_off` where not). Its size is
    /// the file's, whatever `said` says. The bucket is asked once: where that breaks off, begin again.
    ///
    /// # Errors
    /// [`ClientError::File`] if it cannot be read, [`ClientError::NotTaken`] where the bucket does not take it, and what the service
    /// answers.
    pub async fn upload_directly(
        &self,
        file: &Path,
        said: &CreateMediaUpload,
    ) -> Result<MediaFileView, ClientError> {
        let file = File::open(file).await.map_err(ClientError::File)?;
        let size_bytes = file.metadata().await.map_err(ClientError::File)?.len();
        let said = CreateMediaUpload {
            size_bytes,
            direct: Some(true),
            ..said.clone()
        };
        let upload = self.begin_upload(&said).await?;
        let put = upload.put.as_ref().ok_or(ClientError::NotTaken(None))?;
        self.0.put_elsewhere(put, file, size_bytes).await?;
        let whole = self.complete_upload(&upload.id).await?;
        self.retrieve(whole.media_id.as_deref().unwrap_or_default())
            .await
    }

    /// Has the service take what was put into its bucket into the library. It reads all of it, so it may take a while.
    pub fn complete_upload(&self, id: &str) -> Call<MediaUploadView> {
        let complete = self.0.act(&path("media_uploads", id, "/complete"));
        complete.within(COMPLETION)
    }

    /// Shows how much of an upload came.
    pub fn retrieve_upload(&self, id: &str) -> Call<MediaUploadView> {
        self.0.get(&path("media_uploads", id, ""))
    }

    /// Sends the next bytes of an upload, of which `offset` came before. It is tried once.
    ///
    /// # Errors
    /// What the service answers; of what broke off, a part may have come.
    pub async fn append(&self, id: &str, offset: u64, bytes: Vec<u8>) -> Result<(), ClientError> {
        let request = self
            .0
            .begin(Method::PATCH, &path("media_uploads", id, ""))?
            .header(CONTENT_TYPE, "application/offset+octet-stream")
            .header("Upload-Offset", offset)
            .header("Tus-Resumable", "1.0.0")
            .body(bytes);
        self.0.send_once(request).await.map(drop)
    }

    /// Gives an upload up, and what came of it.
    ///
    /// # Errors
    /// What the service answers.
    pub async fn give_up_upload(&self, id: &str) -> Result<(), ClientError> {
        let request = self
            .0
            .begin(Method::DELETE, &path("media_uploads", id, ""))?;
        self.0.send_once(request).await.map(drop)
    }
}

/// Whether the same piece may be taken the next time: also where somebody else sent it meanwhile.
fn may_pass(error: &ClientError) -> bool {
    let elsewhere =
        matches!(error, ClientError::Api(detail, _) if detail.code == "upload_offset_mismatch");
    error.is_passing() || elsewhere
}

/// The bytes of a piece.
async fn read(file: &mut File, offset: u64) -> Result<Vec<u8>, ClientError> {
    let mut bytes = Vec::new();
    let seek = file.seek(SeekFrom::Start(offset)).await;
    seek.map_err(ClientError::File)?;
    let read = file.take(PIECE_BYTES).read_to_end(&mut bytes).await;
    read.map_err(ClientError::File)?;
    if bytes.is_empty() {
        // It has become shorter than it was, and what is missing will never come.
        return Err(ClientError::File(ErrorKind::UnexpectedEof.into()));
    }
    Ok(bytes)
}
