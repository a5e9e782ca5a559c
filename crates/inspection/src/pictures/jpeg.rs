//! Whether a JPEG is all there. Decoders are kind and paint grey what is missing; a learner would see half a picture.

use crate::reading::{Looked, Reading, damaged};

/// How many passes a picture may be painted in. Each takes time as the whole does; programs use about ten.
const MOST_SCANS: u32 = 64;
/// How much is looked through at a time.
const PIECE: u64 = 64 * 1024;

const END: u8 = 0xD9;
const SCAN: u8 = 0xDA;

/// Walks along its segments to the end of the picture.
pub fn check(reading: &mut Reading) -> Looked<()> {
    let mut place = 2;
    let mut scans = 0;
    loop {
        reading.go_to(place)?;
        let [begins, marker] = reading.take()?;
        if begins != 0xFF {
            return Err(damaged("a part of it is missing"));
        }
        place = match marker {
            END if scans > 0 => return Ok(()),
            // Filling, and what stands for itself.
            0xFF => place + 1,
            0x01 | 0xD0..=0xD8 => place + 2,
            _ => place + 2 + u64::from(u16::from_be_bytes(reading.take()?)),
        };
        if marker == SCAN {
            scans += 1;
            place = behind_scan(reading, place)?;
        }
        if scans > MOST_SCANS {
            return Err(damaged("it is painted in too many passes"));
        }
    }
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
