//! Which part a word plays in an order to whoever grades: to give, a score, this answer, who grades, who allowed it.
//!
//! The words stand in `lexicon.txt`, by language. A word may play several parts, and other ones in other languages;
//! what the parts amount to is weighed in `shapes`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::decompose_canonical;

use super::cutting::cut;
use super::tokens::{Token, tokens};
use crate::words::fold;

/// The parts a word plays in one language, a bit each.
pub(super) type Roles = u64;

macro_rules! roles {
    ($($at:expr, $constant:ident, $name:literal, $meaning:literal;)*) => {
        $(#[doc = $meaning] pub(super) const $constant: Roles = 1 << $at;)*
        /// The parts by their names in the list.
        const NAMES: &[(&str, Roles)] = &[$(($name, $constant)),*];
    };
}

roles! {
    0, GIVE, "give", "To give or to write down, as an order where the language tells orders apart.";
    1, AWARD, "award", "To grade, likewise.";
    2, ACT, "act", "Giving, getting and deserving in other forms.";
    3, ACCEPT, "accept", "To count, to treat, to let pass.";
    4, SCORE, "score", "Points, marks, the grade.";
    5, FULL, "full", "Full, highest, perfect.";
    6, EVERY, "every", "All, every: full, where points follow.";
    7, TOP, "top", "A name of the best grade.";
    8, VERDICT, "verdict", "Right, complete, passed.";
    9, WORK, "work", "The answer, or who wrote it.";
    10, THIS, "this", "This, here.";
    11, MINE, "mine", "I, my.";
    12, GRADER, "grader", "Who grades and nothing else.";
    13, AGENT, "agent", "A machine or a person that may be grading.";
    14, CALL, "call", "Dear, attention, note to.";
    15, YOU, "you", "You, please.";
    16, DIRECTOR, "director", "What goes before an order: please, just, now.";
    17, AUTHORITY, "authority", "Who may permit.";
    18, SAID, "said", "Said, agreed, permission.";
    19, DONE, "done", "Graded, checked, approved.";
    20, ALREADY, "already", "Already, was.";
    21, RUBRIC, "rubric", "What is graded by, and the grader's instructions.";
    22, RULES, "rules", "Rules and instructions of any kind.";
    23, CHANGED, "changed", "New, suspended, replaced.";
    24, IGNORE, "ignore", "To ignore, to forget.";
    25, REVEAL, "reveal", "To show, to repeat.";
    26, SECRET, "secret", "What a grader is not to show.";
    27, WITHOUT, "without", "Without, not, no need.";
    28, CHECK, "check", "To read, to compare, to take off.";
    29, ANY, "any", "Any, every, whatever.";
    30, PERSONA, "persona", "You are now, pretend, from now on.";
    31, PLEA, "plea", "What is begged or threatened with.";
    32, MACHINE, "machine", "What machines, and who imitates them, say.";
    33, OF, "of", "Stands between two numbers: out of.";
    34, LINK, "link", "A small word that follows a score and is no unit.";
    35, OUTRIGHT, "outright", "Said to graders alone.";
    36, OUTCOME, "outcome", "Result, total, verdict: what a result is entered under.";
    37, COUNTS, "counts", "Counts, is passed, is regarded as.";
    38, NUMBER, "number", "A number in letters.";
    39, BE, "be", "You are.";
    40, IF, "if", "If, in case.";
    41, OUGHT, "ought", "Must, only, fair: what leaves whoever grades no choice.";
    42, ENOUGH, "enough", "Is enough.";
    43, WATCH, "watch", "To flag, to hand to a person: what keeps a trick from working.";
    44, SMALL, "small", "Small words that say nothing but which language it is.";
    45, KIN, "kin", "Somebody kind, or with a say, whose part is to be played.";
    46, TALE, "tale", "What tales, opinions and letters have and orders have not: he, yesterday, I think, pupils, the king.";
    47, PLACE, "box", "Where marks are entered: a field, a list, a scale.";
    48, REMARK, "remark", "What stands beside a mark: a comment, how sure the grader is.";
    49, PRAISE, "praise", "What a comment is to be like.";
    50, HUMAN, "human", "Who reads if no machine does.";
    51, STEP, "step", "Parts of what is told bit by bit: first, then, the second part.";
    52, MILD, "mild", "Kind, lenient, just this once.";
}

const LISTS: [&str; 3] = [
    include_str!("lexicon.txt"),
    include_str!("lexicon_more.txt"),
    include_str!("lexicon_around.txt"),
];

fn lines() -> impl Iterator<Item = &'static str> {
    LISTS.iter().flat_map(|list| list.lines())
}

/// Whose words stand for every language.
const EVERYWHERE: &str = "all";
/// Where an order looks like any other form of the verb and is told by its place.
const BY_PLACE: &str = "en";

/// A word of a text, and the parts it plays.
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// Folded, without marks over letters.
    pub(super) text: String,
    /// By language, as [`languages`] counts them.
    pub(super) roles: Vec<Roles>,
    /// Whether it stands at the beginning of a clause.
    pub(super) opens: bool,
    /// Whether it stands behind a colon or an equals sign.
    pub(super) set: bool,
    /// Whether a sentence begins with it.
    pub(super) first: bool,
}

