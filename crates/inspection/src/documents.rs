//! Documents: PDF. They are kept as they came and opened by whoever reads them, in a program of theirs; what a document would
//! have that program do is said, not taken out.

use std::path::Path;

use lyceum_domain::authoring::media::MediaType;
use lyceum_ports::authoring::inspection::Inspected;

use crate::kept::as_it_came;
use crate::reading::{Looked, Reading, damaged, long};

/// How far from its end a document says that it ends; programs append a few things of their own.
const TAIL: u64 = 2 * 1024;
/// How much is looked through at a time.
const PIECE: u64 = 64 * 1024;

/// Words of a document, and what they mean for whoever opens it.
const WORDS: [(&[u8], &str); 4] = [
    (
        b"/JavaScript",
        "The document holds a script, which most programs do not run.",
    ),
    (
        b"/Launch",
        "The document asks to start a program, which most programs refuse.",
    ),
    (b"/EmbeddedFile", "The document carries other files."),
    (
        b"/Encrypt",
        "The document is encrypted: it may ask for a password.",
    ),
];

/// Whether it is whole, and what it asks for, as far as that stands in it uncompressed.
pub fn inspect(file: &Path) -> Looked<Inspected> {
    let mut reading = Reading::open(file)?;
    let length = reading.length();
    reading.go_to(length.saturating_sub(TAIL))?;
    if !holds(&reading.up_to(TAIL)?, b"%%EOF") {
        return Err(damaged("it ends too soon"));
    }
    let mut inspected = as_it_came(MediaType::Pdf, file);
    inspected.notes = asked_for(&mut reading)?;
    Ok(inspected)
}

fn asked_for(reading: &mut Reading) -> Looked<Vec<String>> {
    let mut found = [false; WORDS.len()];
    let mut place = 0;
    // Pieces overlap, so that no word is cut in two.
    let overlap = WORDS.iter().map(|(word, _)| long(word.len())).max();
    let step = PIECE - overlap.unwrap_or_default();
    while place < reading.length() {
        reading.go_to(place)?;
        let piece = reading.up_to(PIECE)?;
        for (found, (word, _)) in found.iter_mut().zip(WORDS) {
            *found = *found || holds(&piece, word);
        }
        place += step;
    }
    let said = found.into_iter().zip(WORDS).filter(|(found, _)| *found);
    Ok(said.map(|(_, (_, said))| said.to_owned()).collect())
}

fn holds(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}
