//! MP4 and M4A: boxes within boxes (ISO 14496-12).

use lyceum_domain::authoring::media::MediaType;

use super::{Played, milliseconds, seldom_played};
use crate::reading::{Looked, Reading, damaged};

/// How many boxes are looked at. A film of hours in fragments of a second has some ten thousand.
const MOST_BOXES: u32 = 200_000;

/// How deep boxes may lie within each other; those that are looked into lie five deep.
const MOST_DEPTH: u32 = 10;

/// A box, and where what is in it stands.
struct Part {
    kind: [u8; 4],
    body: u64,
    end: u64,
}

/// What was met.
#[derive(Default)]
struct Film {
    has_index: bool,
    has_content: bool,
    brand: [u8; 4],
    time: Option<(u64, u64)>,
    tracks: Vec<Track>,
    says_where: bool,
}

#[derive(Default)]
struct Track {
    handler: [u8; 4],
    codec: [u8; 4],
    dimensions: (u32, u32),
}

/// Walks along the boxes.
struct BoxWalk<'a> {
    reading: &'a mut Reading,
    left: u32,
    depth: u32,
    film: Film,
}

/// Reads all boxes but those of the content, which are stepped over.
pub fn read(reading: &mut Reading) -> Looked<Played> {
    let end = reading.length();
    let mut walk = BoxWalk {
        reading,
        left: MOST_BOXES,
        depth: 0,
        film: Film::default(),
    };
    walk.each(0, end, |walk, part| match &part.kind {
        b"ftyp" => walk.brand(&part),
        b"moov" => walk.index(&part),
        b"mdat" => {
            walk.film.has_content = true;
            Ok(())
        }
        _ => Ok(()),
    })?;
    played(&walk.film)
}

fn played(film: &Film) -> Looked<Played> {
    if !film.has_index || !film.has_content {
        return Err(damaged("it lacks its index or its content"));
    }
    let of = |handler: &[u8; 4]| film.tracks.iter().find(|track| track.handler == *handler);
    // Books that are read aloud have pictures of their chapters.
    let is_sound = matches!(&film.brand, b"M4A " | b"M4B ");
    let seen = of(b"vide").filter(|_| !is_sound);
    if seen.is_none() && of(b"soun").is_none() {
        return Err(damaged("it has neither pictures nor sound"));
    }
    let mut notes: Vec<String> = film.tracks.iter().filter_map(note).collect();
    notes.dedup();
    if film.says_where {
        notes.push("The file says where it was recorded, and that stays in it.".to_owned());
    }
    let time = film.time.filter(|(parts, _)| *parts > 0);
    Ok(Played {
        media_type: seen.map_or(MediaType::M4a, |_| MediaType::Mp4),
        dimensions: seen
            .map(|track| track.dimensions)
            .filter(|(width, height)| *width > 0 && *height > 0),
        duration_ms: time.and_then(|(parts, a_second)| milliseconds(parts, a_second)),
        notes,
    })
}

/// What is to be said about how a track is written down.
fn note(track: &Track) -> Option<String> {
    if !matches!(&track.handler, b"vide" | b"soun") {
        return None;
    }
    let codec = match &track.codec {
        b"avc1" | b"avc3" | b"av01" | b"vp08" | b"vp09" | b"mp4a" | b".mp3" | b"Opus" | b"fLaC" => {
            return None;
        }
        b"encv" | b"enca" => return Some("The file is protected against copying.".to_owned()),
        b"hvc1" | b"hev1" | b"dvh1" | b"dvhe" => "HEVC (H.265)".to_owned(),
        [b'a', b'p', b'4' | b'c', _] => "ProRes".to_owned(),
        b"mp4v" => "MPEG-4 Part 2".to_owned(),
        b"ac-3" | b"ec-3" => "Dolby Digital".to_owned(),
        [0, 0, 0, 0] => "a format that the file does not name".to_owned(),
        b"alac" => "Apple Lossless".to_owned(),
        other => String::from_utf8_lossy(other).escape_default().to_string(),
    };
    Some(seldom_played(&codec))
}

