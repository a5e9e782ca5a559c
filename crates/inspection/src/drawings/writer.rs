//! Writing a drawing anew, element by element.

use std::fmt::Write;

use quick_xml::XmlVersion;
use quick_xml::escape::escape;
use quick_xml::events::BytesStart;

use super::left_out::LeftOut;
use super::uses::Uses;
use super::{Drawn, SVG, allowed, style};
use crate::reading::{Looked, damaged};

/// How many attributes an element may have.
const MOST_ATTRIBUTES: usize = 100;

/// A drawing on its way.
#[derive(Default)]
pub struct Writing {
    text: String,
    /// What is open.
    open: Vec<String>,
    /// The sheet that is being read, if one is.
    sheet: Option<String>,
    uses: Uses,
    size: Size,
    /// What was left out so far.
    pub left_out: LeftOut,
}

/// What the outermost element says of its size.
#[derive(Default)]
struct Size {
    width: Option<f64>,
    height: Option<f64>,
    view: Option<(f64, f64)>,
}

impl Writing {
    /// How many elements are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether there was an element.
    pub fn has_begun(&self) -> bool {
        !self.text.is_empty()
    }

    /// An element that is kept.
    pub fn begin(&mut self, name: &str, start: &BytesStart<'_>) -> Looked<()> {
        let is_first = !self.has_begun();
        let attributes = self.attributes(name, start)?;
        self.text.push('<');
        self.text.push_str(name);
        if is_first {
            self.size = Size::of(&attributes);
            // Writing into a text cannot fail.
            write!(self.text, " xmlns=\"{SVG}\"").ok();
        }
        for (key, value) in &attributes {
            write!(self.text, " {key}=\"{}\"", escape(value.as_str())).ok();
        }
        self.text.push('>');
        let of = |wanted: &str| attributes.iter().find(|(key, _)| key == wanted);
        let stands_for = of("href").and_then(|(_, value)| value.strip_prefix('#'));
        self.uses
            .begin(of("id").map(|(_, value)| value.as_str()), stands_for);
        self.open.push(name.to_owned());
        Ok(())
    }

    /// A sheet begins: it is looked at once all of it is there.
    pub fn begin_style(&mut self) {
        self.sheet = Some(String::new());
        self.uses.begin(None, None);
        self.open.push("style".to_owned());
    }

    /// What was begun last ends.
    pub fn end(&mut self) {
        if let Some(sheet) = self.sheet.take() {
            self.write_sheet(&sheet);
        } else if let Some(name) = self.open.last() {
            write!(self.text, "</{name}>").ok();
        }
        self.open.pop();
        self.uses.end();
    }

    fn write_sheet(&mut self, sheet: &str) {
        let (kept, all) = style::sheet(sheet);
        if !all {
            self.left_out.note("parts of style");
        }
        if !kept.is_empty() {
            write!(self.text, "<style>{}</style>", escape(kept.as_str())).ok();
        }
    }

    /// Words, unescaped. What XML does not know is left out.
    pub fn text(&mut self, text: &str) {
        let known = |c: &char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
        let text: String = text.chars().filter(known).collect();
        match &mut self.sheet {
            Some(sheet) => sheet.push_str(&text),
            None if self.open.is_empty() => {}
            None => self.text.push_str(&escape(text.as_str())),
        }
    }

    /// The drawing, once all of it was there.
    pub fn finish(self) -> Looked<Drawn> {
        if !self.open.is_empty() || !self.has_begun() {
            return Err(damaged("it ends too soon"));
        }
        self.uses.check()?;
        Ok(Drawn {
            dimensions: self.size.pixels(),
            notes: self.left_out.sentence().into_iter().collect(),
            text: self.text,
        })
    }

