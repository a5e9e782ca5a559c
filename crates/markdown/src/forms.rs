//! What a text may have, by where it is shown.

use crate::settings::{Scope, Settings};

/// What a text may have, by where it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Everything; a new line in it is a space, as in CommonMark.
    Page,
    /// Everything, with its lines kept; one that is one line alone holds no block.
    Text,
    /// Nothing that could be followed or opened: it is itself pressed.
    Pressed,
    /// What stands within a paragraph.
    Line,
    /// A cloze: fields stand in it.
    Blanks,
    /// Its words alone: an entry of a list to choose from can show no more.
    Words,
}

impl Form {
    /// Whether nothing in it can be followed, opened or played.
    pub const fn is_inert(self) -> bool {
        matches!(self, Self::Pressed | Self::Blanks | Self::Words)
    }

    /// What a text of this form is rendered with. `anchors` go to the forms that have places of their own, `gap` marks the
    /// fields of a cloze. Labels are the caller's.
    pub fn settings<'a>(self, raw: &str, anchors: Option<&'a str>, gap: &'a str) -> Settings<'a> {
        if self == Self::Page {
            return Settings {
                anchors,
                ..Settings::default()
            };
        }
        let is_inert = self.is_inert();
        let scope = Scope {
            is_line: matches!(self, Self::Line | Self::Words) || is_one_line(raw),
            is_inert,
        };
        Settings {
            anchors: anchors.filter(|_| !is_inert),
            keeps_lines: true,
            scope,
            gap: (self == Self::Blanks).then_some(gap),
            labels: None,
            lines_before: 0,
        }
    }
}

/// Whether a text was meant as a line: a block takes more, unless it is written in HTML.
fn is_one_line(raw: &str) -> bool {
    let raw = raw.trim();
    !raw.contains('\n') && !raw.starts_with('<')
}
