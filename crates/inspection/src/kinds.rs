//! What a file is, by how it begins. Its name and what the sender says of it play no part.
//!
//! The list is our own and no library's: of thirteen kinds it has to know exactly how they begin, and of all others what to
//! tell whoever sent one.

use std::path::Path;

use crate::pictures::PictureKind;
use crate::reading::{Looked, Reading, damaged, unsupported};
use crate::recordings::Container;
use crate::recordings::mp3;

/// How much of a file is looked at to see what it is.
const BEGINNING: u64 = 4 * 1024;

/// What is done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Pixels.
    Picture(PictureKind),
    /// An SVG.
    Drawing,
    /// Something that plays.
    Recording(Container),
    /// `WebVTT`.
    Captions,
    /// A PDF.
    Document,
}

impl Kind {
    /// Whether looking at it takes the memory of a picture.
    pub const fn has_pixels(self) -> bool {
        matches!(self, Self::Picture(_))
    }
}

/// What the file is, or what whoever sent it can do instead.
pub fn kind(path: &Path) -> Looked<Kind> {
    let mut reading = Reading::open(path)?;
    if reading.length() == 0 {
        return Err(damaged("it is empty"));
    }
    let head = reading.up_to(BEGINNING)?;
    match kept(&head) {
        Some(kind) => Ok(kind),
        None => Err(unsupported(other(&head))),
    }
}

fn kept(head: &[u8]) -> Option<Kind> {
    let at = |place: usize, bytes: &[u8]| has_at(head, place, bytes);
    let kind = match () {
        () if at(0, b"\xFF\xD8\xFF") => Kind::Picture(PictureKind::Jpeg),
        () if at(0, b"\x89PNG\r\n\x1A\n") => Kind::Picture(PictureKind::Png),
        () if at(0, b"GIF87a") || at(0, b"GIF89a") => Kind::Picture(PictureKind::Gif),
        () if at(0, b"RIFF") && at(8, b"WEBP") => Kind::Picture(PictureKind::Webp),
        () if at(0, b"RIFF") && at(8, b"WAVE") => Kind::Recording(Container::Wav),
        () if at(4, b"ftyp") && foreign_brand(head).is_none() => Kind::Recording(Container::Mp4),
        () if at(0, b"\x1A\x45\xDF\xA3") => Kind::Recording(Container::Webm),
        () if at(0, b"OggS") => Kind::Recording(Container::Ogg),
        () if at(0, b"%PDF-") => Kind::Document,
        () if is_captions(head) => Kind::Captions,
        () if is_drawing(head) => Kind::Drawing,
        () if at(0, b"ID3") || mp3::begins(head) => Kind::Recording(Container::Mp3),
        () => return None,
    };
    Some(kind)
}

fn has_at(head: &[u8], place: usize, bytes: &[u8]) -> bool {
    head.get(place..)
        .is_some_and(|rest| rest.starts_with(bytes))
}

/// Pictures and films that share MP4's way of being written down, and are none.
fn foreign_brand(head: &[u8]) -> Option<&'static str> {
    let brand = head.get(8..12)?;
    match brand {
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1" => {
            Some("a picture in HEIC, which few browsers show; save it as JPEG")
        }
        b"avif" | b"avis" => Some("a picture in AVIF; save it as JPEG, PNG or WebP"),
        b"qt  " => Some("a QuickTime film (MOV); save it as MP4 with H.264"),
        b"crx " => Some("a raw photograph; save it as JPEG"),
        _ => None,
    }
}

fn is_captions(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let rest = head.strip_prefix(b"WEBVTT");
    rest.is_some_and(|rest| matches!(rest.first(), None | Some(b' ' | b'\t' | b'\r' | b'\n')))
}

/// Whether it is markup whose first element is a drawing. What comes before may be a declaration, comments, and a DOCTYPE.
fn is_drawing(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut rest = text.trim_start_matches('\u{FEFF}').trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<!DOCTYPE svg") => ">",
            _ => return is_svg_tag(rest),
        };
        match rest.split_once(end) {
            // Entities stand in brackets within a DOCTYPE; what follows them is not worth finding.
            Some((skipped, _)) if end == ">" && skipped.contains('[') => return true,
            Some((_, after)) => rest = after.trim_start(),
            None => return false,
        }
    }
}

