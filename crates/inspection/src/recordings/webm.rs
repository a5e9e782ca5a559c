//! `WebM`: elements of EBML (RFC 8794, RFC 9559).

use lyceum_domain::authoring::media::MediaType;

use super::{Played, milliseconds, seldom_played};
use crate::reading::{Looked, Reading, damaged, unsupported};

/// How many elements are looked at: blocks of a film of hours whose recorder did not know how long it would be.
const MOST_ELEMENTS: u32 = 20_000_000;
/// The longest value that is read, a name or a number.
const VALUE: u64 = 64;

const HEADER: u32 = 0x1A45_DFA3;
const DOC_TYPE: u32 = 0x4282;
const SEGMENT: u32 = 0x1853_8067;
const INFO: u32 = 0x1549_A966;
const TIMESTAMP_SCALE: u32 = 0x2A_D7B1;
const DURATION: u32 = 0x4489;
const TRACKS: u32 = 0x1654_AE6B;
const TRACK_ENTRY: u32 = 0xAE;
const CODEC_ID: u32 = 0x86;
const VIDEO: u32 = 0xE0;
const PIXEL_WIDTH: u32 = 0xB0;
const PIXEL_HEIGHT: u32 = 0xBA;
const CLUSTER: u32 = 0x1F43_B675;
const TIMESTAMP: u32 = 0xE7;
const SIMPLE_BLOCK: u32 = 0xA3;

/// An element, and where what is in it stands.
struct Element {
    id: u32,
    body: u64,
    /// Unknown where a recorder could not know yet.
    end: Option<u64>,
}

/// What was met.
struct Recorded {
    doc_type: Vec<u8>,
    scale: u64,
    duration: Option<f64>,
    /// Of the cluster that is walked along.
    cluster: u64,
    /// When the last block begins.
    last: u64,
    clusters: u64,
    codecs: Vec<String>,
    width: u32,
    height: u32,
}

struct ElementWalk<'a> {
    reading: &'a mut Reading,
    left: u32,
    film: Recorded,
}

/// Walks along all elements, into those that say something.
pub fn read(reading: &mut Reading) -> Looked<Played> {
    let film = Recorded {
        doc_type: Vec::new(),
        scale: 1_000_000,
        duration: None,
        cluster: 0,
        last: 0,
        clusters: 0,
        codecs: Vec::new(),
        width: 0,
        height: 0,
    };
    let mut walk = ElementWalk {
        left: MOST_ELEMENTS,
        film,
        reading,
    };
    walk.all()?;
    played(&walk.film)
}

fn played(film: &Recorded) -> Looked<Played> {
    if film.codecs.is_empty() || film.clusters == 0 {
        return Err(damaged("it has neither pictures nor sound"));
    }
    let known = |codec: &&String| {
        ["V_VP8", "V_VP9", "V_AV1", "A_OPUS", "A_VORBIS"].contains(&codec.as_str())
    };
    let seldom = film.codecs.iter().filter(|codec| !known(codec));
    Ok(Played {
        media_type: MediaType::Webm,
        dimensions: Some((film.width, film.height))
            .filter(|(width, height)| *width > 0 && *height > 0),
        duration_ms: duration(film),
        notes: seldom.map(|codec| seldom_played(codec)).collect(),
    })
}

/// What it says, or else when its last block begins.
fn duration(film: &Recorded) -> Option<u64> {
    let parts = match film.duration {
        // Longer than a century is none.
        Some(duration) if (0.0..3e12).contains(&duration) => whole(duration),
        Some(_) => return None,
        None => film.last,
    };
    let nanoseconds = parts.checked_mul(film.scale)?;
    milliseconds(nanoseconds, 1_000_000_000).filter(|duration| *duration > 0)
}

/// A number without its fraction; it lies within what was asked before.
fn whole(number: f64) -> u64 {
    format!("{number:.0}").parse().unwrap_or_default()
}

