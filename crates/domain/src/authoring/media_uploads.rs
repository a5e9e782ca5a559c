//! Uploads of large files to the media library: in pieces, over connections that break, or straight to where files are kept.

use std::time::Duration;

use thiserror::Error;

use crate::authoring::media::MediaDescription;
use crate::ids::{MediaId, MediaUploadId, UserId, WorkspaceId};
use crate::json::Metadata;
use crate::text::Name;
use crate::{Stamp, Timestamp};

/// How long there is to send all of a file.
pub const LIFETIME: Duration = Duration::from_hours(24);
/// How long whoever puts a file where files are kept has to begin with it.
pub const PUT_WITHIN: Duration = Duration::from_hours(1);
/// How long a file is at most that is put there at once: more a bucket neither takes nor copies.
pub const MOST_DIRECT_BYTES: u64 = 5 << 30;
/// Most pieces of one.
pub const MOST_PIECES: usize = 2_048;
/// Most uploads of a workspace that are under way.
pub const MOST_OPEN: u64 = 100;

/// A part of a file, as it is kept until all of them came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadPiece {
    /// What it is called, below its upload.
    pub name: String,
    /// How long it is.
    pub size_bytes: u64,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
}

/// Why a piece cannot be put where it was sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Misplaced {
    /// The next byte is another one.
    #[error("the next byte of the upload is {0}")]
    Elsewhere(u64),
    /// None is expected.
    #[error(
        "the bytes of this upload are put to the address that it was begun with, and then it is completed"
    )]
    Direct,
    /// There would be too many.
    #[error("an upload has at most {MOST_PIECES} pieces; begin it again and send larger ones")]
    TooManyPieces,
}

/// How a file comes that is put where files are kept by whoever sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectUpload {
    /// Until when somebody may begin to put one there.
    pub until: Timestamp,
    /// Whether nobody goes on with it. Until then somebody can put a file there all the same, so it keeps its place.
    pub is_given_up: bool,
}

/// A large file on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaUpload {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// Identifies it.
    pub id: MediaUploadId,
    /// Whoever began it, and alone goes on with it.
    pub uploaded_by: UserId,
    /// What the file is called.
    pub file_name: Name,
    /// How long it is, in bytes.
    pub size_bytes: u64,
    /// What is said about it.
    pub description: MediaDescription,
    /// Free-form key-value store of what becomes of it.
    pub metadata: Metadata,
    /// What came, without gaps; nothing once it is whole.
    pub pieces: Vec<UploadPiece>,
    /// How it comes, if not in pieces.
    pub direct: Option<DirectUpload>,
    /// What became of it, once it is whole.
    pub media: Option<MediaId>,
    /// When what came is forgotten.
    pub expires_at: Timestamp,
    /// When it began and last changed.
    pub stamp: Stamp,
}

impl MediaUpload {
    /// The place of the next byte.
    pub fn offset(&self) -> u64 {
        if self.media.is_some() {
            return self.size_bytes;
        }
        let sizes = self.pieces.iter().map(|piece| piece.size_bytes);
        sizes.fold(0, u64::saturating_add)
    }

    /// Bytes that are still to come.
    pub fn missing(&self) -> u64 {
        self.size_bytes.saturating_sub(self.offset())
    }

