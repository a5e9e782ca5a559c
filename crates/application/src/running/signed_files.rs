//! Files behind signed addresses. Where it can, the store hands them out itself: whoever may have one is sent there.
//!
//! Everything that is asked of a caller is asked before. What is given up by sending them on is what the service does with the bytes:
//! they are not compared with their hash, and the headers that keep a browser from running them are not with them.

use std::ops::Range;
use std::time::Duration;

use lyceum_domain::authoring::media::{MediaKind, MediaType};
pub use lyceum_ports::blobs::PresignedUrl;
use lyceum_ports::blobs::{ByteStream, PresignedRead};

use crate::app::App;
use crate::prelude::*;
use crate::running::files::{self, KeptFile};

/// Whose time is nearly over is answered by the service: to go elsewhere takes a moment, and clocks differ.
const SHORTEST: Duration = Duration::from_mins(1);
/// As long as a signed address of ours works at most, whatever a clock says.
const LONGEST: Duration = Duration::from_hours(2);

/// A file that whoever holds a signed address may have.
#[derive(Debug, Clone)]
pub struct SignedFile {
    /// What it is.
    pub media_type: MediaType,
    /// Its size.
    pub size_bytes: u64,
    /// Where it is stored, and what it must be.
    pub kept: KeptFile,
    /// Until when the address works, in seconds since 1970.
    pub expires: i64,
}

impl SignedFile {
    /// Where it is read from the store itself, for no longer than the address works; none where the service hands it out.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store should sign and cannot.
    pub async fn presigned(&self, app: &App) -> Result<Option<PresignedUrl>, Error> {
        let left = self.expires.saturating_sub(app.clock.now().unix_seconds());
        let left = Duration::from_secs(u64::try_from(left).unwrap_or(0));
        if left < SHORTEST || !is_passive(self.media_type) {
            return Ok(None);
        }
        let read = PresignedRead {
            valid_for: left.min(LONGEST),
            media_type: self.media_type.as_str(),
            // What is saved rather than shown stays with the service.
            disposition: "inline",
        };
        Ok(app.blobs.presign(&self.kept.key, &read).await?)
    }

    /// Its bytes, or a part of them (end exclusive).
    ///
    /// # Errors
    /// [`Error::Unavailable`] if it is damaged, gone, or cannot be read now.
    pub async fn bytes(&self, app: &App, range: Range<u64>) -> Result<ByteStream, Error> {
        let all = range == (0..self.size_bytes);
        files::open(app, &self.kept, (!all).then_some(range)).await
    }
}

/// Whether such a file does nothing in whatever browser opens it, without a header that says so. Drawings and documents
/// can, and captions are loaded across origins only where a bucket was told to allow it.
const fn is_passive(media_type: MediaType) -> bool {
    match media_type.kind() {
        MediaKind::Image => !matches!(media_type, MediaType::Svg),
        MediaKind::Audio | MediaKind::Video => true,
        MediaKind::Captions | MediaKind::Document => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_act_or_is_loaded_across_origins_stays_with_the_service() {
        let stay = [MediaType::Svg, MediaType::Vtt, MediaType::Pdf];
        let all = MediaType::ALL.iter().copied();
        let stays: Vec<MediaType> = all.filter(|one| !is_passive(*one)).collect();
        assert_eq!(stays, stay);
    }
}
