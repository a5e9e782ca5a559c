//! The elements that show a medium where a text refers to one.

use crate::text;

/// What browsers are told of the room that a picture has: a column of text, or the whole of a narrow screen.
const SIZES: &str = "(max-width: 46rem) 100vw, 46rem";

/// Where a medium is loaded from, and what it says to those who do not see it.
#[derive(Debug, Clone, Copy)]
pub struct Element<'a> {
    /// Its address.
    pub address: &'a str,
    /// What it shows, or what it is called.
    pub alt: &'a str,
    /// Width and height in pixels, so that nothing moves when it has come.
    pub size: Option<(usize, usize)>,
}

impl Element<'_> {
    /// A picture; `smaller` has addresses and widths of the same in other sizes, for browsers to choose from.
    pub fn image(&self, smaller: &[(String, usize)]) -> String {
        format!(
            "<img src=\"{}\" alt=\"{}\"{}{} loading=\"lazy\" decoding=\"async\">",
            text::escape_html(self.address),
            text::escape_html(self.alt),
            self.extent(),
            self.choices(smaller)
        )
    }

    fn choices(&self, smaller: &[(String, usize)]) -> String {
        let Some((width, _)) = self.size.filter(|_| !smaller.is_empty()) else {
            return String::new();
        };
        let own = std::iter::once((self.address, width));
        let all = smaller
            .iter()
            .map(|(address, width)| (address.as_str(), *width))
            .chain(own);
        let all: Vec<String> = all
            .map(|(address, width)| format!("{} {width}w", text::escape_html(address)))
            .collect();
        format!(" srcset=\"{}\" sizes=\"{SIZES}\"", all.join(", "))
    }

    /// A recording with its controls.
    pub fn audio(&self) -> String {
        format!(
            "<audio controls preload=\"metadata\" src=\"{}\"{}></audio>",
            text::escape_html(self.address),
            self.label()
        )
    }

    /// A film with its controls.
    pub fn video(&self) -> String {
        format!(
            "<video controls playsinline preload=\"metadata\" src=\"{}\"{}{}></video>",
            text::escape_html(self.address),
            self.label(),
            self.extent()
        )
    }

    /// A link, for what can neither be seen nor heard where it stands; it is called what it says.
    pub fn link(&self) -> String {
        format!(
            "<a href=\"{}\" target=\"_blank\" rel=\"noopener noreferrer\">{}</a>",
            text::escape_html(self.address),
            text::escape_text(self.alt)
        )
    }

    fn extent(&self) -> String {
        let size = self
            .size
            .map(|(width, height)| format!(" width=\"{width}\" height=\"{height}\""));
        size.unwrap_or_default()
    }

    fn label(&self) -> String {
        match self.alt {
            "" => String::new(),
            alt => format!(" aria-label=\"{}\"", text::escape_html(alt)),
        }
    }
}
