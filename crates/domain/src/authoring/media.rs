//! The media library: pictures, recordings, films, captions and documents that texts of a course refer to as `media:med_…`.

use crate::changes::changes;
use crate::ids::{MediaId, UserId, WorkspaceId};
use crate::json::{Metadata, MetadataChange};
use crate::text::Name;
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::{At, Invalid, InvalidValue, Stamp, Timestamp, Words};

/// What an address in a text begins with that names a media file.
pub const SCHEME: &str = "media:";

/// Most smaller pictures that are kept of one.
pub const MOST_SMALLER: usize = 4;

words!(
    /// What a media file is to whoever meets it.
    MediaKind {
        /// A picture.
        Image = "image",
        /// A recording.
        Audio = "audio",
        /// A film.
        Video = "video",
        /// Captions of a recording or a film.
        Captions = "captions",
        /// Something to be downloaded.
        Document = "document",
    }
);

words!(
    /// What a file is, as it is kept.
    MediaType {
        /// A photograph.
        Jpeg = "image/jpeg",
        /// A picture with sharp edges.
        Png = "image/png",
        /// A picture.
        Webp = "image/webp",
        /// A picture that may move.
        Gif = "image/gif",
        /// A drawing.
        Svg = "image/svg+xml",
        /// A recording.
        Mp3 = "audio/mpeg",
        /// A recording.
        M4a = "audio/mp4",
        /// A recording.
        Ogg = "audio/ogg",
        /// A recording, uncompressed.
        Wav = "audio/wav",
        /// A film.
        Mp4 = "video/mp4",
        /// A film.
        Webm = "video/webm",
        /// Captions (`WebVTT`).
        Vtt = "text/vtt",
        /// A document.
        Pdf = "application/pdf",
    }
);

impl MediaType {
    /// What it is to whoever meets it.
    pub const fn kind(self) -> MediaKind {
        match self {
            Self::Jpeg | Self::Png | Self::Webp | Self::Gif | Self::Svg => MediaKind::Image,
            Self::Mp3 | Self::M4a | Self::Ogg | Self::Wav => MediaKind::Audio,
            Self::Mp4 | Self::Webm => MediaKind::Video,
            Self::Vtt => MediaKind::Captions,
            Self::Pdf => MediaKind::Document,
        }
    }

    /// What names of such files end with, behind the dot.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Gif => "gif",
            Self::Svg => "svg",
            Self::Mp3 => "mp3",
            Self::M4a => "m4a",
            Self::Ogg => "ogg",
            Self::Wav => "wav",
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
            Self::Vtt => "vtt",
            Self::Pdf => "pdf",
        }
    }
}

/// What is said about a media file in a line: at most 1 000 characters, without NUL.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caption(String);

impl Caption {
    /// Longest one, in characters.
    pub const MAX_CHARS: usize = 1_000;

    /// Checks the rules.
    ///
    /// # Errors
    /// [`InvalidValue`] naming the rule.
    pub fn parse(text: impl Into<String>) -> Result<Self, InvalidValue> {
        let text = text.into();
        if text.contains('\0') {
            return Err(InvalidValue::new("must not contain NUL"));
        }
        if text.chars().count() > Self::MAX_CHARS {
            return Err(InvalidValue::new("must have at most 1000 characters"));
        }
        Ok(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What the file of an upload is called, for people: its last part, without what cannot stand in a name.
pub fn file_name(sent: &str) -> Name {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let cleaned: String = last
        .chars()
        .filter(|c| !c.is_control() && !"\"<>:|?*".contains(*c))
        .collect();
    Name::clamp(cleaned.trim_matches(['.', ' ']), "file")
}

/// What came, as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadedFile {
    /// What it was called.
    pub file_name: Name,
    /// How long it was.
    pub size_bytes: u64,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
}

/// What people say about a media file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MediaDescription {
    /// What it is called.
    pub title: Caption,
    /// What it shows, for whoever does not see it. Absent where nobody said so yet, empty where it only decorates.
    pub alt_text: Option<Caption>,
    /// Under which terms it may be used.
    pub license: Caption,
    /// Where it is from.
    pub source: Caption,
}

/// One file of a media file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// What it is.
    pub media_type: MediaType,
    /// How long it is.
    pub size_bytes: u64,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// Pixels from side to side and from top to bottom, of pictures and films.
    pub dimensions: Option<(u32, u32)>,
}

