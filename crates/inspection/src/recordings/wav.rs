//! WAV: chunks of RIFF.

use lyceum_domain::authoring::media::MediaType;

use super::{Played, milliseconds, seldom_played};
use crate::reading::{Looked, Reading, damaged};

/// How many chunks are looked at.
const MOST_CHUNKS: u32 = 10_000;

/// Walks along the chunks.
pub fn read(reading: &mut Reading) -> Looked<Played> {
    let mut bytes_a_second = None;
    let mut sound = None;
    let mut notes = Vec::new();
    let mut place = 12;
    for _ in 0..MOST_CHUNKS {
        if reading.length().saturating_sub(place) < 8 {
            break;
        }
        reading.go_to(place)?;
        let name: [u8; 4] = reading.take()?;
        let length = u64::from(u32::from_le_bytes(reading.take()?));
        let end = place + 8 + length;
        if end > reading.length() {
            return Err(damaged("it ends too soon"));
        }
        match &name {
            b"fmt " => {
                let written = u16::from_le_bytes(reading.take()?);
                // Whole numbers, fractions, and whatever an extension says.
                if !matches!(written, 1 | 3 | 0xFFFE) {
                    notes.push(seldom_played("this kind of WAV"));
                }
                reading.take::<6>()?;
                bytes_a_second = Some(u32::from_le_bytes(reading.take()?));
            }
            b"data" => sound = Some(length),
            _ => {}
        }
        // Chunks begin at even places.
        place = end + length % 2;
    }
    let whole = bytes_a_second.zip(sound);
    let (a_second, length) = whole.ok_or_else(|| damaged("it has no sound"))?;
    let duration = milliseconds(length, u64::from(a_second));
    Ok(Played {
        notes,
        ..Played::sound(MediaType::Wav, duration)
    })
}
