//! Words that come in opposites, such as *more* and *less*: who swaps one for the other says the contrary in nearly the
//! same words.
//!
//! Lists only, and finding them; what a contradiction counts is decided where texts are compared.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::language::Language;

/// Which way a word points on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pole {
    /// The axis, by its place in the list.
    pub(crate) axis: usize,
    /// Which of its two ends.
    pub(crate) first: bool,
}

/// Axes of the languages, one a line, their two ends parted by a stroke. Every form is looked up by its stem.
const ENGLISH: &str = "more most / less least fewer fewest
greater greatest bigger biggest larger largest / smaller smallest
higher highest / lower lowest
increase increases increased increasing rise rises rising grow grows / decrease decreases decreased decreasing reduce reduces \
reduced shrink shrinks fall falls decline declines
before / after
above / below beneath
faster quicker fastest / slower slowest
hotter warmer hottest / colder cooler coldest
longer longest / shorter shortest
heavier heaviest / lighter lightest
stronger strongest / weaker weakest
harder hardest / softer softest
thicker / thinner
earlier / later
inside / outside
same identical equal equals / different differ differs
open opened opens / closed close closes
positive / negative
high / low
hot warm / cold cool
big large / small
fast quick / slow
strong / weak
hard / soft
expand expands / contract contracts
attract attracts / repel repels
absorb absorbs / reflect reflects
gain gains / lose loses lost
maximum / minimum
connected connect connects / disconnected separated separate
complete / incomplete
series / parallel
acid acidic / base basic alkaline
solid / liquid
dominant / recessive
male / female
rough / smooth
wet / dry
add adds added / remove removes removed
accelerate accelerates / decelerate decelerates";

const GERMAN: &str = "mehr meiste meisten / weniger wenigste wenigsten
größer größte größten / kleiner kleinste kleinsten
höher höchste höchsten / niedriger tiefer niedrigste
steigt steigen zunimmt zunehmen wächst wachsen erhöht erhöhen / sinkt sinken abnimmt abnehmen fällt fallen verringert verringern
vor vorher / nach nachher
schneller / langsamer
heißer wärmer / kälter kühler
länger / kürzer
schwerer / leichter
stärker / schwächer
härter / weicher
früher / später
innen innerhalb / außen außerhalb
gleich gleiche / verschieden unterschiedlich
offen geöffnet / geschlossen
positiv / negativ
hoch / niedrig
maximal / minimal
über oberhalb / unter unterhalb";

const SPANISH: &str = "más mayor mayores / menos menor menores
aumenta aumentan aumentar sube suben crece / disminuye disminuyen disminuir baja bajan reduce reducen
antes / después
arriba encima / abajo debajo
rápido / lento
caliente / frío
dentro / fuera
igual iguales / diferente diferentes distinto
abierto / cerrado
positivo / negativo
alto / bajo
máximo / mínimo";

const FRENCH: &str = "plus / moins
grand grande / petit petite
augmente augmentent augmenter monte croît / diminue diminuent diminuer baisse réduit
avant / après
dessus / dessous
rapide / lent
chaud / froid
dedans intérieur / dehors extérieur
égal pareil même / différent
ouvert / fermé
positif / négatif
haut / bas
maximum / minimum";

const ITALIAN: &str = "più maggiore maggiori / meno minore minori
aumenta aumentano aumentare cresce sale / diminuisce diminuiscono diminuire riduce scende cala
prima / dopo
sopra / sotto
veloce / lento
caldo / freddo
dentro / fuori
uguale uguali / diverso diversi differente
aperto / chiuso
positivo / negativo
alto / basso
massimo / minimo";

const PORTUGUESE: &str = "mais maior maiores / menos menor menores
aumenta aumentam aumentar cresce sobe / diminui diminuem diminuir reduz baixa desce
antes / depois
acima / abaixo
rápido / lento
quente / frio
dentro / fora
igual iguais / diferente diferentes
aberto / fechado
positivo / negativo
alto / baixo
máximo / mínimo";

const LISTS: [(Language, &str); 6] = [
    (Language::English, ENGLISH),
    (Language::German, GERMAN),
    (Language::Spanish, SPANISH),
    (Language::French, FRENCH),
    (Language::Italian, ITALIAN),
    (Language::Portuguese, PORTUGUESE),
];

/// The opposites, language by language.
pub(crate) const fn lists() -> [(Language, &'static str); 6] {
    LISTS
}

type Poles = HashMap<String, Pole>;

fn read(list: &str, language: Language) -> Poles {
    let stemmer = language.stemmer();
    let mut poles = Poles::new();
    for (axis, line) in list.lines().enumerate() {
        for (end, words) in line.split('/').enumerate() {
            for word in words.split_ascii_whitespace() {
                let pole = Pole {
                    axis,
                    first: end == 0,
                };
                poles.entry(stemmer.stem(word).into_owned()).or_insert(pole);
            }
        }
    }
    poles
}

/// Which way a stem points, if it is one of a pair.
pub(crate) fn pole(stem: &str, language: Language) -> Option<Pole> {
    static POLES: LazyLock<Vec<(Language, Poles)>> = LazyLock::new(|| {
        let lists = LISTS.iter();
        lists
            .map(|(language, list)| (*language, read(list, *language)))
            .collect()
    });
    let language = language.or_english();
    let (_, poles) = POLES.iter().find(|(known, _)| *known == language)?;
    poles.get(stem).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(Language::English, "more", "less")]
    #[case(Language::English, "increases", "decreasing")]
    #[case(Language::English, "before", "after")]
    #[case(Language::German, "höher", "niedriger")]
    #[case(Language::Spanish, "mayor", "menor")]
    #[case(Language::French, "augmente", "diminue")]
    #[case(Language::Italian, "prima", "dopo")]
    #[case(Language::Portuguese, "mais", "menos")]
    fn opposites_are_two_ends_of_one_axis(
        #[case] language: Language,
        #[case] one: &str,
        #[case] other: &str,
    ) {
        let find = |word: &str| pole(&language.stemmer().stem(word), language).unwrap();
        let (one, other) = (find(one), find(other));
        assert_eq!(one.axis, other.axis);
        assert_ne!(one.first, other.first);
    }

    #[test]
    fn other_words_point_nowhere() {
        assert_eq!(pole("spore", Language::English), None);
    }
}