/// What a media file is, once it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaContent {
    /// The file itself.
    pub file: StoredFile,
    /// The same picture, smaller, from small to large.
    pub smaller: Vec<StoredFile>,
    /// How long it plays, in milliseconds, where it says so.
    pub duration_ms: Option<u64>,
    /// What was taken out of it, or could not be found out.
    pub notes: Vec<String>,
}

impl MediaContent {
    /// Every file: the picture itself is number 0.
    pub fn files(&self) -> impl Iterator<Item = &StoredFile> {
        std::iter::once(&self.file).chain(&self.smaller)
    }

    /// Bytes of all of them.
    pub fn size_bytes(&self) -> u64 {
        self.files()
            .map(|file| file.size_bytes)
            .fold(0, u64::saturating_add)
    }
}

/// Where a media file is: pending → ready | error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MediaState {
    /// Its file came and is still to be looked at.
    Pending {
        /// When it will probably have been.
        estimated_ready_at: Timestamp,
    },
    /// It can be used.
    Ready(MediaContent),
    /// Its file is not kept.
    Error {
        /// Such as `unsupported_type`.
        code: String,
        /// For a person.
        message: String,
    },
}

impl Words for MediaState {
    fn words() -> Vec<&'static str> {
        vec!["pending", "ready", "error"]
    }
}

impl MediaState {
    /// The state in a word.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Pending { .. } => "pending",
            Self::Ready(_) => "ready",
            Self::Error { .. } => "error",
        }
    }
}

changes! {
    /// What is to change; `None` keeps.
    pub struct MediaChanges of MediaDescription {
        /// What it is called.
        title: Caption,
        /// What it shows; nobody said so, where it is `None` within.
        alt_text: Option<Caption>,
        /// Under which terms it may be used.
        license: Caption,
        /// Where it is from.
        source: Caption,
    } and {
        /// Change of the metadata.
        metadata: MetadataChange,
    }
}

/// A media file: an entry of the library, which may have several files.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaFile {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: MediaId,
    /// What came.
    pub uploaded: UploadedFile,
    /// Whoever sent it.
    pub uploaded_by: UserId,
    /// What people say about it.
    pub description: MediaDescription,
    /// Where it is.
    pub state: MediaState,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// When it came and changed.
    pub stamp: Stamp,
}

impl MediaFile {
    /// What it is once it can be used.
    pub const fn content(&self) -> Option<&MediaContent> {
        match &self.state {
            MediaState::Ready(content) => Some(content),
            MediaState::Pending { .. } | MediaState::Error { .. } => None,
        }
    }

    /// Bytes that are kept of it.
    pub fn size_bytes(&self) -> u64 {
        match &self.state {
            MediaState::Pending { .. } => self.uploaded.size_bytes,
            MediaState::Ready(content) => content.size_bytes(),
            MediaState::Error { .. } => 0,
        }
    }

    /// pending → ready
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn finish(
        &mut self,
        content: MediaContent,
        now: Timestamp,
    ) -> Result<(), InvalidTransition> {
        self.leave_pending("be finished")?;
        self.state = MediaState::Ready(content);
        self.stamp.touch(now);
        Ok(())
    }

    /// pending → error
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn fail(
        &mut self,
        code: &str,
        message: &str,
        now: Timestamp,
    ) -> Result<(), InvalidTransition> {
        self.leave_pending("fail")?;
        self.state = MediaState::Error {
            code: code.to_owned(),
            message: message.to_owned(),
        };
        self.stamp.touch(now);
        Ok(())
    }

    /// Applies a person's changes; returns whether anything really changed.
    ///
    /// # Errors
    /// [`Invalid`] if the merged metadata breaks its limits.
    pub fn change(&mut self, mut changes: MediaChanges, now: Timestamp) -> Result<bool, Invalid> {
        let before = self.clone();
        changes.replace(&mut self.description);
        self.metadata = changes.metadata.apply(&self.metadata).at("metadata")?;
        let differs = *self != before;
        if differs {
            self.stamp.touch(now);
        }
        Ok(differs)
    }

    const fn leave_pending(&self, action: &'static str) -> Result<(), InvalidTransition> {
        match &self.state {
            MediaState::Pending { .. } => Ok(()),
            MediaState::Ready(_) | MediaState::Error { .. } => Err(InvalidTransition {
                object: "media_file",
                from: self.state.as_str(),
                action,
            }),
        }
    }
}

