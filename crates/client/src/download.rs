//! Downloads, straight to a file.

use std::path::Path;

use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use url::Url;

use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// Saves what is at an address: a whole one, such as a package's `download_url`, or a path of the service.
    /// Returns its size in bytes.
    ///
    /// The key is sent with a path only; a whole address carries its own proof, and may lead elsewhere.
    pub async fn download(&self, url: &str, to: &Path) -> Result<u64, ClientError> {
        self.download_with(url, to, |_| ()).await
    }

    /// Like [`Client::download`], and tells after every piece how many bytes there are.
    pub async fn download_with(
        &self,
        url: &str,
        to: &Path,
        mut tell: impl FnMut(u64),
    ) -> Result<u64, ClientError> {
        let own = url.starts_with('/');
        let url = if own {
            self.url(url)?
        } else {
            Url::parse(url).map_err(|error| ClientError::Settings(format!("{url}: {error}")))?
        };
        let mut answer = self.open(url, own).await?;
        let mut file = File::create(to).await.map_err(ClientError::File)?;
        let mut size = 0_u64;
        while let Some(piece) = answer.chunk().await.map_err(ClientError::Transport)? {
            file.write_all(&piece).await.map_err(ClientError::File)?;
            size = size.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
            tell(size);
        }
        file.flush().await.map_err(ClientError::File)?;
        Ok(size)
    }
}
