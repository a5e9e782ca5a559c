//! Frames that deny what stands in them: "It is wrong to say that …", "…, which is not true."
//!
//! Words and their places only. What follows from a denial is decided where texts are compared.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use crate::language::Language;

/// The longest frame, in words.
const LONGEST: usize = 10;

/// The words of one language that frames are made of.
struct FrameWords {
    /// What says that something is so.
    truth: &'static str,
    /// What says that it is not.
    wrong: &'static str,
    /// Saying and thinking.
    say: &'static str,
    /// What may stand between them.
    small: &'static str,
    /// What a subordinate clause begins with.
    that: &'static str,
    /// What points back at what was said.
    back: &'static str,
}

const ENGLISH: FrameWords = FrameWords {
    truth: "true correct right accurate so valid case fact truth",
    wrong: "wrong false incorrect untrue mistaken mistake myth lie nonsense misconception error fallacy inaccurate absurd \
            misleading erroneous rubbish far deny denies denied denying doubt disagree reject rejects rejected refute dispute \
            disproved disproven",
    say: "say saying said says state stating stated claim claims claimed claiming think thinking thinks thought believe \
          believing believed believes assume assuming assumed suppose argue arguing conclude concluding idea notion belief \
          statement view opinion assertion suggest suggesting agree accept maintain",
    small: "it is was s the a an to be can could should would may might must i we you they one people anyone anybody do does \
            did of for at all ever really simply just any in from with common popular completely totally absolutely quite",
    that: "that",
    back: "that this it which statement claim idea above",
};

const GERMAN: FrameWords = FrameWords {
    truth: "wahr richtig korrekt fall stimmt zutreffend trifft zu so wahrheit",
    wrong: "falsch unwahr inkorrekt irrtum fehler lüge mythos unsinn quatsch unrichtig verkehrt bestreite bestreitet leugne \
            bezweifle bezweifelt widerspreche irrig märchen",
    say: "sagen sagt behaupten behauptet behauptung glaube glauben glaubt denke denken denkt meine meinen meint annehmen \
          anzunehmen aussage annahme meinung finde",
    small: "es ist war wäre der die das ein eine zu man ich wir kann könnte darf sollte soll würde daran der dem im ganz völlig \
            einfach auch",
    that: "dass daß",
    back: "das dies es was aussage behauptung",
};

const SPANISH: FrameWords = FrameWords {
    truth: "cierto verdad correcto verdadero caso así",
    wrong: "falso mentira incorrecto erróneo equivocado error mito absurdo niego niega dudo rechazo falsa errónea incorrecta",
    say: "decir digo dice afirmar afirmo pensar pienso creer creo considerar suponer sostener idea afirmación opinión",
    small: "es sería era un una el la lo se puede podría debe yo de en para del todo",
    that: "que",
    back: "eso esto ello lo cual afirmación idea",
};

const FRENCH: FrameWords = FrameWords {
    truth: "vrai exact correct juste cas vérité",
    wrong: "faux fausse inexact incorrect erroné mensonge mythe erreur absurde nie conteste doute réfute",
    say: "dire dit dis affirmer prétendre penser pense croire crois considérer supposer idée affirmation opinion",
    small: "il ce c est n ne serait était un une le la l on peut pourrait doit je de d du en tout",
    that: "que qu",
    back: "cela ça c ce ceci qui affirmation idée",
};

const ITALIAN: FrameWords = FrameWords {
    truth: "vero corretto giusto esatto caso verità",
    wrong: "falso sbagliato errato scorretto errore bugia mito assurdo nego dubito contesto menzogna",
    say: "dire dico dice affermare pensare penso credere credo sostenere ritenere ritengo supporre idea affermazione opinione",
    small: "è sarebbe era un una il la lo l si può potrebbe deve io di in del tutto",
    that: "che",
    back: "questo ciò il che affermazione idea",
};

