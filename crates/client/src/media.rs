//! The media library.

use std::path::Path;

use lyceum_wire::authoring::media::{CreateMedia, MediaFileView, UpdateMedia};
use lyceum_wire::deleted::Deleted;
use reqwest::multipart::Form;

use crate::call::{Call, decode};
use crate::client::{Client, path};
use crate::error::ClientError;
use crate::listing::Listing;
use crate::wait::Wait;

impl Client {
    /// The media library.
    pub fn media(&self) -> MediaLibrary {
        MediaLibrary(self.clone())
    }
}

/// The media library.
#[derive(Debug, Clone)]
pub struct MediaLibrary(pub(crate) Client);

impl MediaLibrary {
    /// Uploads a file, read as it is sent. It is tried once; sending it again is harmless, because of one file there is one.
    ///
    /// # Errors
    /// [`ClientError::File`] if it cannot be read, and what the service answers.
    pub async fn upload(
        &self,
        file: &Path,
        said: &CreateMedia,
    ) -> Result<MediaFileView, ClientError> {
        let CreateMedia {
            title,
            alt_text,
            license,
            source,
            metadata,
        } = said.clone();
        let texts = [
            ("title", title),
            ("alt_text", alt_text),
            ("license", license),
            ("source", source),
            ("metadata", metadata),
        ];
        let texts = texts.into_iter();
        let form = texts.fold(Form::new(), |form, (name, text)| match text {
            Some(text) => form.text(name, text),
            None => form,
        });
        let form = form.file("file", file).await.map_err(ClientError::File)?;
        decode(&self.0.post_form("/v1/media", form).await?)
    }

    /// Saves the file of one that is ready, and returns its size in bytes.
    ///
    /// # Errors
    /// [`ClientError::File`] if it cannot be written, and what the service answers.
    pub async fn download(&self, media: &MediaFileView, to: &Path) -> Result<u64, ClientError> {
        let url = media.file.as_ref().map_or("", |file| file.url.as_str());
        self.0.download(url, to).await
    }

    /// Lists files.
    pub fn list(&self) -> Listing<MediaFileView> {
        self.0.list("/v1/media")
    }

    /// Shows a file.
    pub fn retrieve(&self, id: &str) -> Call<MediaFileView> {
        self.0.get(&path("media", id, ""))
    }

    /// Changes what is said about a file.
    pub fn update(&self, id: &str, changes: &UpdateMedia) -> Call<MediaFileView> {
        self.0.patch(&path("media", id, ""), changes)
    }

    /// Deletes a file that no text refers to.
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("media", id, ""))
    }

    /// Waits until a file was looked at.
    pub fn wait(&self, id: &str) -> Wait<MediaFileView> {
        Wait::new(&self.0, id)
    }
}
