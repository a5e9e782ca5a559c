//! What keeps two answers apart that are alike in nearly all words: what a text affirms and denies, which way it points, and
//! its figures.
//!
//! Rather too much is kept apart than too little: whoever is not in a group is looked at alone, and that costs a click.

use std::collections::{BTreeMap, BTreeSet};

use super::Patience;
use super::figures::figures;
use crate::denials::is_wrong;
use crate::language::Language;
use crate::words::{MAX_CHARS, Read, Stem, fold, read, tokens};

/// Words that turn what they stand with and are in no list of negations, language by language; beside them count those by which
/// frames of denial say that something is wrong.
const TURNING: [(Language, &str); 6] = [
    (
        Language::English,
        "unless except hardly barely scarcely rarely seldom lack lacks lacking lacked fail fails failed instead absent absence nope \
         prevent prevents prevented avoid avoids avoided stop stops stopped",
    ),
    (
        Language::German,
        "nein niemand niemanden nirgends nirgendwo keinesfalls keineswegs keinerlei nimmer kaum selten außer statt anstatt fehlt fehlen \
         mangelt verhindert verhindern vermeidet vermeiden stoppt stoppen",
    ),
    (
        Language::Spanish,
        "apenas excepto salvo falta faltan carece evita evitan impide impiden",
    ),
    (
        Language::French,
        "sauf excepté guère nul nulle manque manquent évite évitent empêche empêchent",
    ),
    (
        Language::Italian,
        "no tranne eccetto neanche nemmeno neppure manca mancano evita evitano impedisce impediscono",
    ),
    (
        Language::Portuguese,
        "exceto salvo tampouco falta faltam evita evitam impede impedem",
    ),
];

/// What turns the word that it begins, where that word is used as well: *unconnected*, *unabhängig*.
const TURNING_STARTS: [&str; 12] = [
    "un", "in", "im", "ir", "il", "dis", "non", "mis", "miss", "dés", "des", "anti",
];
/// What turns the word that it ends: *useless*, *harmlos*.
const TURNING_ENDS: [&str; 2] = ["less", "los"];
/// Fewest letters of a word that is turned so.
const LEAST_TURNED: usize = 4;

/// What must be the same in two texts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Facts {
    figures: Vec<String>,
    /// How many words negate or turn.
    turns: usize,
    /// Whether a frame of denial stands in it.
    denies: bool,
    /// What is not read because the text is too long.
    unread: String,
}

/// What texts say that no text in a group with them may contradict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stance {
    /// The same for texts of the same facts, and for no others.
    facts: usize,
    /// Stems that one of the texts only affirms, and those that one only denies.
    affirmed: BTreeSet<u32>,
    denied: BTreeSet<u32>,
    /// The ways that each text points on each axis that it speaks of, in order.
    ways: BTreeMap<usize, BTreeSet<Vec<bool>>>,
}

impl Stance {
    /// Whether two of the texts must not be graded together.
    pub(super) fn is_kept_apart(&self, other: &Self) -> bool {
        self.facts != other.facts
            || !self.affirmed.is_disjoint(&other.denied)
            || !self.denied.is_disjoint(&other.affirmed)
            || self.points_against(other)
    }

    fn points_against(&self, other: &Self) -> bool {
        let mut axes = self.ways.iter();
        axes.any(|(axis, ways)| {
            let others = other.ways.get(axis).into_iter().flatten();
            others
                .into_iter()
                .any(|other| ways.iter().any(|way| are_opposed(way, other)))
        })
    }

    /// What both say.
    pub(super) fn join(&mut self, other: Self) {
        self.affirmed.extend(other.affirmed);
        self.denied.extend(other.denied);
        for (axis, ways) in other.ways {
            self.ways.entry(axis).or_default().extend(ways);
        }
    }
}

/// Whether two texts point differently on an axis; who says the same twice says it.
fn are_opposed(one: &[bool], other: &[bool]) -> bool {
    let mut both = one.iter().chain(other);
    let first = both.next();
    let one_way = both.all(|way| Some(way) == first);
    one != other && !one_way
}

