//! What outlines are labelled with, in the languages we can write.
//!
//! Fixed words and sentences with holes only; what fills them comes from a brief or a model.

mod de;
mod en;
mod es;
mod fr;
mod it;
mod pt;

use crate::language::Language;

/// The words of one language.
pub(crate) struct Labels {
    /// The language's tag.
    pub(crate) tag: &'static str,
    pub(crate) objective: &'static str,
    pub(crate) key_points: &'static str,
    pub(crate) think_about: &'static str,
    /// Says that the built-in engine made an outline, not a lesson.
    pub(crate) built_in_mark: &'static str,
    pub(crate) quiz: &'static str,
    pub(crate) flashcards: &'static str,
    pub(crate) reflection: &'static str,
    pub(crate) assignment: &'static str,
    /// Prompts of a lesson; `{topic}`.
    pub(crate) prompts: [&'static str; 3],
    /// One per level of Bloom's taxonomy from understanding to evaluating; `{topic}`.
    pub(crate) objectives: [&'static str; 4],
    /// What a lesson is about when the brief has no sentence on it; `{topic}`, `{course}`.
    pub(crate) open_points: [&'static str; 3],
    /// Names of parts when there are fewer topics than lessons; `{topic}`.
    pub(crate) stages: [&'static str; 4],
    pub(crate) fill_blank: &'static str,
    pub(crate) true_or_false: &'static str,
    pub(crate) which_completes: &'static str,
    pub(crate) which_term: &'static str,
    /// `{term}`.
    pub(crate) what_means: &'static str,
    /// `{sentence}`.
    pub(crate) as_lesson_says: &'static str,
    /// `{course}`, `{units}`.
    pub(crate) summary: &'static str,
    /// `{topics}`.
    pub(crate) unit_description: &'static str,
    /// `{topic}`.
    pub(crate) lesson_summary: &'static str,
    /// `{topics}`.
    pub(crate) task: &'static str,
    pub(crate) criteria: [(&'static str, &'static str); 3],
    pub(crate) levels: [(&'static str, &'static str); 4],
    pub(crate) assumptions: [&'static str; 2],
    pub(crate) and: &'static str,
    pub(crate) open_quote: &'static str,
    pub(crate) close_quote: &'static str,
    pub(crate) prerequisites: &'static str,
    pub(crate) key_terms: &'static str,
    pub(crate) misconceptions: &'static str,
    pub(crate) example: &'static str,
    /// Asks the teacher for an example; `{topic}`.
    pub(crate) example_slot: &'static str,
    pub(crate) check: &'static str,
    pub(crate) answer: &'static str,
    pub(crate) worked_example: &'static str,
    /// Says that the built-in engine put a lesson together from a source.
    pub(crate) source_mark: &'static str,
    /// Titles of a podcast's intro, topic, example, recap and outro.
    pub(crate) podcast_parts: [&'static str; 5],
    /// Says what the episode is about and that the voices are synthetic; `{topic}`.
    pub(crate) podcast_welcome: &'static str,
    /// Questions in between; `{topic}`.
    pub(crate) podcast_asks: [&'static str; 4],
    pub(crate) podcast_recap: &'static str,
    /// `{topic}`.
    pub(crate) podcast_bye: &'static str,
    /// Show note of a podcast that the built-in engine made.
    pub(crate) show_note: &'static str,
    /// Says that there is less to teach than time; `{hours}`.
    pub(crate) stretched: &'static str,
    /// Says which lessons no question was made about; `{lessons}`.
    pub(crate) left_out: &'static str,
}

/// Every language's.
const ALL: [&Labels; 6] = [
    &en::LABELS,
    &de::LABELS,
    &es::LABELS,
    &fr::LABELS,
    &it::LABELS,
    &pt::LABELS,
];

/// So many letters of a template say that a text was made from it.
const TELLING: usize = 10;

impl Labels {
    /// The labels of a language; English where we have none.
    pub(crate) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English | Language::Arabic | Language::Other => &en::LABELS,
            Language::German => &de::LABELS,
            Language::Spanish => &es::LABELS,
            Language::French => &fr::LABELS,
            Language::Italian => &it::LABELS,
            Language::Portuguese => &pt::LABELS,
        }
    }

    /// The labels of a language, if we have them.
    pub(crate) const fn known(language: Language) -> Option<&'static Self> {
        match language {
            Language::Arabic | Language::Other => None,
            Language::English
            | Language::German
            | Language::Spanish
            | Language::French
            | Language::Italian
            | Language::Portuguese => Some(Self::of(language)),
        }
    }

    /// Title of a part of a podcast.
    pub(crate) fn podcast_part(&self, section: &str) -> Option<&'static str> {
        let [intro, topic, example, recap, outro] = self.podcast_parts;
        Some(match section {
            "intro" => intro,
            "topic" => topic,
            "example" => example,
            "recap" => recap,
            "outro" => outro,
            _ => return None,
        })
    }

    /// Whether a text is one of ours with its holes filled, in whatever language: a mark, a prompt, an open point.
    pub(crate) fn is_label(text: &str) -> bool {
        let plain = text.trim_start_matches(['>', '-', ' ']);
        ALL.iter().any(|labels| {
            labels
                .templates()
                .any(|template| is_filled(template, plain))
        })
    }

    /// Whether a text is a heading of ours.
    pub(crate) fn is_heading(text: &str) -> bool {
        let text = text.to_lowercase();
        ALL.iter().any(|labels| {
            labels
                .headings()
                .iter()
                .any(|heading| heading.to_lowercase() == text)
        })
    }

    const fn headings(&self) -> [&'static str; 11] {
        [
            self.objective,
            self.key_points,
            self.think_about,
            self.prerequisites,
            self.key_terms,
            self.misconceptions,
            self.example,
            self.check,
            self.answer,
            self.worked_example,
            self.podcast_parts[1],
        ]
    }

    fn templates(&self) -> impl Iterator<Item = &'static str> {
        let single = [
            self.built_in_mark,
            self.source_mark,
            self.example_slot,
            self.lesson_summary,
            self.unit_description,
            self.podcast_welcome,
            self.show_note,
        ];
        single
            .into_iter()
            .chain(self.prompts)
            .chain(self.objectives)
            .chain(self.open_points)
    }

    /// A text in the quotation marks of the language.
    pub(crate) fn quoted(&self, text: &str) -> String {
        format!("{}{text}{}", self.open_quote, self.close_quote)
    }
}

/// Whether a text is a template with something in its holes; templates of few words of their own tell nothing. A mark of
/// several sentences is known by any of them.
fn is_filled(template: &str, text: &str) -> bool {
    let parts: Vec<&str> = template
        .split('{')
        .filter_map(|part| part.split('}').next_back())
        .collect();
    let letters = parts
        .iter()
        .flat_map(|part| part.chars())
        .filter(|c| c.is_alphabetic())
        .count();
    if letters < TELLING {
        return false;
    }
    if let [only] = parts.as_slice() {
        return text.chars().count() >= TELLING && only.contains(text);
    }
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return false;
    };
    let mut rest = text;
    for part in &parts {
        let Some((_, behind)) = rest.split_once(part) else {
            return false;
        };
        rest = behind;
    }
    text.starts_with(first) && (last.is_empty() || text.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("What “Chess” means in the course “Games”", true)]
    #[case("An example of “Chess”: to be added by the teacher", true)]
    #[case(
        "> For the teacher: add an example of “Chess” from your own practice here.",
        true
    )]
    #[case("Ein Beispiel zu „Schach“: von der Lehrkraft zu ergänzen", true)]
    #[case("Add explanations and examples before you publish it.", true)]
    #[case("Explain “Chess” in your own words", true)]
    #[case("An example of erosion is the Grand Canyon.", false)]
    #[case("The king is the piece that must not be taken.", false)]
    fn what_is_ours_is_known(#[case] text: &str, #[case] ours: bool) {
        assert_eq!(Labels::is_label(text), ours);
    }
}