const PORTUGUESE: FrameWords = FrameWords {
    truth: "verdade correto certo verdadeiro caso exato",
    wrong: "falso errado incorreto errôneo mentira mito erro absurdo nego duvido rejeito discordo falsa errada incorreta",
    say: "dizer digo diz afirmar pensar penso acreditar acredito acho achar creio crer considerar supor ideia afirmação opinião",
    small: "é seria era um uma o a se pode poderia deve eu de em do da todo",
    that: "que",
    back: "isso isto o que afirmação ideia",
};

/// What a word does in a frame; some do several things.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameRole {
    Truth,
    Wrong,
    Say,
    Small,
    That,
    Back,
}

/// What may stand within a frame that speaks of what follows.
const WITHIN: [FrameRole; 4] = [
    FrameRole::Small,
    FrameRole::Say,
    FrameRole::Truth,
    FrameRole::Wrong,
];

/// The same of one that points back.
const BACKWARDS: [FrameRole; 4] = [
    FrameRole::Small,
    FrameRole::Truth,
    FrameRole::Wrong,
    FrameRole::Back,
];

type FrameRoles = HashMap<&'static str, Vec<FrameRole>>;

impl FrameWords {
    fn roles(&self) -> FrameRoles {
        let mut roles = FrameRoles::new();
        let lists = [
            (self.truth, FrameRole::Truth),
            (self.wrong, FrameRole::Wrong),
            (self.say, FrameRole::Say),
            (self.small, FrameRole::Small),
            (self.that, FrameRole::That),
            (self.back, FrameRole::Back),
        ];
        for (words, role) in lists {
            for word in words.split_ascii_whitespace() {
                roles.entry(word).or_default().push(role);
            }
        }
        roles
    }

    /// All its words, for the fingerprint of the lists.
    fn text(&self) -> String {
        [
            self.truth, self.wrong, self.say, self.small, self.that, self.back,
        ]
        .join(" | ")
    }
}

const FRAME_WORDS: [(Language, FrameWords); 6] = [
    (Language::English, ENGLISH),
    (Language::German, GERMAN),
    (Language::Spanish, SPANISH),
    (Language::French, FRENCH),
    (Language::Italian, ITALIAN),
    (Language::Portuguese, PORTUGUESE),
];

/// The frames' words, language by language.
pub(crate) fn lists() -> Vec<(Language, String)> {
    let all = FRAME_WORDS.iter();
    all.map(|(language, words)| (*language, words.text()))
        .collect()
}

fn roles(language: Language) -> Option<&'static FrameRoles> {
    static ROLES: LazyLock<Vec<(Language, FrameRoles)>> = LazyLock::new(|| {
        let all = FRAME_WORDS.iter();
        all.map(|(language, words)| (*language, words.roles()))
            .collect()
    });
    let language = language.or_english();
    let found = ROLES.iter().find(|(known, _)| *known == language);
    found.map(|(_, roles)| roles)
}

/// Whether a word says that something is not so.
pub(crate) fn is_wrong(word: &str, language: Language) -> bool {
    let own = roles(language).and_then(|roles| roles.get(word));
    own.is_some_and(|own| own.contains(&FrameRole::Wrong))
}

/// The frames of a sentence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Denials {
    /// Where frames stand that speak of all that follows, and whether they deny it: one that denies twice does not.
    ahead: Vec<(Range<usize>, bool)>,
    /// Where one stands that denies what was said before it.
    back: Option<Range<usize>>,
}

impl Denials {
    /// Looks for frames in the words of one sentence.
    pub(crate) fn of(tokens: &[String], language: Language) -> Self {
        let Some(roles) = roles(language) else {
            return Self::default();
        };
        let sentence = FrameReader {
            tokens,
            roles,
            language,
        };
        let back = sentence.back();
        let end = back.as_ref().map_or(tokens.len(), |back| back.start);
        Self {
            ahead: sentence.ahead(end),
            back,
        }
    }

    /// Whether there is one.
    pub(crate) fn any(&self) -> bool {
        self.ahead.iter().any(|(_, denies)| *denies) || self.back.is_some()
    }

