//! Small words where no sentence has them: what words look like that were shuffled.
//!
//! An article before a preposition or at the end, a preposition before a verb. Slips of the pen do that, too, so it takes
//! several in a text, or one in a short one.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::language::Language;

/// The small words of one language, by what may not follow them.
struct SmallWords {
    /// Words that a noun must follow.
    article: &'static str,
    /// Words that something must follow which is no verb: `of`.
    preposition: &'static str,
    /// Words that are neither a noun nor begin one: prepositions, conjunctions.
    joint: &'static str,
    /// Forms of to be and to have.
    verb: &'static str,
    /// The rest of those that only sentences have: pronouns, possessives, words that join clauses, prepositions that some
    /// stop lists leave to the content because they tell one answer from another (`before`). Without what
    /// keywords bring with them: `how much`, `during`.
    other: &'static str,
}

const ENGLISH: SmallWords = SmallWords {
    article: "a an the its their",
    preposition: "of from into with for at between because and or than if when while although",
    joint: "of in on at to from by with for and or but because than if into between when while although that which",
    verb: "is are was were has have had do does did will would can could should be been being may might",
    other: "i you he she it we they me him her us them my your his our mine yours this these those there here who whom whose what where why \
            anything something nothing everything anyone someone everyone anybody somebody before after until unless since \
            above below under over against about through without within onto upon so as let must shall may might cannot not no",
};

const GERMAN: SmallWords = SmallWords {
    article: "ein eine einen einem einer eines dem des ihre seine",
    preposition: "von aus mit und oder weil dass für bei",
    joint: "von aus mit und oder weil dass für bei nach aber als wenn zu zum zur",
    verb: "ist sind war waren wird werden wurde wurden hat haben kann können muss müssen",
    other: "der die das ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen mein dein sein ihr unser man sich wer was wo wie \
            warum etwas nichts jemand vor nach im am zum zur ins durch gegen ohne um auf an in bis seit während unter über damit sodass \
            soll sollte darf nicht kein keine",
};

const SPANISH: SmallWords = SmallWords {
    article: "el los un una unos unas del al su sus",
    preposition: "con en para por sin y o pero",
    joint: "con en para por y o pero porque",
    verb: "es son era eran está están ha han puede pueden fue fueron",
    other: "la lo le les me te se nos yo tú él ella ellos ellas mi tu su mis tus sus nuestro este esta esto eso que quien algo nada alguien antes después \
            de en a hasta desde sobre bajo entre cuando si como donde no hay debe deben",
};

const FRENCH: SmallWords = SmallWords {
    article: "le un une du au aux leur ce cette",
    preposition: "avec dans pour par et ou mais",
    joint: "avec dans pour par et ou mais de car",
    verb: "est sont était étaient a ont peut peuvent sera",
    other: "la les des je tu il elle nous vous ils elles on me te se mon ton son ma ta sa mes tes ses nos vos leurs ces que qui quoi où rien quelque \
            avant après sans sous sur entre chez vers à en de d l s y quand si comme afin ne pas doit doivent",
};

const ITALIAN: SmallWords = SmallWords {
    article: "il lo gli un una del della dei delle al nel",
    preposition: "con in per e o ma",
    joint: "con in per e o ma di perché",
    verb: "è sono era erano ha hanno può possono",
    other: "la le i gli io tu lui lei noi voi loro mi ti si ci vi mio tuo suo nostro questo questa quello che chi dove qualcosa nulla \
            niente prima dopo senza sotto sopra tra fra da a su quando se come non deve devono dal dalla nella sul alla",
};

const PORTUGUESE: SmallWords = SmallWords {
    article: "um uma do da dos das ao no na",
    preposition: "com em para e ou mas",
    joint: "com em para e ou mas de porque",
    verb: "é são era eram está estão tem têm pode podem",
    other: "o a os as eu tu você ele ela nós eles elas me te se nos meu seu sua meus seus suas nosso este esta isto isso que quem onde algo nada \
            antes depois sem sob sobre entre até desde por quando se como não deve devem pelo pela nos nas",
};

/// What of the prepositions joins clauses, which may begin with a verb, in all languages.
const JOINING: &str = "and or und oder y o et ou e but mais ma mas pero when while if than";

/// [`SmallWords`] to look words up in.
struct WordSets {
    article: HashSet<&'static str>,
    preposition: HashSet<&'static str>,
    joint: HashSet<&'static str>,
    verb: HashSet<&'static str>,
    other: HashSet<&'static str>,
}