impl ElementWalk<'_> {
    fn all(&mut self) -> Looked<()> {
        let mut place = 0;
        while place < self.reading.length() {
            let element = self.element(place)?;
            place = match (element.id, element.end) {
                (HEADER, Some(end)) => {
                    self.header(element.body, end)?;
                    end
                }
                (INFO | TRACKS, Some(end)) => {
                    self.within(element.body, end)?;
                    end
                }
                (SEGMENT, _) => element.body,
                (CLUSTER, end) => self.cluster(element.body, end),
                (_, Some(end)) => {
                    self.block(&element, end)?;
                    end
                }
                (_, None) => return Err(damaged("a part of it has no length")),
            };
        }
        Ok(())
    }

    /// Clusters are stepped over, unless nothing else tells how long the film is.
    fn cluster(&mut self, body: u64, end: Option<u64>) -> u64 {
        self.film.clusters += 1;
        match (end, self.film.duration) {
            (Some(end), Some(_)) => end,
            _ => body,
        }
    }

    fn element(&mut self, place: u64) -> Looked<Element> {
        self.left = self
            .left
            .checked_sub(1)
            .ok_or_else(|| damaged("it has too many parts"))?;
        self.reading.go_to(place)?;
        let (id, _) = self.number(4, false)?;
        let id = u32::try_from(id).map_err(|_| damaged("a part of it has no name"))?;
        let (length, is_unknown) = self.number(8, true)?;
        let body = self.reading.place()?;
        let end = body.checked_add(length);
        let end = end.filter(|end| *end <= self.reading.length());
        match end {
            _ if is_unknown => Ok(Element {
                id,
                body,
                end: None,
            }),
            Some(end) => Ok(Element {
                id,
                body,
                end: Some(end),
            }),
            None => Err(damaged("it ends too soon")),
        }
    }

    /// A number whose first byte says by its zeros how long it is, and whether all of it is ones.
    fn number(&mut self, most: u32, without_marker: bool) -> Looked<(u64, bool)> {
        let [first] = self.reading.take::<1>()?;
        let more = first.leading_zeros();
        if more >= most {
            return Err(damaged("a part of it cannot be read"));
        }
        let mut number = u64::from(first);
        for _ in 0..more {
            let [next] = self.reading.take::<1>()?;
            number = number << 8 | u64::from(next);
        }
        let marker = 1_u64 << (7 * (more + 1));
        let plain = number & (marker - 1);
        let number = if without_marker { plain } else { number };
        Ok((number, plain == marker - 1))
    }

    fn header(&mut self, from: u64, end: u64) -> Looked<()> {
        self.within(from, end)?;
        match self.film.doc_type.as_slice() {
            b"webm" => Ok(()),
            _ => Err(unsupported(
                "a film in Matroska (MKV); save it as MP4 or WebM",
            )),
        }
    }

    /// What is said in an element, and in those within it.
    fn within(&mut self, from: u64, end: u64) -> Looked<()> {
        let mut place = from;
        while place < end {
            let element = self.element(place)?;
            let stops = element.end.filter(|stops| *stops <= end);
            let stops = stops.ok_or_else(|| damaged("a part of it is too long"))?;
            place = match element.id {
                TRACK_ENTRY | VIDEO => element.body,
                id => {
                    self.said(id, element.body, stops)?;
                    stops
                }
            };
        }
        Ok(())
    }

    fn said(&mut self, id: u32, body: u64, end: u64) -> Looked<()> {
        self.reading.go_to(body)?;
        let value = self.reading.up_to((end - body).min(VALUE))?;
        let small = || u32::try_from(unsigned(&value)).unwrap_or_default();
        let film = &mut self.film;
        match id {
            DOC_TYPE => film.doc_type = value,
            TIMESTAMP_SCALE => film.scale = unsigned(&value),
            DURATION => film.duration = float(&value),
            CODEC_ID if film.codecs.len() < 16 => {
                film.codecs
                    .push(String::from_utf8_lossy(&value).escape_default().to_string());
            }
            PIXEL_WIDTH => film.width = small(),
            PIXEL_HEIGHT => film.height = small(),
            _ => {}
        }
        Ok(())
    }

    /// When a block is shown, for those who need to know.
    fn block(&mut self, element: &Element, end: u64) -> Looked<()> {
        if element.id == TIMESTAMP {
            self.reading.go_to(element.body)?;
            let value = self.reading.up_to((end - element.body).min(VALUE))?;
            self.film.cluster = unsigned(&value);
        }
        if element.id == SIMPLE_BLOCK {
            self.reading.go_to(element.body)?;
            self.number(8, true)?;
            let after = i16::from_be_bytes(self.reading.take()?);
            let shown = self.film.cluster.saturating_add_signed(i64::from(after));
            self.film.last = self.film.last.max(shown);
        }
        Ok(())
    }
}

fn unsigned(value: &[u8]) -> u64 {
    let fits = value.len() <= 8;
    let number = value.iter().filter(|_| fits);
    number.fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn float(value: &[u8]) -> Option<f64> {
    if let Ok(short) = value.try_into() {
        return Some(f64::from(f32::from_be_bytes(short)));
    }
    value.try_into().ok().map(f64::from_be_bytes)
}