/// The media that a text refers to, each once, in the order in which they come. Whether they are there is another question.
pub fn referred(text: &str) -> Vec<MediaId> {
    let mut found = Vec::new();
    for rest in text.split(SCHEME).skip(1) {
        let is_id = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let id = rest.split(|c| !is_id(c)).next().unwrap_or_default();
        if let Ok(id) = id.parse::<MediaId>()
            && !found.contains(&id)
        {
            found.push(id);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use uuid::Uuid;

    fn media_file(state: MediaState) -> MediaFile {
        MediaFile {
            workspace_id: Id::from_uuid(Uuid::nil()),
            id: Id::from_uuid(Uuid::nil()),
            uploaded: UploadedFile {
                file_name: file_name("pump.jpg"),
                size_bytes: 3,
                sha256: "5".repeat(64),
            },
            uploaded_by: Id::from_uuid(Uuid::nil()),
            description: MediaDescription::default(),
            state,
            metadata: Metadata::default(),
            stamp: Stamp::new(Timestamp::from_unix_millis(0)),
        }
    }

    fn content() -> MediaContent {
        let file = |size_bytes| StoredFile {
            media_type: MediaType::Jpeg,
            size_bytes,
            sha256: "6".repeat(64),
            dimensions: Some((4, 3)),
        };
        MediaContent {
            file: file(20),
            smaller: vec![file(5), file(10)],
            duration_ms: None,
            notes: Vec::new(),
        }
    }

    fn states() -> [MediaState; 3] {
        [
            MediaState::Pending {
                estimated_ready_at: Timestamp::from_unix_millis(0),
            },
            MediaState::Ready(content()),
            MediaState::Error {
                code: "damaged".to_owned(),
                message: "It ends too soon.".to_owned(),
            },
        ]
    }

    #[test]
    fn every_move_is_legal_from_its_state_only() {
        let now = Timestamp::from_unix_millis(1);
        for state in states() {
            let is_pending = state.as_str() == "pending";
            assert_eq!(
                media_file(state.clone()).finish(content(), now).is_ok(),
                is_pending
            );
            assert_eq!(media_file(state).fail("c", "m", now).is_ok(), is_pending);
        }
    }

    #[test]
    fn what_is_kept_counts_and_nothing_else() {
        assert_eq!(
            states().map(|state| media_file(state).size_bytes()),
            [3, 35, 0]
        );
    }

    #[test]
    fn names_of_files_hold_no_way_to_another_folder() {
        for (sent, kept) in [
            ("../../etc/passwd", "passwd"),
            (r"C:\Users\me\pump.jpg", "pump.jpg"),
            ("..", "file"),
            ("", "file"),
            ("a\u{0}b\n.png", "ab.png"),
            ("Kühlung \"1\".png", "Kühlung 1.png"),
        ] {
            assert_eq!(file_name(sent).as_str(), kept);
        }
    }

    #[test]
    fn alt_text_may_be_unsaid_empty_or_a_sentence() {
        let mut media = media_file(MediaState::Ready(content()));
        let now = Timestamp::from_unix_millis(1);
        let say = |alt_text| MediaChanges {
            alt_text: Some(alt_text),
            ..MediaChanges::default()
        };
        assert!(!media.change(say(None), now).unwrap());
        for alt_text in [Some(Caption::default()), Caption::parse("A pump").ok()] {
            assert!(media.change(say(alt_text.clone()), now).unwrap());
            assert_eq!(media.description.alt_text, alt_text);
        }
        assert!(!media.change(MediaChanges::default(), now).unwrap());
    }

    #[test]
    fn a_text_refers_to_media_by_their_ids_wherever_they_stand() {
        let [a, b]: [MediaId; 2] = [1, 2].map(|n| Id::from_uuid(Uuid::from_u128(n)));
        let text =
            format!("![Pump](media:{b} \"t\") [x](media:{a}), media:{b}. media:med_no <media:>");
        assert_eq!(referred(&text), [b, a]);
    }

    #[test]
    fn captions_have_limits() {
        assert!(Caption::parse("x".repeat(Caption::MAX_CHARS)).is_ok());
        assert!(Caption::parse("x".repeat(Caption::MAX_CHARS + 1)).is_err());
        assert!(Caption::parse("a\0b").is_err());
    }
}
