//! Ogg: pages, one behind the other (RFC 3533).

use lyceum_domain::authoring::media::MediaType;

use super::{Played, milliseconds};
use crate::reading::{Looked, Reading, damaged, unsupported};

/// How much of a stream's first page says what it is.
const FIRST: u64 = 64;

/// A stream of sound.
struct Sound {
    serial: [u8; 4],
    /// Samples in a second.
    rate: u64,
    /// Samples that are not to be heard.
    skipped: u64,
    last: u64,
}

/// Walks along the pages to the last one.
pub fn read(reading: &mut Reading) -> Looked<Played> {
    let mut sound = None;
    let mut place = 0;
    while place < reading.length() {
        reading.go_to(place)?;
        place = page(reading, &mut sound)?;
    }
    let sound = sound.ok_or_else(|| damaged("it has no sound"))?;
    let heard = sound.last.saturating_sub(sound.skipped);
    let duration = milliseconds(heard, sound.rate).filter(|duration| *duration > 0);
    Ok(Played::sound(MediaType::Ogg, duration))
}

/// Reads a page, and says where the next one begins.
fn page(reading: &mut Reading, sound: &mut Option<Sound>) -> Looked<u64> {
    let begins: [u8; 4] = reading.take()?;
    let [_, flags] = reading.take()?;
    let samples = i64::from_le_bytes(reading.take()?);
    let serial: [u8; 4] = reading.take()?;
    let [_, _, _, _, _, _, _, _, parts] = reading.take::<9>()?;
    let lengths = reading.up_to(u64::from(parts))?;
    let length: u64 = lengths.iter().copied().map(u64::from).sum();
    let end = reading.place()? + length;
    if begins != *b"OggS" || end > reading.length() {
        return Err(damaged("it ends too soon, or goes on as something else"));
    }
    let is_first = flags & 2 != 0;
    if is_first {
        let stream = stream(serial, &reading.up_to(length.min(FIRST))?)?;
        *sound = sound.take().or(stream);
    }
    if let Some(sound) = sound.as_mut().filter(|sound| sound.serial == serial) {
        // A page on which nothing ends says -1.
        sound.last = sound.last.max(u64::try_from(samples).unwrap_or_default());
    }
    Ok(end)
}

/// What a stream is, by its first page.
fn stream(serial: [u8; 4], first: &[u8]) -> Looked<Option<Sound>> {
    if first.starts_with(b"\x80theora") {
        return Err(unsupported("a film in Ogg; save it as MP4 or WebM"));
    }
    let (rate, skipped) = match first {
        _ if first.starts_with(b"\x01vorbis") => (number(first, 12, 4), 0),
        _ if first.starts_with(b"OpusHead") => (48_000, number(first, 10, 2)),
        _ => return Ok(None),
    };
    Ok(Some(Sound {
        serial,
        rate,
        skipped,
        last: 0,
    }))
}

/// A number, the small end first.
fn number(bytes: &[u8], place: usize, length: usize) -> u64 {
    let bytes = bytes.get(place..place + length).unwrap_or_default();
    let number = bytes.iter().rev();
    number.fold(0, |number, byte| number << 8 | u64::from(*byte))
}
