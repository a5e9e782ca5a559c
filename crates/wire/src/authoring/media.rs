//! Media files on the wire.

use lyceum_domain::authoring::media::{
    Caption, MediaChanges, MediaDescription, MediaFile, MediaKind, MediaState, MediaType, SCHEME,
    StoredFile,
};
use lyceum_domain::json::Metadata;
use lyceum_domain::{Invalid, InvalidValue};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::common::{Command, FreeObject, Problem, Resource, metadata, metadata_change};
use crate::declared::{Placed, change_or_default, command, optional, or_default, taken};
use crate::patch::Patch;
use crate::shapes;

/// What is said about a file that is being uploaded: the text fields of the form, beside the part `file`.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMedia {
    /// What it is called, what it shows, under which terms, and where it is from.
    pub description: MediaDescription,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

/// The text fields of an upload.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateMedia {
    /// What it is called.
    #[schema(max_length = 1_000, example = "Heat pump, opened")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it shows, for whoever does not see it. Empty where it only decorates; absent where nobody said so yet.
    #[schema(
        max_length = 1_000,
        example = "The compressor, between two copper coils"
    )]
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
    #[schema(max_length = 20_000, example = "{\"shelf\":\"A\"}")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<String>,
}

impl Command for CreateMedia {
    type Of = NewMedia;

    fn command(self) -> Result<NewMedia, Invalid> {
        let caption = |text: Option<String>, field| {
            or_default(Caption::parse)(text).map_err(|error: InvalidValue| error.at(field))
        };
        let alt_text = optional(Caption::parse)(self.alt_text);
        Ok(NewMedia {
            description: MediaDescription {
                title: caption(self.title, "title")?,
                alt_text: alt_text.map_err(|error: InvalidValue| error.at("alt_text"))?,
                license: caption(self.license, "license")?,
                source: caption(self.source, "source")?,
            },
            metadata: metadata(self.metadata.as_deref().map(free_object).transpose()?)?,
        })
    }
}

/// Fields of a form are texts.
fn free_object(text: &str) -> Result<FreeObject, Invalid> {
    match serde_json::from_str(text) {
        Ok(Value::Object(members)) => Ok(FreeObject(members)),
        Ok(_) | Err(_) => Err(Invalid::new("metadata", "must be a JSON object")),
    }
}

command! {
    /// A change of what is said about a media file: absent keeps, `null` clears.
    #[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
    #[serde(default)]
    pub struct UpdateMedia => MediaChanges {
        /// What it is called.
        #[schema(value_type = Option<String>, max_length = 1_000)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub title: Patch<String> => change_or_default(Caption::parse),
        /// What it shows, for whoever does not see it. Empty where it only decorates; `null`: nobody said so yet.
        #[schema(value_type = Option<String>, max_length = 1_000)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub alt_text: Patch<String> => |given: Patch<String>| given.try_map(Caption::parse).map(Patch::into_option),
        /// Under which terms it may be used.
        #[schema(value_type = Option<String>, max_length = 1_000)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub license: Patch<String> => change_or_default(Caption::parse),
        /// Where it is from.
        #[schema(value_type = Option<String>, max_length = 1_000)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub source: Patch<String> => change_or_default(Caption::parse),
        /// Change of the metadata, by key.
        #[schema(value_type = Option<FreeObject>)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub metadata: Patch<FreeObject> => taken(metadata_change),
    }
}

/// One file of a media file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MediaVersionView {
    /// Where it can be loaded for an hour at least, without a key.
    pub url: String,
    /// What it is.
    #[schema(schema_with = shapes::word::<MediaType>)]
    pub media_type: String,
    /// Bytes.
    pub size_bytes: u64,
    /// Pixels from side to side, of pictures and films.
    #[schema(required)]
    pub width: Option<u32>,
    /// Pixels from top to bottom, of pictures and films.
    #[schema(required)]
    pub height: Option<u32>,
}

impl MediaVersionView {
    fn new(file: &StoredFile, url: String) -> Self {
        Self {
            url,
            media_type: file.media_type.to_string(),
            size_bytes: file.size_bytes,
            width: file.dimensions.map(|(width, _)| width),
            height: file.dimensions.map(|(_, height)| height),
        }
    }
}