impl BoxWalk<'_> {
    /// Does something with each box between two places.
    fn each(
        &mut self,
        from: u64,
        end: u64,
        mut with: impl FnMut(&mut Self, Part) -> Looked<()>,
    ) -> Looked<()> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(damaged("its parts lie too deep within each other"));
        }
        let mut place = from;
        // Fewer bytes than a box needs are what some programs pad with.
        while end.saturating_sub(place) >= 8 {
            let part = self.part(place, end)?;
            place = part.end;
            with(self, part)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn part(&mut self, place: u64, end: u64) -> Looked<Part> {
        self.left = self
            .left
            .checked_sub(1)
            .ok_or_else(|| damaged("it has too many parts"))?;
        self.reading.go_to(place)?;
        let short = self.reading.u32()?;
        let kind = self.reading.take()?;
        let (header, length) = match short {
            0 => (8, end - place),
            1 => (16, self.reading.u64()?),
            length => (8, u64::from(length)),
        };
        let stops = place.checked_add(length).filter(|stops| *stops <= end);
        match stops {
            Some(stops) if length >= header => Ok(Part {
                kind,
                body: place + header,
                end: stops,
            }),
            _ => Err(damaged("it ends too soon, or a part of it is too long")),
        }
    }

    fn brand(&mut self, part: &Part) -> Looked<()> {
        self.reading.go_to(part.body)?;
        self.film.brand = self.reading.take()?;
        Ok(())
    }

    fn index(&mut self, part: &Part) -> Looked<()> {
        self.film.has_index = true;
        self.each(part.body, part.end, |walk, part| match &part.kind {
            b"mvhd" => walk.time(&part),
            b"trak" => walk.track(&part),
            b"udta" => walk.said(&part),
            _ => Ok(()),
        })
    }

    /// How long all of it is, in parts of a second, and how many make one.
    fn time(&mut self, part: &Part) -> Looked<()> {
        self.reading.go_to(part.body)?;
        let [version, ..] = self.reading.take::<4>()?;
        let time = if version == 1 {
            self.reading.take::<16>()?;
            let a_second = self.reading.u32()?;
            (self.reading.u64()?, a_second)
        } else {
            self.reading.take::<8>()?;
            let a_second = self.reading.u32()?;
            (u64::from(self.reading.u32()?), a_second)
        };
        self.film.time = Some((time.0, u64::from(time.1)));
        Ok(())
    }

    fn track(&mut self, part: &Part) -> Looked<()> {
        self.film.tracks.push(Track::default());
        self.each(part.body, part.end, |walk, part| match &part.kind {
            b"tkhd" => walk.size(&part),
            b"mdia" => walk.media(&part),
            _ => Ok(()),
        })
    }

    /// Width and height: the last of a track's header, behind how it is turned.
    fn size(&mut self, part: &Part) -> Looked<()> {
        const MATRIX: u64 = 36;
        let from = part.end.checked_sub(MATRIX + 8);
        let from = from.filter(|from| *from >= part.body);
        self.reading
            .go_to(from.ok_or_else(|| damaged("a track says too little"))?)?;
        let across = self.reading.u32()?;
        self.reading.take::<12>()?;
        let down = self.reading.u32()?;
        self.reading.take::<16>()?;
        // Whole pixels are in the upper half.
        let (width, height) = (self.reading.u32()? >> 16, self.reading.u32()? >> 16);
        let lies_on_its_side = across == 0 && down == 0;
        if let Some(track) = self.film.tracks.last_mut() {
            track.dimensions = if lies_on_its_side {
                (height, width)
            } else {
                (width, height)
            };
        }
        Ok(())
    }

    fn media(&mut self, part: &Part) -> Looked<()> {
        self.each(part.body, part.end, |walk, part| match &part.kind {
            b"hdlr" => {
                let handler = walk.word(part.body + 8)?;
                walk.note_in_track(|track| track.handler = handler);
                Ok(())
            }
            b"minf" | b"stbl" => walk.media(&part),
            b"stsd" => {
                let codec = walk.word(part.body + 12)?;
                walk.note_in_track(|track| track.codec = codec);
                Ok(())
            }
            _ => Ok(()),
        })
    }

    fn note_in_track(&mut self, note: impl FnOnce(&mut Track)) {
        if let Some(track) = self.film.tracks.last_mut() {
            note(track);
        }
    }

    fn word(&mut self, place: u64) -> Looked<[u8; 4]> {
        self.reading.go_to(place)?;
        self.reading.take()
    }

    /// What a phone says of a film, such as where it was made.
    fn said(&mut self, part: &Part) -> Looked<()> {
        self.each(part.body, part.end, |walk, part| {
            let says_where = matches!(&part.kind, b"\xA9xyz" | b"loci");
            walk.film.says_where |= says_where;
            Ok(())
        })
    }
}
