//! Recordings and films. Their containers are read box by box, never as a whole: how long they play, how large they are, and
//! that they are all there. What they hold is not decoded, and they are kept as they came.
//!
//! The readers are our own, as those of others either want a film in memory or decode it, and what is asked of one here is
//! a hundred lines: walk along lengths that a stranger wrote, and believe none of them.

pub mod mp3;
mod mp4;
mod ogg;
mod wav;
mod webm;

use std::path::Path;

use lyceum_domain::authoring::media::MediaType;
use lyceum_ports::authoring::inspection::Inspected;

use crate::kept::as_it_came;
use crate::reading::{Looked, Reading};

/// How a recording or a film is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// MP4 and M4A.
    Mp4,
    /// `WebM`.
    Webm,
    /// Ogg.
    Ogg,
    /// RIFF with sound.
    Wav,
    /// Frames, one behind the other.
    Mp3,
}

/// What a container says of itself.
pub struct Played {
    media_type: MediaType,
    dimensions: Option<(u32, u32)>,
    duration_ms: Option<u64>,
    notes: Vec<String>,
}

impl Played {
    const fn sound(media_type: MediaType, duration_ms: Option<u64>) -> Self {
        Self {
            media_type,
            dimensions: None,
            duration_ms,
            notes: Vec::new(),
        }
    }
}

/// Reads its structure.
pub fn inspect(container: Container, file: &Path) -> Looked<Inspected> {
    let mut reading = Reading::open(file)?;
    let mut played = match container {
        Container::Mp4 => mp4::read(&mut reading),
        Container::Webm => webm::read(&mut reading),
        Container::Ogg => ogg::read(&mut reading),
        Container::Wav => wav::read(&mut reading),
        Container::Mp3 => mp3::read(&mut reading),
    }?;
    if played.duration_ms.is_none() {
        let said = "The file does not say how long it plays.";
        played.notes.push(said.to_owned());
    }
    Ok(Inspected {
        dimensions: played.dimensions,
        duration_ms: played.duration_ms,
        notes: played.notes,
        ..as_it_came(played.media_type, file)
    })
}

/// So many parts of which so many make a second, in milliseconds.
fn milliseconds(parts: u64, a_second: u64) -> Option<u64> {
    let milliseconds = u128::from(parts) * 1000;
    u64::try_from(milliseconds.checked_div(u128::from(a_second))?).ok()
}

/// The note about a way of writing sound or pictures that browsers usually do not read.
fn seldom_played(codec: &str) -> String {
    format!("Many browsers cannot play {codec}; films in H.264 and sound in AAC play everywhere.")
}