/// The stances of texts that may be graded together.
pub(super) fn stances(
    texts: &[&str],
    language: Language,
    patience: Patience<'_>,
) -> Option<Vec<Stance>> {
    let languages = if language == Language::Other {
        Language::KNOWN.to_vec()
    } else {
        vec![language]
    };
    let mut heard = Vec::with_capacity(texts.len());
    for (at, text) in texts.iter().enumerate() {
        patience.at(at)?;
        heard.push(Heard::of(text, &languages));
    }
    let stems: BTreeSet<&str> = heard.iter().flat_map(Heard::stems).collect();
    let turned: BTreeSet<&str> = stems
        .iter()
        .copied()
        .filter(|stem| is_turned(stem, &stems))
        .collect();
    let facts: Vec<Facts> = heard.iter().map(|one| one.facts(&turned)).collect();
    let kinds: BTreeSet<&Facts> = facts.iter().collect();
    let kinds: BTreeMap<&Facts, usize> = kinds.into_iter().zip(0..).collect();
    let numbers: BTreeMap<&str, u32> = stems.iter().copied().zip(0..).collect();
    let stances = heard.iter().zip(&facts);
    let stances =
        stances.map(|(one, facts)| one.stance(kinds.get(facts).copied().unwrap_or(0), &numbers));
    Some(stances.collect())
}

/// Whether a word is another one turned.
fn is_turned(stem: &str, all: &BTreeSet<&str>) -> bool {
    let long = |rest: &str| rest.chars().count() >= LEAST_TURNED;
    let mut starts = TURNING_STARTS
        .iter()
        .filter_map(|start| stem.strip_prefix(start));
    let mut ends = TURNING_ENDS.iter().filter_map(|end| stem.strip_suffix(end));
    starts.any(|rest| long(rest) && all.contains(rest)) || ends.any(long)
}

/// A text as it was heard, in each language that it may be in.
struct Heard {
    readings: Vec<Read>,
    figures: Vec<String>,
    turns: usize,
    unread: String,
}

impl Heard {
    fn of(text: &str, languages: &[Language]) -> Self {
        let (folded, first) = (
            fold(text),
            languages.first().copied().unwrap_or(Language::Other),
        );
        let tokens = tokens(&folded, first);
        let turns = tokens
            .iter()
            .filter(|token| languages.iter().any(|one| turns(token, *one)));
        Self {
            turns: turns.count(),
            readings: languages.iter().map(|one| read(&folded, *one)).collect(),
            figures: figures(text, first),
            unread: text.chars().skip(MAX_CHARS).collect(),
        }
    }

    fn stems(&self) -> impl Iterator<Item = &str> {
        let stems = self.readings.iter().flat_map(|reading| &reading.stems);
        stems.map(|stem| stem.text.as_str())
    }

    fn facts(&self, turned: &BTreeSet<&str>) -> Facts {
        let stems = self
            .readings
            .first()
            .map_or(&[][..], |reading| reading.stems.as_slice());
        let turned = stems
            .iter()
            .filter(|stem| turned.contains(stem.text.as_str()));
        Facts {
            figures: self.figures.clone(),
            turns: self.turns + turned.count(),
            denies: self.readings.iter().any(|reading| reading.denies),
            unread: self.unread.clone(),
        }
    }

    fn stance(&self, facts: usize, numbers: &BTreeMap<&str, u32>) -> Stance {
        let number = |stem: &&Stem| numbers.get(stem.text.as_str()).copied();
        let stems = || self.readings.iter().flat_map(|reading| &reading.stems);
        let affirmed: BTreeSet<u32> = stems()
            .filter(|stem| !stem.negated)
            .filter_map(|stem| number(&stem))
            .collect();
        let denied: BTreeSet<u32> = stems()
            .filter(|stem| stem.negated)
            .filter_map(|stem| number(&stem))
            .collect();
        Stance {
            facts,
            ways: self.ways(),
            affirmed: affirmed.difference(&denied).copied().collect(),
            denied: denied.difference(&affirmed).copied().collect(),
        }
    }

    /// Axes of several languages are kept apart by their place among all.
    fn ways(&self) -> BTreeMap<usize, BTreeSet<Vec<bool>>> {
        let mut ways: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
        for (language, reading) in self.readings.iter().enumerate() {
            for pointer in &reading.pointers {
                let axis = pointer.pole.axis * self.readings.len() + language;
                ways.entry(axis).or_default().push(pointer.pole.first);
            }
        }
        ways.into_iter()
            .map(|(axis, way)| (axis, BTreeSet::from([way])))
            .collect()
    }
}

/// Whether a word negates or turns what it stands with. The French *ne* is one half of a negation, whose other half counts.
fn turns(token: &str, language: Language) -> bool {
    let listed =
        |(_, words): &(Language, &str)| words.split_ascii_whitespace().any(|word| word == token);
    let own = TURNING.iter().find(|(own, _)| *own == language);
    token != "ne"
        && (language.is_negation(token) || is_wrong(token, language) || own.is_some_and(listed))
}
