//! Words that stand in a text and that its author did not write, in the text's language.

/// Which of GitHub's five callouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callout {
    /// `> [!NOTE]`
    Note,
    /// `> [!TIP]`
    Tip,
    /// `> [!IMPORTANT]`
    Important,
    /// `> [!WARNING]`
    Warning,
    /// `> [!CAUTION]`
    Caution,
}

/// The words. Whoever hands none in says them otherwise: every place has a class of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labels<'a> {
    /// Above `> [!NOTE]`.
    pub note: &'a str,
    /// Above `> [!TIP]`.
    pub tip: &'a str,
    /// Above `> [!IMPORTANT]`.
    pub important: &'a str,
    /// Above `> [!WARNING]`.
    pub warning: &'a str,
    /// Above `> [!CAUTION]`.
    pub caution: &'a str,
    /// What a ticked box means.
    pub done: &'a str,
    /// What an empty box means.
    pub open: &'a str,
    /// What the notes at the end are.
    pub footnotes: &'a str,
    /// Where the arrow behind a note leads.
    pub back: &'a str,
}

impl Labels<'static> {
    /// The words in English.
    pub const ENGLISH: Self = Self {
        note: "Note",
        tip: "Tip",
        important: "Important",
        warning: "Warning",
        caution: "Caution",
        done: "Done",
        open: "To do",
        footnotes: "Footnotes",
        back: "Back to the text",
    };
}

impl Labels<'_> {
    /// What stands above a callout.
    pub(crate) fn of(&self, callout: Callout) -> &str {
        match callout {
            Callout::Note => self.note,
            Callout::Tip => self.tip,
            Callout::Important => self.important,
            Callout::Warning => self.warning,
            Callout::Caution => self.caution,
        }
    }
}

impl Callout {
    /// Its class.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Note => "callout note",
            Self::Tip => "callout tip",
            Self::Important => "callout important",
            Self::Warning => "callout warning",
            Self::Caution => "callout caution",
        }
    }
}
