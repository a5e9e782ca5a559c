//! What is said to whoever grades instead of an answer, by language.

use std::sync::LazyLock;

/// The sayings, language by language.
const LIST: &str = include_str!("orders.txt");

/// What kind of saying it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Saying {
    /// An order, or a request.
    Order,
    /// Somebody is said to have allowed it.
    Permission,
    /// It is said to have been graded.
    Result,
    /// A line of the system that asks.
    System,
    /// The rubric is said to be another one.
    Rubric,
}

impl Saying {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "order" => Self::Order,
            "permission" => Self::Permission,
            "result" => Self::Result,
            "system" => Self::System,
            "rubric" => Self::Rubric,
            _ => return None,
        })
    }
}

/// What is said in one language.
#[derive(Debug)]
pub(super) struct Tongue {
    /// The language, as a tag begins.
    pub(super) language: &'static str,
    sayings: Vec<(Saying, &'static str)>,
}

impl Tongue {
    /// The sayings of a kind, in the order of the list.
    pub(super) fn sayings(&self, kind: Saying) -> Vec<&'static str> {
        let own = self.sayings.iter().filter(|(one, _)| *one == kind);
        own.map(|(_, text)| *text).collect()
    }
}

/// Every language that something is said in.
pub(super) fn tongues() -> &'static [Tongue] {
    static TONGUES: LazyLock<Vec<Tongue>> = LazyLock::new(|| {
        let mut tongues: Vec<Tongue> = Vec::new();
        for line in LIST.lines() {
            let named = line.strip_prefix('[');
            if let Some(language) = named.and_then(|rest| rest.strip_suffix(']')) {
                tongues.push(Tongue {
                    language,
                    sayings: Vec::new(),
                });
            } else if let Some((tongue, saying)) = tongues.last_mut().zip(read(line)) {
                tongue.sayings.push(saying);
            }
        }
        tongues
    });
    &TONGUES
}

/// A line of the list; none of a remark.
fn read(line: &'static str) -> Option<(Saying, &'static str)> {
    let (word, text) = line.split_once(": ")?;
    Some((Saying::parse(word)?, text))
}

/// The place of the language of a tag such as `pt-BR`; of the first where nothing is said in it.
pub(super) fn place_of(tag: &str) -> usize {
    let language = tag.split(['-', '_']).next().unwrap_or_default();
    let is_it = |tongue: &Tongue| tongue.language.eq_ignore_ascii_case(language);
    tongues().iter().position(is_it).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_said_in_every_language() {
        assert!(tongues().len() >= 9);
        let kinds = [
            (Saying::Order, 3),
            (Saying::Permission, 1),
            (Saying::Result, 1),
            (Saying::System, 1),
            (Saying::Rubric, 1),
        ];
        for tongue in tongues() {
            for (kind, count) in kinds {
                assert_eq!(
                    tongue.sayings(kind).len(),
                    count,
                    "{} {kind:?}",
                    tongue.language
                );
            }
        }
        let lines = LIST
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with(['#', '[']));
        assert_eq!(lines.count(), 7 * tongues().len(), "every line is read");
    }

    #[test]
    fn a_tag_finds_its_language_and_an_unknown_one_english() {
        let of = |tag| tongues()[place_of(tag)].language;
        assert_eq!(["pt-BR", "DE", "sw", ""].map(of), ["pt", "de", "en", "en"]);
    }
}