    /// What is kept of an element's attributes, each once.
    fn attributes(
        &mut self,
        element: &str,
        start: &BytesStart<'_>,
    ) -> Looked<Vec<(String, String)>> {
        let mut kept: Vec<(String, String)> = Vec::new();
        // Looking for those that are there twice takes the square of their number; here the first one counts.
        let mut attributes = start.attributes();
        for (number, attribute) in attributes.with_checks(false).enumerate() {
            let attribute = attribute.map_err(|_| damaged("an attribute of it is no XML"))?;
            if number >= MOST_ATTRIBUTES {
                return Err(damaged("an element of it has too many attributes"));
            }
            let key = attribute.key.into_inner();
            if key == "xmlns" || key.starts_with("xmlns:") {
                continue;
            }
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value
                .ok()
                .and_then(|value| self.value(element, key, &value));
            match value {
                Some((key, value)) if kept.iter().all(|(other, _)| *other != key) => {
                    kept.push((key, value));
                }
                Some(_) => {}
                // What editors note for themselves nobody misses.
                None if key.contains(':') && !key.ends_with(":href") => {}
                None => self.left_out.note(key),
            }
        }
        Ok(kept)
    }

    /// An attribute as it is kept.
    fn value(&mut self, element: &str, key: &str, value: &str) -> Option<(String, String)> {
        let known = |c: &char| !c.is_control();
        let value: String = value.chars().filter(known).collect();
        match key {
            "href" | "xlink:href" => {
                let inside = value.trim().starts_with('#') && allowed::refers(element);
                inside.then(|| ("href".to_owned(), value.trim().to_owned()))
            }
            "style" => {
                let (kept, all) = style::declarations(&value);
                if !all {
                    self.left_out.note("parts of style");
                }
                Some((key.to_owned(), kept))
            }
            "aria-label" => Some((key.to_owned(), value)),
            key if allowed::attribute(key) && allowed::value(&value) => {
                Some((key.to_owned(), value))
            }
            _ => None,
        }
    }
}

impl Size {
    fn of(attributes: &[(String, String)]) -> Self {
        let of = |wanted: &str| {
            let found = attributes.iter().find(|(key, _)| key == wanted);
            found.map(|(_, value)| value.as_str())
        };
        Self {
            width: of("width").and_then(length),
            height: of("height").and_then(length),
            view: of("viewBox").and_then(view),
        }
    }

    /// Width and height in pixels. Where only one is said, the other follows from what is viewed.
    fn pixels(&self) -> Option<(u32, u32)> {
        let (width, height) = match (self.width, self.height, self.view) {
            (Some(width), Some(height), _) => (width, height),
            (Some(width), None, Some((across, down))) => (width, width * down / across),
            (None, Some(height), Some((across, down))) => (height * across / down, height),
            (None, None, Some(view)) => view,
            _ => return None,
        };
        Some((pixels(width)?, pixels(height)?))
    }
}

fn pixels(length: f64) -> Option<u32> {
    let rounded = format!("{:.0}", length.ceil());
    rounded.parse().ok().filter(|pixels| *pixels > 0)
}

/// A length such as `12`, `12px` or `3cm`, in pixels. A percentage is none.
fn length(text: &str) -> Option<f64> {
    let text = text.trim();
    let (unit, pixels) = [
        ("px", 1.0),
        ("pt", 4.0 / 3.0),
        ("pc", 16.0),
        ("mm", 96.0 / 25.4),
        ("cm", 96.0 / 2.54),
        ("in", 96.0),
    ]
    .into_iter()
    .find(|(unit, _)| text.ends_with(unit))
    .unwrap_or(("", 1.0));
    let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
    (number.is_finite() && number > 0.0).then_some(number * pixels)
}

/// How wide and high what is viewed is.
fn view(text: &str) -> Option<(f64, f64)> {
    let numbers = text.split([' ', ',']).filter(|part| !part.is_empty());
    let numbers: Vec<f64> = numbers.map(str::parse).collect::<Result<_, _>>().ok()?;
    match numbers.as_slice() {
        [_, _, width, height] if *width > 0.0 && *height > 0.0 => Some((*width, *height)),
        _ => None,
    }
}