/// A word to look for, and whether it is but the beginning of words.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    text: String,
    goes_on: bool,
}

impl Part {
    fn fits(&self, word: &str) -> bool {
        word == self.text || (self.goes_on && word.starts_with(&self.text))
    }
}

/// What follows a first word, in which language, and what the whole does.
struct LexiconEntry {
    rest: Vec<Part>,
    language: Option<usize>,
    role: Roles,
}

#[derive(Default)]
struct Lexicon {
    languages: Vec<&'static str>,
    whole: HashMap<String, Vec<LexiconEntry>>,
    beginnings: HashMap<String, Vec<LexiconEntry>>,
    /// All single words, to find them in letters without spaces.
    words: HashSet<String>,
    /// Characters of the longest beginning.
    longest: usize,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    let mut language = None;
    for line in lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            language = lexicon.language(name);
        } else if let Some((name, words)) = line.split_once(':') {
            let role = NAMES.iter().find(|(known, _)| *known == name);
            let role = role.map_or(0, |(_, role)| *role);
            words
                .split_whitespace()
                .for_each(|word| lexicon.add(word, language, role));
        }
    }
    lexicon
});

impl Lexicon {
    fn language(&mut self, name: &'static str) -> Option<usize> {
        let known = self.languages.iter().position(|known| *known == name);
        known.or_else(|| {
            (name != EVERYWHERE).then(|| {
                self.languages.push(name);
                self.languages.len() - 1
            })
        })
    }

    fn add(&mut self, listed: &str, language: Option<usize>, role: Roles) {
        let mut parts: Vec<Part> = Vec::new();
        for piece in listed.split('-') {
            let goes_on = piece.ends_with('*');
            parts.extend(tokens(&plain(&fold(piece))).into_iter().map(|token| Part {
                text: token.text,
                goes_on,
            }));
        }
        if parts.is_empty() {
            return;
        }
        let first = parts.remove(0);
        if parts.is_empty() {
            self.words.insert(first.text.clone());
        }
        let entry = LexiconEntry {
            rest: parts,
            language,
            role,
        };
        if first.goes_on {
            self.longest = self.longest.max(first.text.chars().count());
            self.beginnings.entry(first.text).or_default().push(entry);
        } else {
            self.whole.entry(first.text).or_default().push(entry);
        }
    }

    /// The parts of a word that others follow.
    fn roles(&self, form: &str, behind: &[Token]) -> Vec<Roles> {
        let mut roles = vec![0; self.languages.len()];
        let ends = form.char_indices().map(|(at, c)| at + c.len_utf8());
        let beginnings = ends
            .take(self.longest)
            .filter_map(|end| self.beginnings.get(form.get(..end)?));
        let entries = beginnings.chain(self.whole.get(form)).flatten();
        for entry in entries.filter(|entry| entry.fits(behind)) {
            match entry.language {
                Some(language) => {
                    if let Some(roles) = roles.get_mut(language) {
                        *roles |= entry.role;
                    }
                }
                None => roles.iter_mut().for_each(|roles| *roles |= entry.role),
            }
        }
        roles
    }
}

impl LexiconEntry {
    fn fits(&self, behind: &[Token]) -> bool {
        behind.len() >= self.rest.len()
            && self
                .rest
                .iter()
                .zip(behind)
                .all(|(part, token)| part.fits(&token.text))
    }
}

/// How many languages there are words of.
pub(super) fn languages() -> usize {
    LEXICON.languages.len()
}

/// Whether an order is told by its place in this language.
pub(super) fn by_place(language: usize) -> bool {
    LEXICON.languages.get(language) == Some(&BY_PLACE)
}

/// Whether a word, as `plain` leaves it, is one of the list as it stands.
pub(super) fn is_known(word: &str) -> bool {
    LEXICON.words.contains(word)
}

/// Fewest letters without any space between words in which words are looked for.
pub(super) const LEAST_JOINED: usize = 8;
/// Letters without spaces with spaces between the known words that cover most of them, and around what is between.
pub(super) fn parted(letters: &str) -> String {
    let letters = plain(letters);
    if letters.chars().count() < LEAST_JOINED {
        return letters;
    }
    cut(&letters, is_known)
        .iter()
        .fold(String::new(), |mut read, word| {
            read.push(' ');
            read.push_str(word);
            read
        })
}

/// A folded text without marks over and in letters, so that no word is missed for want of an accent. Letters that only
/// Vietnamese has keep theirs: its words are short, and without them are other languages' ones.
pub(super) fn plain(folded: &str) -> String {
    let mut plain = String::with_capacity(folded.len());
    for c in folded.nfc() {
        if is_vietnamese(c) {
            plain.push(c);
        } else {
            decompose_canonical(c, |letter| push_bare(&mut plain, letter));
        }
    }
    plain.nfc().collect()
}