    /// Whether a word belongs to a frame, which says nothing about the matter.
    pub(crate) fn is_frame(&self, at: usize) -> bool {
        let ahead = self.ahead.iter().map(|(frame, _)| frame);
        ahead.chain(&self.back).any(|frame| frame.contains(&at))
    }

    /// Whether frames before a word turn it into its opposite; two of them undo each other.
    pub(crate) fn turns(&self, at: usize) -> bool {
        let turning = self
            .ahead
            .iter()
            .filter(|(frame, denies)| *denies && frame.end <= at);
        turning.count() % 2 == 1
    }

    /// Whether the sentence denies what was said before.
    pub(crate) const fn looks_back(&self) -> bool {
        self.back.is_some()
    }
}

/// A sentence in which frames are looked for.
struct FrameReader<'a> {
    tokens: &'a [String],
    roles: &'static FrameRoles,
    language: Language,
}

impl FrameReader<'_> {
    fn is(&self, at: usize, role: FrameRole) -> bool {
        self.is_any(at, &[role])
    }

    fn is_any(&self, at: usize, roles: &[FrameRole]) -> bool {
        let word = self.tokens.get(at).map(String::as_str);
        let own = word.and_then(|word| self.roles.get(word));
        own.is_some_and(|own| own.iter().any(|role| roles.contains(role)))
    }

    /// The French `ne` is one half of a negation, whose other half counts.
    fn negates(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|word| word != "ne" && word != "n" && self.language.is_negation(word))
    }

    /// The frames that end before `end`, each with a word such as `that`, or with a verb of saying after `wrong to`.
    fn ahead(&self, end: usize) -> Vec<(Range<usize>, bool)> {
        let mut frames = Vec::new();
        let mut from = 0;
        for at in 0..end {
            let that = self.is(at, FrameRole::That);
            if !(that || self.is(at, FrameRole::Say)) {
                continue;
            }
            let start = self.start_of_run(from, at);
            // A verb of saying ends a frame only where no `that` does.
            let run = start..if that { at } else { at + 1 };
            let Some(denies) = self.denies(run, that) else {
                continue;
            };
            if that || !self.that_follows(at, end) {
                frames.push((start..at + 1, denies));
                from = at + 1;
            }
        }
        frames
    }

    fn that_follows(&self, at: usize, end: usize) -> bool {
        let mut next = at + 1;
        while next < end && next <= at + LONGEST {
            if self.is(next, FrameRole::That) {
                return true;
            }
            if !self.is_any(next, &WITHIN) {
                return false;
            }
            next += 1;
        }
        false
    }

    fn start_of_run(&self, from: usize, end: usize) -> usize {
        let mut start = end;
        while start > from && end - start < LONGEST {
            if !(self.is_any(start - 1, &WITHIN) || self.negates(start - 1)) {
                break;
            }
            start -= 1;
        }
        start
    }

    /// Whether a run denies: it says an odd number of times that something is not so; nothing where it does not say so at all.
    fn denies(&self, run: Range<usize>, with_that: bool) -> Option<bool> {
        let negators = run
            .clone()
            .filter(|at| self.negates(*at) || self.is(*at, FrameRole::Wrong))
            .count();
        let speaks_of_it = run.into_iter().any(|at| {
            self.is_any(at, &[FrameRole::Truth, FrameRole::Wrong])
                || (with_that && self.is(at, FrameRole::Say))
        });
        (negators > 0 && speaks_of_it).then_some(negators % 2 == 1)
    }

    /// The frame that ends the sentence and points back: `that is not true`.
    fn back(&self) -> Option<Range<usize>> {
        let end = self.tokens.len();
        let mut start = end;
        while start > 0 && end - start < LONGEST {
            if !(self.is_any(start - 1, &BACKWARDS) || self.negates(start - 1)) {
                break;
            }
            start -= 1;
        }
        let first = (start..end).find(|at| self.is(*at, FrameRole::Back))?;
        let run = first..end;
        (run.len() >= 3 && self.denies(run.clone(), false) == Some(true)).then_some(run)
    }
}
