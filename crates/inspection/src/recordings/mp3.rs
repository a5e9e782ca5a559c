//! MP3: frames, one behind the other, and what programs write before and behind them.

use lyceum_domain::authoring::media::MediaType;

use super::{Played, milliseconds};
use crate::reading::{Looked, Reading, damaged, long};

/// How much may lie behind the last frame that we do not know.
const TAIL: u64 = 128 * 1024;
/// How much lies between what is said before the sound and its first frame, at most.
const PADDING: u64 = 64 * 1024;

/// Kilobits in a second of the second and third layer's rows: MPEG 1, and MPEG 2 and 2.5.
const RATES: [[u32; 15]; 2] = [
    [
        0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/// What the four bytes at the beginning of a frame say.
#[derive(Clone, Copy)]
struct Frame {
    length: u64,
    samples: u64,
    a_second: u64,
}

impl Frame {
    fn parse(bytes: [u8; 4]) -> Option<Self> {
        let header = u32::from_be_bytes(bytes);
        let field = |place: u32, bits: u32| header >> place & ((1 << bits) - 1);
        // Eleven ones, and the third layer.
        if field(21, 11) != 0x7FF || field(17, 2) != 1 {
            return None;
        }
        let (is_first, a_second) = match field(19, 2) {
            3 => (true, [44_100, 48_000, 32_000]),
            2 => (false, [22_050, 24_000, 16_000]),
            0 => (false, [11_025, 12_000, 8_000]),
            _ => return None,
        };
        let a_second = *a_second.get(usize::try_from(field(10, 2)).ok()?)?;
        let rates = RATES.get(usize::from(!is_first))?;
        let rate = rates.get(usize::try_from(field(12, 4)).ok()?)?;
        let rate = u64::from(*rate)
            .checked_mul(1000)
            .filter(|rate| *rate > 0)?;
        let samples = if is_first { 1152 } else { 576 };
        let length = samples / 8 * rate / a_second + u64::from(field(9, 1));
        Some(Self {
            length,
            samples,
            a_second,
        })
    }

    fn at(bytes: &[u8], place: u64) -> Option<Self> {
        let place = usize::try_from(place).ok()?;
        Self::parse(bytes.get(place..)?.first_chunk().copied()?)
    }
}

/// Whether a file begins with a frame that another follows: a single one may be anything.
pub fn begins(head: &[u8]) -> bool {
    let first = Frame::at(head, 0);
    first.is_some_and(|first| Frame::at(head, first.length).is_some())
}

/// Walks along all frames: what a file says of its length elsewhere is often wrong.
pub fn read(reading: &mut Reading) -> Looked<Played> {
    let mut place = first_frame(reading)?;
    let mut frames = 0_u64;
    let mut samples = 0_u64;
    let mut notes = Vec::new();
    let mut a_second = 0;
    while let Some(frame) = frame(reading, place)? {
        if place + frame.length > reading.length() {
            notes.push("The file ends within a moment of sound.".to_owned());
            place = reading.length();
            break;
        }
        frames += 1;
        a_second = frame.a_second;
        samples += frame.samples;
        place += frame.length;
    }
    if frames < 2 {
        return Err(damaged("it has no sound"));
    }
    if !is_tail(reading, place)? {
        return Err(damaged("it goes on as something else"));
    }
    Ok(Played {
        notes,
        ..Played::sound(MediaType::Mp3, milliseconds(samples, a_second))
    })
}

/// The frame at a place, behind whatever is said there of the recording.
fn frame(reading: &mut Reading, place: u64) -> Looked<Option<Frame>> {
    if reading.length().saturating_sub(place) < 4 {
        return Ok(None);
    }
    reading.go_to(place)?;
    Ok(Frame::parse(reading.take()?))
}

fn first_frame(reading: &mut Reading) -> Looked<u64> {
    let mut place = 0;
    // Some programs write their own in front of what was there.
    while let Some(length) = tag(reading, place)? {
        place += length;
    }
    reading.go_to(place)?;
    let near = reading.up_to(PADDING)?;
    let at = (0..long(near.len())).find(|at| {
        let frame = Frame::at(&near, *at);
        frame.is_some_and(|frame| Frame::at(&near, at + frame.length).is_some())
    });
    at.map(|at| place + at)
        .ok_or_else(|| damaged("it has no sound"))
}

/// How long an ID3 tag at a place is, if there is one.
fn tag(reading: &mut Reading, place: u64) -> Looked<Option<u64>> {
    reading.go_to(place)?;
    let head = reading.up_to(10)?;
    let [b'I', b'D', b'3', _, _, flags, a, b, c, d] = head.as_slice() else {
        return Ok(None);
    };
    let size = [a, b, c, d];
    let size = size
        .iter()
        .fold(0_u64, |size, byte| size << 7 | u64::from(*byte & 0x7F));
    let footer = if flags & 0x10 == 0 { 0 } else { 10 };
    Ok(Some(10 + size + footer))
}

/// Whether what lies behind the last frame is something that programs write there.
fn is_tail(reading: &mut Reading, place: u64) -> Looked<bool> {
    if reading.length().saturating_sub(place) <= TAIL {
        return Ok(true);
    }
    reading.go_to(place)?;
    let begins: [u8; 8] = reading.take()?;
    Ok(begins == *b"APETAGEX" || begins.starts_with(b"ID3"))
}
