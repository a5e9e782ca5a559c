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

/// The words in every language that somebody has written them in.
const LANGUAGES: [(&str, Labels<'static>); 7] = [
    ("en", Labels::ENGLISH),
    (
        "ar",
        Labels {
            note: "ملاحظة",
            tip: "نصيحة",
            important: "مهم",
            warning: "تحذير",
            caution: "تنبيه",
            done: "أُنجز",
            open: "لم يُنجز بعد",
            footnotes: "الحواشي",
            back: "العودة إلى النص",
        },
    ),
    (
        "de",
        Labels {
            note: "Hinweis",
            tip: "Tipp",
            important: "Wichtig",
            warning: "Warnung",
            caution: "Vorsicht",
            done: "Erledigt",
            open: "Noch offen",
            footnotes: "Fußnoten",
            back: "Zurück zum Text",
        },
    ),
    (
        "es",
        Labels {
            note: "Nota",
            tip: "Consejo",
            important: "Importante",
            warning: "Advertencia",
            caution: "Precaución",
            done: "Hecho",
            open: "Pendiente",
            footnotes: "Notas al pie",
            back: "Volver al texto",
        },
    ),
    (
        "fr",
        Labels {
            note: "Remarque",
            tip: "Astuce",
            important: "À retenir",
            warning: "Avertissement",
            caution: "Prudence",
            done: "Fait",
            open: "À faire",
            footnotes: "Notes de bas de page",
            back: "Retour au texte",
        },
    ),
    (
        "it",
        Labels {
            note: "Nota",
            tip: "Suggerimento",
            important: "Importante",
            warning: "Avvertenza",
            caution: "Attenzione",
            done: "Fatto",
            open: "Da fare",
            footnotes: "Note a piè di pagina",
            back: "Torna al testo",
        },
    ),
    (
        "pt",
        Labels {
            note: "Nota",
            tip: "Dica",
            important: "Importante",
            warning: "Aviso",
            caution: "Cuidado",
            done: "Feito",
            open: "Por fazer",
            footnotes: "Notas de rodapé",
            back: "Voltar ao texto",
        },
    ),
];

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

    /// The words in the language of a tag such as `pt-BR`; in English where nobody has written them in it.
    pub fn in_language(tag: &str) -> &'static Self {
        let own = tag.split(['-', '_']).next().unwrap_or_default();
        let mut known = LANGUAGES.iter();
        let found = known.find(|(language, _)| own.eq_ignore_ascii_case(language));
        found.map_or(&Self::ENGLISH, |(_, labels)| labels)
    }
}

/// Whether a text can have any of these words in it, told by a look at its signs.
pub fn may_be_labelled(raw: &str) -> bool {
    let signs = ["[!", "[^", "[ ]", "[x]", "[X]"];
    signs.iter().any(|sign| raw.contains(sign))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_of_the_language_that_the_tag_begins_with() {
        assert_eq!(Labels::in_language("de").back, "Zurück zum Text");
        assert_eq!(Labels::in_language("pt-BR").tip, "Dica");
        assert_eq!(Labels::in_language("AR_eg").done, "أُنجز");
        for other in ["en", "en-GB", "nl", "d", "", "-de"] {
            assert_eq!(Labels::in_language(other), &Labels::ENGLISH, "{other}");
        }
    }

    #[test]
    fn no_language_is_left_in_english() {
        let words = |labels: &Labels<'static>| {
            let Labels {
                note,
                tip,
                important,
                warning,
                caution,
                done,
                open,
                footnotes,
                back,
            } = *labels;
            [
                note, tip, important, warning, caution, done, open, footnotes, back,
            ]
        };
        let english = words(&Labels::ENGLISH);
        for (language, labels) in LANGUAGES.iter().filter(|(language, _)| *language != "en") {
            for (own, english) in words(labels).into_iter().zip(english) {
                assert!(!own.is_empty() && own != english, "{language}: {own}");
            }
        }
    }

    #[test]
    fn a_text_with_words_of_ours_is_seen_to_have_them() {
        for raw in [
            "> [!NOTE]\n> x",
            "- [ ] x",
            "- [X] x",
            "* [x] x",
            "a[^1]\n\n[^1]: b",
        ] {
            assert!(may_be_labelled(raw), "{raw}");
        }
        assert!(!may_be_labelled("[a](https://x.example) x[1] *b* [] [-]"));
    }
}
