//! Drawings: SVG, which browsers run like a page. It is read as XML and written anew with what stands on a list of ours;
//! nothing is copied as it came.

mod allowed;
mod left_out;
mod style;
mod uses;
mod writer;

use std::path::Path;

use lyceum_domain::authoring::media::MediaType;
use lyceum_ports::authoring::inspection::Inspected;
use quick_xml::NsReader;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::ResolveResult;

use crate::kept::as_it_came;
use crate::reading::{Looked, damaged, unsupported, unwritten, whole_text};
use writer::Writing;

/// The longest file.
const MOST: u64 = 2_000_000;
/// How deep elements may lie within each other.
const MOST_DEPTH: usize = 100;
/// How many elements there may be.
const MOST_ELEMENTS: u32 = 50_000;

const SVG: &str = "http://www.w3.org/2000/svg";
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// Reads the drawing and writes it anew.
pub fn inspect(file: &Path, folder: &Path) -> Looked<Inspected> {
    let text = whole_text(file, MOST, "an SVG")?;
    let drawn = clean(text.trim_start_matches('\u{FEFF}'))?;
    let kept = folder.join("drawing.svg");
    std::fs::write(&kept, &drawn.text).map_err(|error| unwritten(&error))?;
    Ok(Inspected {
        dimensions: drawn.dimensions,
        notes: drawn.notes,
        ..as_it_came(MediaType::Svg, &kept)
    })
}

/// A drawing, written anew.
struct Drawn {
    text: String,
    dimensions: Option<(u32, u32)>,
    notes: Vec<String>,
}

/// Follows the elements of a drawing.
struct Cleaning<'a> {
    reader: NsReader<&'a [u8]>,
    writing: Writing,
    /// How many elements are open of which nothing is kept.
    skipped: usize,
    elements: u32,
}

fn clean(text: &str) -> Looked<Drawn> {
    let mut cleaning = Cleaning {
        reader: NsReader::from_str(text),
        writing: Writing::default(),
        skipped: 0,
        elements: 0,
    };
    while cleaning.next()? {}
    cleaning.writing.finish()
}

/// An element as far as it matters: what it is called.
enum Named {
    /// One of a drawing.
    Svg(String),
    /// One of a page, or of something that is not said.
    Foreign(String),
    /// What an editor notes for itself, which nobody misses.
    Noted,
}

impl Cleaning<'_> {
    /// Takes the next piece; false at the end.
    fn next(&mut self) -> Looked<bool> {
        let event = self.reader.read_event();
        let event = event.map_err(|error| damaged(format!("it is no XML ({error})")))?;
        match event {
            Event::Start(start) => self.begin(&start)?,
            Event::Empty(start) => {
                self.begin(&start)?;
                self.end();
            }
            Event::End(_) => self.end(),
            Event::Text(text) => self.text(&text.xml10_content()),
            Event::CData(text) => self.text(&text.xml10_content()),
            Event::GeneralRef(reference) => self.reference(&reference)?,
            Event::DocType(text) => {
                if text.contains("<!ENTITY") {
                    self.writing.left_out.note("entities");
                }
            }
            Event::PI(_) => self.writing.left_out.note("processing instructions"),
            Event::Comment(_) | Event::Decl(_) => {}
            Event::Eof => return Ok(false),
        }
        Ok(true)
    }

    fn begin(&mut self, start: &BytesStart<'_>) -> Looked<()> {
        self.elements += 1;
        if self.elements > MOST_ELEMENTS || self.depth() >= MOST_DEPTH {
            return Err(damaged("it has too many elements, or too deep ones"));
        }
        if self.skipped > 0 {
            self.skipped += 1;
            return Ok(());
        }
        let is_first = self.writing.depth() == 0;
        match self.named(start) {
            _ if is_first && self.writing.has_begun() => Err(damaged("it goes on behind its end")),
            Named::Svg(name) if is_first && name != "svg" => Err(no_svg()),
            Named::Svg(name) => self.begin_named(&name, start),
            Named::Foreign(_) | Named::Noted if is_first => Err(no_svg()),
            Named::Noted => {
                self.skipped = 1;
                Ok(())
            }
            Named::Foreign(name) => {
                self.skip(&name);
                Ok(())
            }
        }
    }

    fn begin_named(&mut self, name: &str, start: &BytesStart<'_>) -> Looked<()> {
        match name {
            "style" => self.writing.begin_style(),
            // What is linked is seen like everything else; that it is linked is not kept.
            "a" => self.writing.begin("g", start)?,
            name if allowed::element(name) => self.writing.begin(name, start)?,
            name => self.skip(name),
        }
        Ok(())
    }

    /// Leaves out an element with what is in it.
    fn skip(&mut self, name: &str) {
        self.writing.left_out.note(name);
        self.skipped = 1;
    }

    fn depth(&self) -> usize {
        self.writing.depth() + self.skipped
    }

    fn named(&self, start: &BytesStart<'_>) -> Named {
        let (namespace, name) = self.reader.resolver().resolve_element(start.name());
        let name = name.into_inner().to_owned();
        match namespace {
            ResolveResult::Bound(namespace) if namespace.into_inner() == SVG => svg(name),
            ResolveResult::Unbound => svg(name),
            ResolveResult::Bound(namespace) if namespace.into_inner() != XHTML => Named::Noted,
            ResolveResult::Bound(_) | ResolveResult::Unknown(_) => {
                Named::Foreign(start.name().into_inner().to_owned())
            }
        }
    }

    fn end(&mut self) {
        match self.skipped.checked_sub(1) {
            Some(left) => self.skipped = left,
            None => self.writing.end(),
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped == 0 {
            self.writing.text(text);
        }
    }

    /// A letter by its number, or one of the five names that all XML has. Others are a document's own, and are not followed.
    fn reference(&mut self, reference: &BytesRef<'_>) -> Looked<()> {
        let letter = reference.resolve_char_ref();
        let letter = letter.map_err(|_| damaged("it refers to a letter that there is not"))?;
        let named = quick_xml::escape::resolve_xml_entity(reference);
        match (letter, named) {
            (Some(letter), _) => self.text(letter.encode_utf8(&mut [0; 4])),
            (None, Some(text)) => self.text(text),
            (None, None) => self.writing.left_out.note("entities"),
        }
        Ok(())
    }
}

fn svg(name: String) -> Named {
    if name == "metadata" {
        return Named::Noted;
    }
    Named::Svg(name)
}

fn no_svg() -> lyceum_ports::authoring::inspection::InspectionError {
    unsupported("markup that is no SVG")
}
