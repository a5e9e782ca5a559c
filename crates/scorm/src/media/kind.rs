//! What a media file is, told by its first bytes.

/// How many bytes [`Kind::of`] wants to see.
pub const HEAD_BYTES: usize = 4096;

/// The formats a package takes: what browsers of the last years play, and nothing that can act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Png,
    Jpeg,
    Gif,
    Webp,
    Avif,
    Mp3,
    M4a,
    Ogg,
    Wav,
    Mp4,
    Webm,
    Vtt,
    Pdf,
    /// A drawing. It can act, so no bytes make one by themselves: see [`Kind::of_library`].
    Svg,
}

/// What a text wants an address for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Picture,
    Audio,
    Video,
    Captions,
    /// Whatever a medium of the library is.
    Any,
}

impl Kind {
    /// The kind of a file that begins with `head`; none if it is not one that packages take.
    pub fn of(head: &[u8]) -> Option<Self> {
        let at = |start: usize, magic: &[u8]| {
            head.get(start..)
                .is_some_and(|rest| rest.starts_with(magic))
        };
        if at(4, b"ftyp") {
            return of_brand(head);
        }
        let riff = at(0, b"RIFF");
        match () {
            () if at(0, b"\x89PNG\r\n\x1a\n") => Some(Self::Png),
            () if at(0, b"\xff\xd8\xff") => Some(Self::Jpeg),
            () if at(0, b"GIF87a") || at(0, b"GIF89a") => Some(Self::Gif),
            () if riff && at(8, b"WEBP") => Some(Self::Webp),
            () if riff && at(8, b"WAVE") => Some(Self::Wav),
            () if at(0, b"ID3") || mpeg_layer_three(head) => Some(Self::Mp3),
            () if at(0, b"OggS") => Some(Self::Ogg),
            () if at(0, b"\x1a\x45\xdf\xa3") && contains(head, b"webm") => Some(Self::Webm),
            () if captions(head) => Some(Self::Vtt),
            () if at(0, b"%PDF-") => Some(Self::Pdf),
            () => None,
        }
    }

    /// The same of a file of the library, which is said to be of this type there: its drawings were cleaned.
    pub fn of_library(head: &[u8], media_type: &str) -> Option<Self> {
        let is_drawing = media_type == "image/svg+xml" && head.windows(4).any(|at| at == b"<svg");
        Self::of(head).or(is_drawing.then_some(Self::Svg))
    }

    /// The kind of a file that was found to be of this type when it came; none if it is not one that packages take.
    pub fn of_type(media_type: &str) -> Option<Self> {
        Some(match media_type {
            "image/png" => Self::Png,
            "image/jpeg" => Self::Jpeg,
            "image/gif" => Self::Gif,
            "image/webp" => Self::Webp,
            "image/avif" => Self::Avif,
            "image/svg+xml" => Self::Svg,
            "audio/mpeg" => Self::Mp3,
            "audio/mp4" => Self::M4a,
            "audio/ogg" => Self::Ogg,
            "audio/wav" => Self::Wav,
            "video/mp4" => Self::Mp4,
            "video/webm" => Self::Webm,
            "text/vtt" => Self::Vtt,
            "application/pdf" => Self::Pdf,
            _ => return None,
        })
    }

    /// What the file's name ends in.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Gif => "gif",
            Self::Webp => "webp",
            Self::Avif => "avif",
            Self::Mp3 => "mp3",
            Self::M4a => "m4a",
            Self::Ogg => "ogg",
            Self::Wav => "wav",
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
            Self::Vtt => "vtt",
            Self::Pdf => "pdf",
            Self::Svg => "svg",
        }
    }

    /// The media type in a role; both containers hold sound alone too.
    pub fn media_type(self, role: Role) -> &'static str {
        match (self, role) {
            (Self::Png, _) => "image/png",
            (Self::Jpeg, _) => "image/jpeg",
            (Self::Gif, _) => "image/gif",
            (Self::Webp, _) => "image/webp",
            (Self::Avif, _) => "image/avif",
            (Self::Mp3, _) => "audio/mpeg",
            (Self::M4a, _) | (Self::Mp4, Role::Audio) => "audio/mp4",
            (Self::Ogg, _) => "audio/ogg",
            (Self::Wav, _) => "audio/wav",
            (Self::Mp4, _) => "video/mp4",
            (Self::Webm, Role::Audio) => "audio/webm",
            (Self::Webm, _) => "video/webm",
            (Self::Vtt, _) => "text/vtt",
            (Self::Pdf, _) => "application/pdf",
            (Self::Svg, _) => "image/svg+xml",
        }
    }

    /// Whether a file of this kind is of use in a role.
    pub fn serves(self, role: Role) -> bool {
        match role {
            Role::Picture => matches!(
                self,
                Self::Png | Self::Jpeg | Self::Gif | Self::Webp | Self::Avif | Self::Svg
            ),
            Role::Audio => matches!(
                self,
                Self::Mp3 | Self::M4a | Self::Ogg | Self::Wav | Self::Mp4 | Self::Webm
            ),
            Role::Video => matches!(self, Self::Mp4 | Self::Webm),
            Role::Captions => self == Self::Vtt,
            Role::Any => true,
        }
    }

    /// Whether the format compresses by itself, so that deflating it costs time for nothing.
    pub fn is_compressed(self) -> bool {
        !matches!(self, Self::Wav | Self::Vtt | Self::Svg)
    }
}

