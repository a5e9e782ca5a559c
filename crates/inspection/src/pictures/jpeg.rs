//! Whether a JPEG is all there, and how well it was written. Decoders are kind and paint grey what is missing; a learner would
//! see half a picture.

use crate::reading::{Looked, Reading, damaged};

/// How many passes a picture may be painted in. Each takes time as the whole does; programs use about ten.
const MOST_SCANS: u32 = 64;
/// How much is looked through at a time.
const PIECE: u64 = 64 * 1024;

const END: u8 = 0xD9;
const SCAN: u8 = 0xDA;
const STEPS: u8 = 0xDB;

/// The sum of the steps that brightness is told in at a quality of 50, as the standard has them.
const STANDARD: u64 = 3688;

/// Walks along its segments to the end of the picture, and says of 100 how well it was written, as far as that can be told.
pub fn check(reading: &mut Reading) -> Looked<Option<u8>> {
    let mut place = 2;
    let mut scans = 0;
    let mut written = None;
    loop {
        reading.go_to(place)?;
        let [begins, marker] = reading.take()?;
        if begins != 0xFF {
            return Err(damaged("a part of it is missing"));
        }
        place = match marker {
            END if scans > 0 => return Ok(written),
            // Filling, and what stands for itself.
            0xFF => place + 1,
            0x01 | 0xD0..=0xD8 => place + 2,
            _ => place + 2 + u64::from(u16::from_be_bytes(reading.take()?)),
        };
        if marker == STEPS && written.is_none() {
            written = quality(reading)?;
        }
        if marker == SCAN {
            scans += 1;
            place = behind_scan(reading, place)?;
        }
        if scans > MOST_SCANS {
            return Err(damaged("it is painted in too many passes"));
        }
    }
}

/// The quality that stands behind a table of steps, read where its body begins: programs scale those of the standard.
fn quality(reading: &mut Reading) -> Looked<Option<u8>> {
    let [table] = reading.take()?;
    // Others are for colours, or have steps of two bytes, which nobody uses.
    if table != 0 {
        return Ok(None);
    }
    let steps: [u8; 64] = reading.take()?;
    let sum: u64 = steps.iter().copied().map(u64::from).sum();
    let percent = (sum * 100 / STANDARD).max(1);
    let quality = if percent <= 100 {
        (200 - percent) / 2
    } else {
        5000 / percent
    };
    Ok(u8::try_from(quality).ok())
}

/// Where the next segment begins: within a pass a marker is followed by nothing, or begins again after an error.
fn behind_scan(reading: &mut Reading, from: u64) -> Looked<u64> {
    let mut place = from;
    let mut follows_marker = false;
    reading.go_to(from)?;
    loop {
        let piece = reading.up_to(PIECE)?;
        if piece.is_empty() {
            return Err(damaged("it ends too soon"));
        }
        for byte in piece {
            let is_marker = follows_marker && !matches!(byte, 0 | 0xFF | 0xD0..=0xD7);
            if is_marker {
                return Ok(place - 1);
            }
            follows_marker = byte == 0xFF;
            place += 1;
        }
    }
}