    /// Whether what came of it is forgotten.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.expires_at <= now || self.direct.is_some_and(|direct| direct.is_given_up)
    }

    /// Whether it comes otherwise than in pieces.
    pub const fn is_direct(&self) -> bool {
        self.direct.is_some()
    }

    /// Gives it up. Whether it has to be kept all the same, because something may still come.
    pub fn give_up(&mut self, now: Timestamp) -> bool {
        match &mut self.direct {
            Some(direct) if direct.until > now => {
                direct.is_given_up = true;
                self.expires_at = self.expires_at.min(direct.until);
                self.stamp.touch(now);
                true
            }
            Some(_) | None => false,
        }
    }

    /// Notes what became of it when all of it was put where it was to come; nothing where that is known already.
    pub fn complete(&mut self, media: MediaId, now: Timestamp) {
        if self.media.is_none() {
            self.media = Some(media);
            self.stamp.touch(now);
        }
    }

    /// Looks whether what comes for `offset` can be taken.
    ///
    /// # Errors
    /// [`Misplaced`]
    pub fn expect(&self, offset: u64) -> Result<(), Misplaced> {
        if self.is_direct() {
            return Err(Misplaced::Direct);
        }
        if self.offset() != offset {
            return Err(Misplaced::Elsewhere(self.offset()));
        }
        if self.media.is_none() && self.pieces.len() >= MOST_PIECES {
            return Err(Misplaced::TooManyPieces);
        }
        Ok(())
    }

    /// Puts a piece behind those that came.
    ///
    /// # Errors
    /// [`Misplaced`]
    pub fn append(
        &mut self,
        offset: u64,
        piece: UploadPiece,
        now: Timestamp,
    ) -> Result<(), Misplaced> {
        self.expect(offset)?;
        self.pieces.push(piece);
        self.stamp.touch(now);
        Ok(())
    }

    /// Notes what became of it when its last bytes came for `offset`; the pieces that nobody needs any more.
    ///
    /// # Errors
    /// [`Misplaced`]
    pub fn finish(
        &mut self,
        offset: u64,
        media: MediaId,
        now: Timestamp,
    ) -> Result<Vec<UploadPiece>, Misplaced> {
        self.expect(offset)?;
        self.media = Some(media);
        self.stamp.touch(now);
        Ok(std::mem::take(&mut self.pieces))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_millis(seconds * 1_000)
    }

    fn upload() -> MediaUpload {
        MediaUpload {
            workspace_id: Id::from_uuid(<_>::default()),
            id: Id::from_uuid(<_>::default()),
            uploaded_by: Id::from_uuid(<_>::default()),
            file_name: Name::parse("film.mp4").unwrap(),
            size_bytes: 10,
            description: MediaDescription::default(),
            metadata: Metadata::default(),
            pieces: Vec::new(),
            direct: None,
            media: None,
            expires_at: at(100),
            stamp: Stamp::new(at(0)),
        }
    }

    fn piece(size_bytes: u64) -> UploadPiece {
        UploadPiece {
            name: "a".to_owned(),
            size_bytes,
            sha256: "0".repeat(64),
        }
    }

    #[test]
    fn pieces_come_one_behind_the_other_and_each_once() {
        let mut upload = upload();
        upload.append(0, piece(4), at(1)).unwrap();
        assert_eq!((upload.offset(), upload.missing()), (4, 6));
        let before = upload.clone();
        for elsewhere in [0, 3, 5, 10] {
            let refused = upload.append(elsewhere, piece(2), at(2)).unwrap_err();
            assert_eq!(refused, Misplaced::Elsewhere(4));
        }
        assert_eq!(upload, before);
        upload.append(4, piece(2), at(2)).unwrap();
        assert_eq!(upload.offset(), 6);
    }

    #[test]
    fn what_is_whole_has_become_something_and_takes_nothing_more() {
        let mut upload = upload();
        upload.append(0, piece(4), at(1)).unwrap();
        let media = Id::from_uuid(<_>::default());
        assert_eq!(upload.finish(0, media, at(2)), Err(Misplaced::Elsewhere(4)));
        assert_eq!(upload.finish(4, media, at(2)).unwrap(), [piece(4)]);
        assert_eq!((upload.offset(), upload.missing()), (10, 0));
        assert_eq!(upload.media, Some(media));
        assert_eq!(
            upload.append(4, piece(1), at(3)),
            Err(Misplaced::Elsewhere(10))
        );
    }

    #[test]
    fn an_upload_has_so_many_pieces_and_no_more() {
        let mut upload = upload();
        upload.size_bytes = 1 << 40;
        for offset in 0..MOST_PIECES {
            let offset = u64::try_from(offset).unwrap();
            upload.append(offset, piece(1), at(1)).unwrap();
        }
        let next = upload.offset();
        assert_eq!(upload.expect(next), Err(Misplaced::TooManyPieces));
    }

    /// One that may be put until the 50th second.
    fn direct() -> MediaUpload {
        MediaUpload {
            direct: Some(DirectUpload {
                until: at(50),
                is_given_up: false,
            }),
            ..upload()
        }
    }

    #[test]
    fn what_is_put_elsewhere_takes_no_pieces_and_becomes_one_thing() {
        let mut upload = direct();
        for offset in [0, 10] {
            assert_eq!(upload.expect(offset), Err(Misplaced::Direct));
        }
        assert_eq!((upload.offset(), upload.missing()), (0, 10));
        let (first, second) = (
            Id::from_uuid(<_>::default()),
            Id::from_uuid(uuid::Uuid::max()),
        );
        upload.complete(first, at(1));
        assert_eq!((upload.offset(), upload.missing()), (10, 0));
        let once = upload.clone();
        upload.complete(second, at(2));
        assert_eq!(upload, once);
    }

    #[test]
    fn what_is_given_up_keeps_its_place_for_as_long_as_something_may_come() {
        let mut upload = direct();
        assert!(upload.give_up(at(49)));
        assert_eq!((upload.is_over(at(49)), upload.expires_at), (true, at(50)));
        assert!(!direct().give_up(at(50)));
        let mut in_pieces = MediaUpload {
            direct: None,
            ..direct()
        };
        assert!(!in_pieces.give_up(at(1)));
        assert!(!in_pieces.is_over(at(1)));
    }

    #[test]
    fn it_is_over_when_its_time_has_come() {
        let upload = upload();
        assert!(!upload.is_over(at(99)));
        assert!(upload.is_over(at(100)));
    }
}