/// A file of the media library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MediaFileView {
    /// `med_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::MediaFile>)]
    pub id: String,
    /// Always `media_file`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::MediaFile>)]
    pub object: String,
    /// `pending` until it was looked at, then `ready` or `error`.
    #[schema(schema_with = shapes::word::<MediaState>)]
    pub status: String,
    /// What it is to whoever meets it, once it is ready.
    #[schema(schema_with = shapes::optional_word::<MediaKind>, required)]
    pub kind: Option<String>,
    /// What texts refer to it by: `![…](media:med_…)`.
    #[schema(example = "media:med_01kazv9h8ye5x8q9c4t7m2n3p6")]
    pub address: String,
    /// What the upload was called.
    pub file_name: String,
    /// What it is called.
    pub title: String,
    /// What it shows, for whoever does not see it. Empty where it only decorates; `null` where nobody said so yet.
    #[schema(required)]
    pub alt_text: Option<String>,
    /// Under which terms it may be used.
    pub license: String,
    /// Where it is from.
    pub source: String,
    /// SHA-256 of what was uploaded, in lower-case hex.
    pub sha256: String,
    /// Bytes that are kept of it, with all its versions.
    pub size_bytes: u64,
    /// How long it plays, in milliseconds, where it says so.
    #[schema(required)]
    pub duration_ms: Option<u64>,
    /// The file that is shown, once it is ready.
    #[schema(required)]
    pub file: Option<MediaVersionView>,
    /// The same picture, smaller, from small to large.
    pub smaller: Vec<MediaVersionView>,
    /// What was taken out of it, or could not be found out, each a sentence.
    pub notes: Vec<String>,
    /// Why it is not kept.
    #[schema(required)]
    pub error: Option<Problem>,
    /// When it will probably have been looked at.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub estimated_ready_at: Option<String>,
    /// Whoever uploaded it.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::User>)]
    pub uploaded_by: String,
    /// Free-form key-value store.
    pub metadata: FreeObject,
    /// When it came.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl MediaFileView {
    /// Shows one, whose file of a number is at the address that `url` gives.
    pub fn new(media: &MediaFile, url: impl Fn(usize) -> String) -> Self {
        let content = media.content();
        let shown = |(number, file): (usize, &StoredFile)| MediaVersionView::new(file, url(number));
        let mut files: Vec<MediaVersionView> = content
            .into_iter()
            .flat_map(|content| content.files().enumerate().map(shown))
            .collect();
        let smaller = files.split_off(files.len().min(1));
        let description = &media.description;
        Self {
            id: media.id.to_string(),
            object: "media_file".to_owned(),
            status: media.state.as_str().to_owned(),
            kind: content.map(|content| content.file.media_type.kind().to_string()),
            address: format!("{SCHEME}{}", media.id),
            file_name: media.uploaded.file_name.as_str().to_owned(),
            title: description.title.as_str().to_owned(),
            alt_text: description
                .alt_text
                .as_ref()
                .map(|text| text.as_str().to_owned()),
            license: description.license.as_str().to_owned(),
            source: description.source.as_str().to_owned(),
            sha256: media.uploaded.sha256.clone(),
            size_bytes: media.size_bytes(),
            duration_ms: content.and_then(|content| content.duration_ms),
            file: files.pop(),
            smaller,
            notes: content
                .map(|content| content.notes.clone())
                .unwrap_or_default(),
            error: problem(&media.state),
            estimated_ready_at: estimated(&media.state),
            uploaded_by: media.uploaded_by.to_string(),
            metadata: (&media.metadata).into(),
            created_at: media.stamp.created_at.to_string(),
            updated_at: media.stamp.updated_at.to_string(),
        }
    }
}

fn problem(state: &MediaState) -> Option<Problem> {
    match state {
        MediaState::Error { code, message } => Some(Problem {
            code: code.clone(),
            message: message.clone(),
        }),
        MediaState::Pending { .. } | MediaState::Ready(_) => None,
    }
}

fn estimated(state: &MediaState) -> Option<String> {
    match state {
        MediaState::Pending { estimated_ready_at } => Some(estimated_ready_at.to_string()),
        MediaState::Ready(_) | MediaState::Error { .. } => None,
    }
}

impl Resource for MediaFileView {
    const COLLECTION: &'static str = "media";

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_of_a_form_are_texts_also_the_metadata() {
        let body = json!({"title": "Pump", "alt_text": "", "metadata": "{\"shelf\":1}"});
        let new = serde_json::from_value::<CreateMedia>(body)
            .unwrap()
            .command()
            .unwrap();
        assert_eq!(new.description.title.as_str(), "Pump");
        assert_eq!(new.description.alt_text, Some(Caption::default()));
        assert_eq!(new.metadata.as_map()["shelf"], 1);
        for metadata in ["[1]", "shelf=1", ""] {
            let body = CreateMedia {
                metadata: Some(metadata.to_owned()),
                ..CreateMedia::default()
            };
            assert_eq!(body.command().unwrap_err().field, "metadata");
        }
        let body = CreateMedia {
            alt_text: Some("x".repeat(1_001)),
            ..CreateMedia::default()
        };
        assert_eq!(body.command().unwrap_err().field, "alt_text");
    }

    #[test]
    fn an_alt_text_is_kept_taken_back_emptied_or_set() {
        for (body, changed) in [
            (json!({}), None),
            (json!({"alt_text": null}), Some(None)),
            (json!({"alt_text": ""}), Some(Some(Caption::default()))),
            (
                json!({"alt_text": "A pump"}),
                Some(Caption::parse("A pump").ok()),
            ),
        ] {
            let body: UpdateMedia = serde_json::from_value(body).unwrap();
            assert_eq!(body.command().unwrap().alt_text, changed);
        }
    }
}