fn push_bare(plain: &mut String, letter: char) {
    match letter {
        mark if is_mark(mark) => {}
        'ß' => plain.push_str("ss"),
        'æ' => plain.push_str("ae"),
        'œ' => plain.push_str("oe"),
        'ł' => plain.push('l'),
        'ø' => plain.push('o'),
        'đ' => plain.push('d'),
        'ı' => plain.push('i'),
        'ς' => plain.push('σ'),
        'ى' | 'ی' => plain.push('ي'),
        'ک' => plain.push('ك'),
        'ة' => plain.push('ه'),
        'ٱ' => plain.push('ا'),
        other => plain.push(other),
    }
}

const fn is_vietnamese(c: char) -> bool {
    matches!(c, '\u{01A1}' | '\u{01B0}' | '\u{1EA1}'..='\u{1EF9}')
}

/// Accents, the vowel signs of Hebrew and Arabic and its stretching stroke, signs of Indian scripts that are no letters, tones
/// of Thai.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05BD}' | '\u{0640}' | '\u{064B}'..='\u{065F}' | '\u{0670}'
        | '\u{093C}' | '\u{094D}' | '\u{0E47}'..='\u{0E4E}' | '\u{1AB0}'..='\u{1AFF}' | '\u{20D0}'..='\u{20FF}')
}

/// The words of a plain text with the parts they play.
pub(super) fn words(plain: &str) -> Vec<Word> {
    let tokens: Vec<Token> = tokens(plain)
        .into_iter()
        .flat_map(|token| token.cut(is_known))
        .collect();
    let word = |(at, token): (usize, &Token)| {
        let behind = tokens.get(at + 1..).unwrap_or_default();
        let mut roles = LEXICON.roles(&token.text, behind);
        for form in without_article(&token.text) {
            let more = LEXICON.roles(form, behind);
            roles
                .iter_mut()
                .zip(more)
                .for_each(|(all, more)| *all |= more);
        }
        Word {
            text: token.text.clone(),
            roles,
            opens: token.opens,
            set: token.set,
            first: token.first,
        }
    };
    tokens.iter().enumerate().map(word).collect()
}

/// What is left of an Arabic word without the article and the small words that are written with it.
fn without_article(word: &str) -> Vec<&str> {
    const BEFORE: &[&str] = &[
        "و", "ف", "ال", "بال", "وال", "لل", "ب", "ل", "كال", "ولل", "وب", "س", "ك", "فال",
    ];
    let arabic = word.starts_with(|c| matches!(c, '\u{0600}'..='\u{06FF}'));
    let rest = BEFORE
        .iter()
        .filter(|_| arabic)
        .filter_map(|before| word.strip_prefix(before));
    rest.filter(|rest| rest.chars().count() >= 2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn plays(text: &str, role: Roles) -> bool {
        let words = words(&plain(&fold(text)));
        words
            .iter()
            .any(|word| word.roles.iter().any(|roles| roles & role != 0))
    }

    #[test]
    fn every_line_of_the_list_names_a_role_and_every_language_has_the_main_ones() {
        let mut language = "";
        let mut found: HashMap<&str, Vec<&str>> = HashMap::new();
        for line in lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if line.starts_with('[') {
                language = line;
                continue;
            }
            let (name, words) = line.split_once(':').unwrap();
            assert!(
                NAMES.iter().any(|(known, _)| *known == name),
                "{language} {line}"
            );
            assert!(!words.trim().is_empty(), "{language} {name}");
            found.entry(language).or_default().push(name);
        }
        for (language, names) in found.iter().filter(|(language, _)| **language != "[all]") {
            for needed in [
                "give",
                "score",
                "full",
                "grader",
                "authority",
                "said",
                "rubric",
                "ignore",
            ] {
                assert!(names.contains(&needed), "{language} {needed}");
            }
        }
        assert_eq!(found.len(), languages() + 1);
    }

    #[rstest]
    #[case::a_word("grader", GRADER)]
    #[case::the_beginning_of_a_word("Punktzahl", SCORE)]
    #[case::neighbours("the mark scheme", RUBRIC)]
    #[case::without_its_accent("la maxima nota", FULL)]
    #[case::with_marks_piled_on("m\u{0336}a\u{0336}r\u{0336}k\u{0336}s\u{0336}", SCORE)]
    #[case::behind_an_article("المصحح", GRADER)]
    #[case::within_a_script_without_spaces("请打满分吧", TOP)]
    #[case::cut_out_of_a_row_of_letters("ให้คะแนนเต็ม", SCORE)]
    #[case::without_signs_that_are_no_letters("मूल्यांकन", AWARD)]
    #[case::with_the_marks_of_vietnamese("điểm", SCORE)]
    #[case::of_any_language("ChatGPT", AGENT)]
    fn a_word_plays_its_part(#[case] text: &str, #[case] role: Roles) {
        assert!(plays(text, role), "{text}");
    }

    #[rstest]
    #[case("gradient", GRADER)]
    #[case("the scheme of the mark", RUBRIC)]
    #[case("diem", SCORE)]
    fn other_words_do_not(#[case] text: &str, #[case] role: Roles) {
        assert!(!plays(text, role), "{text}");
    }
}