/// The ISO container holds many things; its brands say which.
fn of_brand(head: &[u8]) -> Option<Kind> {
    let length = head.first_chunk().map_or(0, |b| u32::from_be_bytes(*b));
    let end = usize::try_from(length).unwrap_or(0).clamp(16, 256);
    let box_of_brands = head.get(8..end.min(head.len()))?;
    let (brands, _) = box_of_brands.as_chunks::<4>();
    let known = |list: &[&[u8; 4]]| brands.iter().any(|brand| list.contains(&brand));
    match brands.first() {
        Some(b"M4A " | b"M4B ") => Some(Kind::M4a),
        Some(b"qt  ") => None,
        _ if known(&[b"avif", b"avis"]) => Some(Kind::Avif),
        _ if known(&[b"heic", b"heix", b"mif1", b"msf1"]) => None,
        _ if known(&[
            b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V ",
            b"dash",
        ]) =>
        {
            Some(Kind::Mp4)
        }
        _ => None,
    }
}

/// A frame header of MPEG audio layer III, for files without a tag before it.
fn mpeg_layer_three(head: &[u8]) -> bool {
    let Some([first, second, third]) = head.first_chunk() else {
        return false;
    };
    let (version, layer) = (second >> 3 & 0b11, second >> 1 & 0b11);
    let (bits, rate) = (third >> 4, third >> 2 & 0b11);
    *first == 0xff
        && second >> 5 == 0b111
        && version != 0b01
        && layer == 0b01
        && bits != 0
        && bits != 0b1111
        && rate != 0b11
}

fn captions(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    text.strip_prefix(b"WEBVTT")
        .is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

fn contains(head: &[u8], word: &[u8]) -> bool {
    head.windows(word.len()).take(64).any(|at| at == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_say_what_a_file_is() {
        let cases: [(&[u8], Option<Kind>); 23] = [
            (b"\x89PNG\r\n\x1a\n....", Some(Kind::Png)),
            (b"\xff\xd8\xff\xe0..JFIF", Some(Kind::Jpeg)),
            (b"GIF89a.", Some(Kind::Gif)),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some(Kind::Webp)),
            (b"RIFF\x10\0\0\0WAVEfmt ", Some(Kind::Wav)),
            (b"\0\0\0\x18ftypavif\0\0\0\0mif1miaf", Some(Kind::Avif)),
            (b"\0\0\0\x18ftypmif1\0\0\0\0avifmiaf", Some(Kind::Avif)),
            (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", None),
            (b"\0\0\0\x18ftypisom\0\0\0\0iso2mp41", Some(Kind::Mp4)),
            (b"\0\0\0\x18ftypM4A \0\0\0\0isommp42", Some(Kind::M4a)),
            (b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", None),
            (b"ID3\x04\0\0", Some(Kind::Mp3)),
            (b"\xff\xfb\x90\x00", Some(Kind::Mp3)),
            (b"\xff\xf1\x50\x80", None),
            (b"OggS\0\x02", Some(Kind::Ogg)),
            (b"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm", Some(Kind::Webm)),
            (b"\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska", None),
            (b"WEBVTT\n\n", Some(Kind::Vtt)),
            (b"\xef\xbb\xbfWEBVTT", Some(Kind::Vtt)),
            (b"WEBVTTx", None),
            (b"<svg xmlns='http://www.w3.org/2000/svg'>", None),
            (b"<!doctype html>", None),
            (b"%PDF-1.7\n", Some(Kind::Pdf)),
        ];
        for (head, kind) in cases {
            assert_eq!(
                Kind::of(head),
                kind,
                "{:?}",
                head.escape_ascii().to_string()
            );
        }
        assert_eq!(Kind::of(b""), None);
        let drawing = b"<?xml version='1.0'?><svg/>";
        assert_eq!(Kind::of_library(drawing, "image/svg+xml"), Some(Kind::Svg));
        assert_eq!(Kind::of_library(drawing, "image/png"), None);
        assert_eq!(Kind::of_library(b"<html>", "image/svg+xml"), None);
    }

    #[test]
    fn a_kind_serves_where_it_can_be_played() {
        assert!(Kind::Mp4.serves(Role::Audio) && Kind::Mp4.serves(Role::Video));
        assert!(!Kind::Mp4.serves(Role::Picture) && !Kind::Png.serves(Role::Audio));
        assert!(Kind::Vtt.serves(Role::Captions) && !Kind::Mp3.serves(Role::Video));
        assert_eq!(Kind::Mp4.media_type(Role::Audio), "audio/mp4");
    }
}
