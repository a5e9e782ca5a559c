//! A submission as it is compared: the whole text, its sentences, and short runs of them.

use std::borrow::Cow;

use super::constants::{MAX_SENTENCES, POINT_WINDOW};
use super::echo::Echo;
use super::flags::{is_blank, is_instruction_like};
use super::score::Text;
use super::similarity::Words;
use crate::language::Language;
use crate::words::{MAX_CHARS, Stem, stems};
use lyceum_domain::text::sentences::{Sentence, sentences};

/// A sentence of the submission with its content words.
pub(crate) struct SubmissionSentence<'a> {
    pub(crate) sentence: Sentence<'a>,
    pub(crate) stems: Vec<Stem>,
}

/// A submission, read once for all criteria.
pub(crate) struct Reading<'a> {
    /// The original.
    pub(crate) original: &'a str,
    /// Whether it says nothing at all.
    pub(crate) blank: bool,
    /// Whether some of it says the rubric back.
    pub(crate) echoes: bool,
    /// What of it is compared.
    pub(crate) compared: Cow<'a, str>,
    /// The words of that.
    pub(crate) whole: Text,
    /// The sentences that may be quoted.
    pub(crate) passages: Vec<SubmissionSentence<'a>>,
    /// Every run of up to [`POINT_WINDOW`] sentences; made only where key points are looked for.
    pub(crate) windows: Vec<Text>,
}

impl<'a> Reading<'a> {
    /// Reads a text.
    ///
    /// A sentence that orders the grader about is neither compared nor quoted: such text is flagged, and moves the
    /// points of what stands around it neither up nor down.
    pub(crate) fn new(
        original: &'a str,
        question: &Words,
        language: Language,
        with_windows: bool,
    ) -> Self {
        Self::without(&|_| false, original, question, language, with_windows)
    }

    /// Reads a text for a rubric: a sentence that says it back is treated like one that gives orders.
    pub(crate) fn for_rubric(
        echo: &Echo,
        original: &'a str,
        question: &Words,
        language: Language,
        with_windows: bool,
    ) -> Self {
        let says_it_back = |sentence: &str| echo.is_in(sentence);
        Self::without(&says_it_back, original, question, language, with_windows)
    }

    fn without(
        is_left_out: &dyn Fn(&str) -> bool,
        original: &'a str,
        question: &Words,
        language: Language,
        with_windows: bool,
    ) -> Self {
        let end = original.char_indices().nth(MAX_CHARS);
        let read = end.map_or(original, |(at, _)| original.get(..at).unwrap_or(original));
        let all = sentences(read);
        let orders = is_instruction_like(read);
        let heard = all
            .iter()
            .filter(|one| !(orders && is_instruction_like(one.text)));
        let heard: Vec<Sentence<'a>> = heard.copied().collect();
        let kept = heard.iter().filter(|one| !is_left_out(one.text));
        let kept: Vec<Sentence<'a>> = kept.copied().collect();
        let compared = if kept.len() == all.len() {
            Cow::Borrowed(read)
        } else {
            let texts: Vec<&str> = kept.iter().map(|sentence| sentence.text).collect();
            Cow::Owned(texts.join(" "))
        };
        let echoes = kept.len() < heard.len();
        let kept = kept.get(..MAX_SENTENCES).unwrap_or(&kept);
        Self {
            original,
            echoes,
            blank: is_blank(original),
            whole: Text::new(Words::of(&compared, language), question),
            compared,
            passages: kept.iter().map(|one| passage(*one, language)).collect(),
            windows: if with_windows {
                windows(kept, question, language)
            } else {
                Vec::new()
            },
        }
    }
}

fn passage(sentence: Sentence<'_>, language: Language) -> SubmissionSentence<'_> {
    SubmissionSentence {
        stems: stems(sentence.text, language),
        sentence,
    }
}

fn windows(sentences: &[Sentence<'_>], question: &Words, language: Language) -> Vec<Text> {
    let runs = (1..=POINT_WINDOW).flat_map(|length| sentences.windows(length));
    runs.map(|run| {
        let texts: Vec<&str> = run.iter().map(|sentence| sentence.text).collect();
        Text::new(Words::of(&texts.join(" "), language), question)
    })
    .collect()
}
