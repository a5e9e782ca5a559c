//! What of a media file is no column, as a document.

use lyceum_domain::authoring::media::{
    Caption, MediaContent, MediaDescription, MediaFile, MediaState, MediaType, StoredFile,
    UploadedFile,
};
use lyceum_domain::text::Name;
use serde::{Deserialize, Serialize};

use crate::prelude::*;

/// What came, what people say about it, and what it is.
#[derive(Serialize, Deserialize)]
pub struct MediaDocument {
    file_name: String,
    uploaded_bytes: u64,
    #[serde(flatten)]
    description: DescriptionDocument,
    state: StateDocument,
}

/// What people say about a media file.
#[derive(Serialize, Deserialize)]
pub struct DescriptionDocument {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    /// Absent where nobody said so yet, empty where the picture only decorates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    alt_text: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    license: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    source: String,
}

impl From<&MediaDescription> for DescriptionDocument {
    fn from(description: &MediaDescription) -> Self {
        let MediaDescription {
            title,
            alt_text,
            license,
            source,
        } = description;
        Self {
            title: title.as_str().to_owned(),
            alt_text: alt_text.as_ref().map(|text| text.as_str().to_owned()),
            license: license.as_str().to_owned(),
            source: source.as_str().to_owned(),
        }
    }
}

impl DescriptionDocument {
    /// What was said.
    pub fn read(self) -> Result<MediaDescription, StoreError> {
        Ok(MediaDescription {
            title: rows::read(Caption::parse(self.title))?,
            alt_text: rows::read(self.alt_text.map(Caption::parse).transpose())?,
            license: rows::read(Caption::parse(self.license))?,
            source: rows::read(Caption::parse(self.source))?,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
enum StateDocument {
    Pending {
        /// In milliseconds since 1970.
        estimated_ready_at: i64,
    },
    Ready {
        /// The file itself, and then the smaller ones.
        files: Vec<StoredFileDocument>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        duration_ms: Option<u64>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    Error {
        code: String,
        message: String,
    },
}

#[derive(Serialize, Deserialize)]
struct StoredFileDocument {
    media_type: String,
    size_bytes: u64,
    sha256: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dimensions: Option<(u32, u32)>,
}

impl From<&StoredFile> for StoredFileDocument {
    fn from(file: &StoredFile) -> Self {
        let StoredFile {
            media_type,
            size_bytes,
            sha256,
            dimensions,
        } = file;
        Self {
            media_type: media_type.to_string(),
            size_bytes: *size_bytes,
            sha256: sha256.clone(),
            dimensions: *dimensions,
        }
    }
}

impl StoredFileDocument {
    fn file(self) -> Result<StoredFile, StoreError> {
        let Self {
            media_type,
            size_bytes,
            sha256,
            dimensions,
        } = self;
        Ok(StoredFile {
            media_type: rows::read(MediaType::parse(&media_type))?,
            size_bytes,
            sha256,
            dimensions,
        })
    }
}

impl From<&MediaState> for StateDocument {
    fn from(state: &MediaState) -> Self {
        match state {
            MediaState::Pending { estimated_ready_at } => Self::Pending {
                estimated_ready_at: estimated_ready_at.unix_millis(),
            },
            MediaState::Ready(content) => Self::Ready {
                files: content.files().map(StoredFileDocument::from).collect(),
                duration_ms: content.duration_ms,
                notes: content.notes.clone(),
            },
            MediaState::Error { code, message } => Self::Error {
                code: code.clone(),
                message: message.clone(),
            },
        }
    }
}

impl StateDocument {
    fn state(self) -> Result<MediaState, StoreError> {
        Ok(match self {
            Self::Pending { estimated_ready_at } => MediaState::Pending {
                estimated_ready_at: Timestamp::from_unix_millis(estimated_ready_at),
            },
            Self::Ready {
                files,
                duration_ms,
                notes,
            } => {
                let mut files = files.into_iter();
                let first = files.next().ok_or_else(|| corrupt("a media file's file"))?;
                MediaState::Ready(MediaContent {
                    file: first.file()?,
                    smaller: files
                        .map(StoredFileDocument::file)
                        .collect::<Result<_, _>>()?,
                    duration_ms,
                    notes,
                })
            }
            Self::Error { code, message } => MediaState::Error { code, message },
        })
    }
}

impl From<&MediaFile> for MediaDocument {
    fn from(media: &MediaFile) -> Self {
        Self {
            file_name: media.uploaded.file_name.as_str().to_owned(),
            uploaded_bytes: media.uploaded.size_bytes,
            description: DescriptionDocument::from(&media.description),
            state: StateDocument::from(&media.state),
        }
    }
}

impl MediaDocument {
    /// What came with this hash, what is said about it, and what it is.
    pub fn read(
        self,
        sha256: String,
    ) -> Result<(UploadedFile, MediaDescription, MediaState), StoreError> {
        let uploaded = UploadedFile {
            file_name: rows::read(Name::parse(self.file_name))?,
            size_bytes: self.uploaded_bytes,
            sha256,
        };
        Ok((uploaded, self.description.read()?, self.state.state()?))
    }
}
