//! Files that the store hands out itself, where it can: whoever may have one is sent there.
//!
//! Everything that is asked of a caller is asked before. What is given up is what the service does with the bytes: they
//! are not compared with their hash, and the headers that keep a browser from running them are not with them.

use std::time::Duration;

use lyceum_domain::authoring::media::{MediaKind, MediaType};
use lyceum_ports::blobs::PresignedRead;
pub use lyceum_ports::blobs::PresignedUrl;

use crate::app::App;
use crate::prelude::*;
use crate::running::files::KeptFile;

/// Whose time is nearly over is answered by the service: to go elsewhere takes a moment, and clocks differ.
const SHORTEST: Duration = Duration::from_mins(1);
/// As long as a signed address of ours works at most, whatever a clock says.
const LONGEST: Duration = Duration::from_hours(2);

/// Where a file is read from the store itself, by whoever holds a signed address that works until `expires` (seconds since
/// 1970), and no longer than that; none where the service hands it out.
///
/// # Errors
/// [`Error::Unavailable`] where the store should sign and cannot.
pub(crate) async fn address(
    app: &App,
    file: &KeptFile,
    media_type: MediaType,
    expires: i64,
) -> Result<Option<PresignedUrl>, Error> {
    let left = expires.saturating_sub(app.clock.now().unix_seconds());
    let left = Duration::from_secs(u64::try_from(left).unwrap_or(0));
    if left < SHORTEST || !is_passive(media_type) {
        return Ok(None);
    }
    let read = PresignedRead {
        valid_for: left.min(LONGEST),
        media_type: media_type.as_str(),
        // What is saved rather than shown stays with the service.
        disposition: "inline",
    };
    Ok(app.blobs.presign(&file.key, &read).await?)
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