static SETS: LazyLock<Vec<(Language, WordSets)>> = LazyLock::new(|| {
    let all = [
        (Language::English, ENGLISH),
        (Language::German, GERMAN),
        (Language::Spanish, SPANISH),
        (Language::French, FRENCH),
        (Language::Italian, ITALIAN),
        (Language::Portuguese, PORTUGUESE),
    ];
    let set = |words: &'static str| words.split_ascii_whitespace().collect();
    let sets = all.into_iter().map(|(language, words)| {
        let sets = WordSets {
            article: set(words.article),
            preposition: set(words.preposition),
            joint: set(words.joint),
            verb: set(words.verb),
            other: set(words.other),
        };
        (language, sets)
    });
    sets.collect()
});

/// Whether the small words of a language are known here.
pub(crate) fn has_grammar(language: Language) -> bool {
    sets(language).is_some()
}

/// Whether a word is one of those that make sentences of others: of a closed class, without content of its own. No stop list
/// answers this: what may be left out when texts are compared is another question.
pub(crate) fn makes_sentences(word: &str, language: Language) -> bool {
    sets(language).is_some_and(|sets| {
        let all = [
            &sets.article,
            &sets.preposition,
            &sets.joint,
            &sets.verb,
            &sets.other,
        ];
        all.iter().any(|set| set.contains(word))
    })
}

fn sets(language: Language) -> Option<&'static WordSets> {
    let found = SETS.iter().find(|(known, _)| *known == language);
    found.map(|(_, sets)| sets)
}

/// How many small words stand where no sentence of a language has them.
pub(super) fn misplaced(sentences: &[Vec<String>], language: Language) -> usize {
    let sets = sets(language);
    let found = sentences
        .iter()
        .map(|words| sets.map_or(0, |sets| sets.misplaced(words)));
    found.sum()
}

/// Whether a sentence has a small word where none has it, begins with a verb, or ends with a word that another must follow.
pub(super) fn is_odd(words: &[String], language: Language) -> bool {
    let begins = |sets: &WordSets| {
        let first = words.first().map(String::as_str).unwrap_or_default();
        sets.verb.contains(first)
    };
    let hangs = |sets: &WordSets| {
        let last = words.last().map(String::as_str).unwrap_or_default();
        sets.verb.contains(last) || sets.joint.contains(last)
    };
    sets(language).is_some_and(|sets| sets.misplaced(words) > 0 || begins(sets) || hangs(sets))
}

impl WordSets {
    fn misplaced(&self, words: &[String]) -> usize {
        let pairs = words.windows(2).filter(|pair| match pair {
            [before, after] => self.never_follows(before, after),
            _ => false,
        });
        let last = words.last().map(String::as_str).unwrap_or_default();
        let hangs =
            words.len() > 1 && (self.article.contains(last) || self.preposition.contains(last));
        pairs.count() + usize::from(hangs)
    }

    fn never_follows(&self, before: &str, after: &str) -> bool {
        let after_article =
            self.article.contains(after) || self.joint.contains(after) || self.verb.contains(after);
        if self.article.contains(before) {
            return after_article;
        }
        let stands_alone = self.preposition.contains(before) || self.verb.contains(before);
        (stands_alone && before == after) || (self.leads(before) && self.verb.contains(after))
    }

    /// Prepositions in the narrow sense: what follows is a noun or a clause's subject.
    fn leads(&self, word: &str) -> bool {
        let joins = JOINING.split_ascii_whitespace().any(|one| one == word);
        self.preposition.contains(word) && !joins
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("terminal 1 is connected to terminal 4", false)]
    #[case("because the terminals are connected", false)]
    #[case("are terminals connected 1 and 4", true)]
    #[case("terminals connected 1 and 4 are", true)]
    #[case("connected the and terminals are 4", true)]
    fn sentences_begin_and_end_with_other_words(#[case] text: &str, #[case] odd: bool) {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        assert_eq!(is_odd(&words, Language::English), odd, "{text}");
    }

    fn found(text: &str, language: Language) -> usize {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        misplaced(&[words], language)
    }

    #[rstest]
    #[case(Language::English, "the because of is heat a spores survive the", 3)]
    #[case(
        Language::English,
        "the spores of the bacteria survive because the pot is warm",
        0
    )]
    #[case(Language::German, "keime die ein von topf dem und wärme", 2)]
    #[case(Language::German, "die keime überleben weil der topf warm ist", 0)]
    #[case(Language::Spanish, "el es agua con y un", 2)]
    #[case(Language::Spanish, "el agua es un líquido con oxígeno", 0)]
    fn small_words_have_their_places(
        #[case] language: Language,
        #[case] text: &str,
        #[case] expected: usize,
    ) {
        assert_eq!(found(text, language), expected, "{text}");
    }
}
