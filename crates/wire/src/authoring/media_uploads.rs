//! Uploads of large files on the wire. In pieces the protocol is tus 1.0.0 (<https://tus.io/protocols/resumable-upload>); what
//! its headers say when an upload begins may stand in a body of JSON as well. Straight to the bucket it is one `PUT` there.

use std::collections::BTreeMap;

use lyceum_domain::Invalid;
use lyceum_domain::authoring::media::{MediaDescription, file_name};
use lyceum_domain::authoring::media_uploads::{MOST_DIRECT_BYTES, MediaUpload};
use lyceum_domain::json::Metadata;
use lyceum_domain::text::Name;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::authoring::media::{CreateMedia, NewMedia};
use crate::common::{Command, Resource};
use crate::shapes;

/// A large file that is about to come.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMediaUpload {
    /// How long it is, in bytes.
    pub size_bytes: u64,
    /// What it is called.
    pub file_name: Name,
    /// What it is called, what it shows, under which terms, and where it is from.
    pub description: MediaDescription,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// Whether it is put into the bucket rather than sent in pieces.
    pub is_direct: bool,
}

/// What is said of a large file that is about to come; `Upload-Length` and `Upload-Metadata` say the same.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateMediaUpload {
    /// How long the file is, in bytes.
    #[schema(minimum = 1, example = 48_211)]
    pub size_bytes: u64,
    /// What the file is called.
    #[schema(max_length = 1_000, example = "lecture.mp4")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
    /// What it is called.
    #[schema(max_length = 1_000, example = "The heat pump, filmed")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it shows, for whoever does not see it. Empty where it only decorates; absent where nobody said so yet.
    #[schema(max_length = 1_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt_text: Option<String>,
    /// Under which terms it may be used.
    #[schema(max_length = 1_000, example = "CC BY 4.0")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Where it is from.
    #[schema(max_length = 1_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Free-form key-value store, as JSON: at most 50 keys, 16 KiB.
    #[schema(max_length = 20_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<String>,
    /// Whether you put the file into the bucket yourself, by the address that the answer names, instead of sending it in
    /// pieces: at most 5 GiB, and only where the operator lets browsers reach the bucket (`direct_uploads_off` where not).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direct: Option<bool>,
}

impl Command for CreateMediaUpload {
    type Of = NewMediaUpload;

    fn command(self) -> Result<NewMediaUpload, Invalid> {
        if self.size_bytes == 0 {
            return Err(Invalid::new("size_bytes", "must be at least 1"));
        }
        let is_direct = self.direct.unwrap_or_default();
        if is_direct && self.size_bytes > MOST_DIRECT_BYTES {
            let problem = format!(
                "must be at most {MOST_DIRECT_BYTES} for a file that is put into the bucket at once; send larger ones in pieces"
            );
            return Err(Invalid::new("size_bytes", problem));
        }
        let said = CreateMedia {
            title: self.title,
            alt_text: self.alt_text,
            license: self.license,
            source: self.source,
            metadata: self.metadata,
        };
        let NewMedia {
            description,
            metadata,
        } = said.command()?;
        Ok(NewMediaUpload {
            size_bytes: self.size_bytes,
            file_name: file_name(&self.file_name.unwrap_or_default()),
            description,
            metadata,
            is_direct,
        })
    }
}

/// Where a file is put with `PUT`, without a key of yours: in the bucket itself. Whoever has it can put one there until it
/// ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PutAddressView {
    /// The address.
    pub url: String,
    /// What has to be sent with it, as it is here.
    pub headers: BTreeMap<String, String>,
    /// Until when the bucket takes what is begun. When it took all, complete the upload.
    #[schema(schema_with = shapes::moment)]
    pub expires_at: String,
}

/// A large file that comes to the media library, in pieces or straight to the bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MediaUploadView {
    /// `mup_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::MediaUpload>)]
    pub id: String,
    /// Always `media_upload`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::MediaUpload>)]
    pub object: String,
    /// What the file is called.
    pub file_name: String,
    /// How long the file is, in bytes.
    pub size_bytes: u64,
    /// How many of its bytes came; of one that is put into the bucket none are known of until it is completed.
    pub offset: u64,
    /// Until when you may put it into the bucket; null where it comes in pieces.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub direct_until: Option<String>,
    /// Where you put it, in the answer that begins such an upload and nowhere else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub put: Option<PutAddressView>,
    /// What became of it, once all of them came: a file of the media library.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::MediaFile>, required)]
    pub media_id: Option<String>,
    /// When what came is forgotten.
    #[schema(schema_with = shapes::moment)]
    pub expires_at: String,
    /// When it began.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When the last piece came.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl From<&MediaUpload> for MediaUploadView {
    fn from(upload: &MediaUpload) -> Self {
        Self {
            id: upload.id.to_string(),
            object: "media_upload".to_owned(),
            file_name: upload.file_name.as_str().to_owned(),
            size_bytes: upload.size_bytes,
            offset: upload.offset(),
            direct_until: upload.direct.map(|direct| direct.until.to_string()),
            put: None,
            media_id: upload.media.map(|id| id.to_string()),
            expires_at: upload.expires_at.to_string(),
            created_at: upload.stamp.created_at.to_string(),
            updated_at: upload.stamp.updated_at.to_string(),
        }
    }
}

impl Resource for MediaUploadView {
    const COLLECTION: &'static str = "media_uploads";

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_bytes_and_a_name_that_is_one() {
        let new = CreateMediaUpload {
            size_bytes: 1,
            file_name: Some("../../film.mp4".to_owned()),
            ..CreateMediaUpload::default()
        };
        assert_eq!(
            new.clone().command().unwrap().file_name.as_str(),
            "film.mp4"
        );
        let empty = CreateMediaUpload {
            size_bytes: 0,
            ..new.clone()
        };
        assert_eq!(empty.command().unwrap_err().field, "size_bytes");
        let large = CreateMediaUpload {
            size_bytes: MOST_DIRECT_BYTES + 1,
            ..new.clone()
        };
        assert!(!large.clone().command().unwrap().is_direct);
        let direct = CreateMediaUpload {
            direct: Some(true),
            ..large
        };
        assert_eq!(direct.clone().command().unwrap_err().field, "size_bytes");
        let fits = CreateMediaUpload {
            size_bytes: MOST_DIRECT_BYTES,
            ..direct
        };
        assert!(fits.command().unwrap().is_direct);
        let wordy = CreateMediaUpload {
            source: Some("x".repeat(1_001)),
            ..new
        };
        assert_eq!(wordy.command().unwrap_err().field, "source");
    }
}