fn is_svg_tag(text: &str) -> bool {
    let name = text.strip_prefix('<').unwrap_or_default();
    let name = name.split([' ', '\t', '\r', '\n', '>', '/']).next();
    let name = name.unwrap_or_default();
    name.rsplit(':').next() == Some("svg")
}

/// What others begin with, and what to do with them.
const OTHERS: [(&[u8], &str); 27] = [
    (b"II*\0", "a picture in TIFF; save it as JPEG or PNG"),
    (b"MM\0*", "a picture in TIFF; save it as JPEG or PNG"),
    (b"BM", "a picture in BMP; save it as PNG"),
    (
        b"8BPS",
        "a picture in Photoshop's format; save it as JPEG or PNG",
    ),
    (b"\0\0\x01\0", "an icon (ICO); save it as PNG"),
    (b"\xFF\x0A", "a picture in JPEG XL; save it as JPEG"),
    (b"\0\0\0\x0CJXL ", "a picture in JPEG XL; save it as JPEG"),
    (b"\0\0\0\x0CjP  ", "a picture in JPEG 2000; save it as JPEG"),
    (b"fLaC", "a recording in FLAC; save it as MP3 or M4A"),
    (b"FORM", "a recording in AIFF; save it as MP3 or M4A"),
    (b"#!AMR", "a recording in AMR; save it as MP3 or M4A"),
    (
        b"MThd",
        "notes for instruments (MIDI); save it as MP3 or M4A",
    ),
    (b"FLV\x01", "a film in FLV; save it as MP4"),
    (
        b"\x30\x26\xB2\x75",
        "a film or recording in a Windows Media format; save it as MP4 or MP3",
    ),
    (
        b"\0\0\x01\xBA",
        "a film in MPEG-1 or MPEG-2; save it as MP4",
    ),
    (
        b"PK\x03\x04",
        "an archive (ZIP) or an Office document; save a document as PDF",
    ),
    (b"PK\x05\x06", "an archive (ZIP)"),
    (b"\xD0\xCF\x11\xE0", "an Office document; save it as PDF"),
    (b"{\\rtf", "a document in RTF; save it as PDF"),
    (b"%!PS", "a document in PostScript; save it as PDF"),
    (b"Rar!", "an archive (RAR)"),
    (b"7z\xBC\xAF", "an archive (7z)"),
    (b"\x1F\x8B", "an archive (gzip)"),
    (b"\x7FELF", "a program"),
    (b"MZ", "a program"),
    (b"\xCF\xFA\xED\xFE", "a program"),
    (b"#!", "a program"),
];

/// What it is instead, as far as one can see.
fn other(head: &[u8]) -> &'static str {
    if has_at(head, 4, b"ftyp")
        && let Some(said) = foreign_brand(head)
    {
        return said;
    }
    if has_at(head, 0, b"RIFF") && has_at(head, 8, b"AVI ") {
        return "a film in AVI; save it as MP4";
    }
    let known = OTHERS.iter().find(|(begins, _)| head.starts_with(begins));
    known.map_or_else(|| text_or_unknown(head), |(_, said)| said)
}

fn text_or_unknown(head: &[u8]) -> &'static str {
    const UNKNOWN: &str = "nothing that we know; JPEG, PNG, WebP, GIF, SVG, MP3, M4A, Ogg, WAV, MP4, WebM, WebVTT and PDF are";
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The beginning may end within a letter.
        Err(error) if error.error_len().is_none() => {
            let valid = head.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return UNKNOWN,
    };
    let strange = |c: char| c.is_control() && !matches!(c, '\t' | '\r' | '\n' | '\u{C}');
    if text.is_empty() || text.contains(strange) {
        return UNKNOWN;
    }
    let lower = text.trim_start_matches('\u{FEFF}').trim_start();
    let lower = lower.to_ascii_lowercase();
    let html = ["<!doctype html", "<html", "<head", "<body", "<script"];
    match () {
        () if html.iter().any(|tag| lower.starts_with(tag)) => "a web page (HTML)",
        () if lower.starts_with('<') => "markup that is no SVG",
        () => "plain text; captions have to begin with WEBVTT",
    }
}
