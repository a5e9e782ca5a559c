//! Sentences that only mean something behind another one: they begin with a word that points back.
//!
//! Word lists only; such sentences stay in a text, but make no key point and no question of their own.

use crate::language::Language;
use crate::words::{fold, tokens};

/// Whether a sentence cannot stand alone.
pub(crate) fn points_back(sentence: &str, language: Language) -> bool {
    let start: String = sentence.chars().take(60).collect();
    let words = tokens(&fold(&start), language);
    let first = words.first().map(String::as_str).unwrap_or_default();
    pointers(language).split(' ').any(|known| known == first)
}

/// Whether a sentence speaks of something by a pronoun before it has named anything, or by a word that always points back.
///
/// A pronoun of the first clause means something outside, whatever is named around it: where German says "In Bädern ist er
/// Pflicht", and where English begins with a preposition.
pub(crate) fn refers_back(sentence: &str, language: Language) -> bool {
    let (pronouns, always) = pronouns(language);
    let begins = fold(sentence.split_whitespace().next().unwrap_or_default());
    let clause_names = match language {
        Language::German => false,
        Language::English | Language::Other => !has(PREPOSITIONS, &begins),
        Language::Spanish
        | Language::French
        | Language::Italian
        | Language::Portuguese
        | Language::Arabic => true,
    };
    let (mut is_named, mut is_first, mut before_is_small) = (false, true, false);
    for (at, written) in sentence.split_whitespace().enumerate() {
        let bare = written.trim_matches(|c: char| !c.is_alphanumeric());
        let word = fold(bare);
        let open = !is_named || (is_first && !clause_names);
        if has(always, &word) || (open && has(pronouns, &word)) {
            return true;
        }
        let small = language.is_stop_word(&word) || language.is_negation(&word);
        // A capital that begins a German sentence may be any word's, unless an article stands before it.
        let names = match language {
            Language::German => bare.starts_with(char::is_uppercase) && (at > 0 || before_is_small),
            Language::English
            | Language::Spanish
            | Language::French
            | Language::Italian
            | Language::Portuguese
            | Language::Arabic
            | Language::Other => bare.chars().count() >= 3,
        };
        is_named |= !small && names;
        before_is_small = small;
        is_first &= !written.ends_with([',', ';', ':', '–']);
    }
    false
}

/// What an English sentence begins with where its subject comes later.
const PREPOSITIONS: &str =
    "in at on after before during for with by from above below over under since until without";

fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// Pronouns of the third person, and words that point back wherever they stand.
const fn pronouns(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::English | Language::Other => (
            "it they them him her its their",
            "he she thereby therein latter former",
        ),
        Language::German => (
            "er sie ihn ihm ihre ihren ihrer ihrem seine seinen seiner seinem",
            "darin dort dafür davon dabei daraus dadurch dorthin hierbei hierzu",
        ),
        Language::Spanish => ("él ella ellos ellas", "allí ahí ello"),
        Language::French => ("elle ils elles", "celui-ci celle-ci"),
        Language::Italian => ("esso essa essi esse lui lei", "ciò"),
        Language::Portuguese => ("ele ela eles elas", "nele nela disso nisso"),
        Language::Arabic => ("", ""),
    }
}

/// Whether a sentence says why something is so: with another number in it, it would contradict itself.
pub(crate) fn gives_reasons(sentence: &str, language: Language) -> bool {
    tokens(&fold(sentence), language)
        .iter()
        .any(|word| has(reasons(language), word))
}

const fn reasons(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => "because so therefore why thus hence since",
        Language::German => "weil deshalb darum daher sodass deswegen denn damit",
        Language::Spanish => "porque pues eso tanto",
        Language::French => "parce donc car ainsi",
        Language::Italian => "perché quindi perciò dunque",
        Language::Portuguese => "porque pois portanto isso",
        Language::Arabic => "",
    }
}

const fn pointers(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => {
            "it its they their them this these that those he she his her him therefore thus hence so then also but \
and or such however otherwise instead both neither here there another others else besides moreover furthermore \
afterwards meanwhile"
        }
        Language::German => {
            "er sie es ihr ihre ihren sein seine dies diese dieser dieses diesen diesem dazu dabei dadurch dafür dagegen \
damit danach daneben dann daran darauf daraus darum daher deshalb deswegen dort jene jener jenes auch aber und oder \
sonst so solche solcher hier beide außerdem zudem stattdessen trotzdem jedoch"
        }
        Language::Spanish => {
            "él ella ello ellos ellas este esta esto estos estas ese esa eso esos esas aquel aquella su sus así entonces \
además también pero y o por tanto luego después ahí allí tal tales ambos otro otra"
        }
        Language::French => {
            "il elle ils elles ce cela ceci cette ces celui celle ceux son sa ses leur leurs ainsi donc alors aussi mais \
et ou puis ensuite là tel telle tels telles autre autres enfin cependant toutefois"
        }
        Language::Italian => {
            "esso essa essi esse egli lui lei loro questo questa questi queste quello quella quelli quelle ciò suo sua \
suoi sue così quindi dunque allora anche inoltre ma e o poi lì là tale tali altro altra entrambi tuttavia"
        }
        Language::Portuguese => {
            "ele ela eles elas este esta isto estes estas esse essa isso esses essas aquele aquela aquilo seu sua seus \
suas assim então portanto além também mas e ou depois ali lá tal tais ambos outro outra"
        }
        Language::Arabic => "هو هي هم هذا هذه ذلك تلك لذلك ثم أيضا لكن",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(Language::English, "It is put into the thickest part.", true)]
    #[case(Language::English, "Italy grows lemons.", false)]
    #[case(Language::German, "Dazu gehören Stroh und Laub.", true)]
    #[case(Language::German, "Die Kresseprobe ist ein Test.", false)]
    #[case(Language::Spanish, "Además, el agua se enfría.", true)]
    #[case(Language::French, "Cela prend une heure.", true)]
    #[case(Language::Italian, "Questo richiede un'ora.", true)]
    #[case(Language::Portuguese, "Isso leva uma hora.", true)]
    #[case(Language::Portuguese, "O café leva uma hora.", false)]
    fn sentences_stand_alone_or_not(
        #[case] language: Language,
        #[case] sentence: &str,
        #[case] points: bool,
    ) {
        assert_eq!(points_back(sentence, language), points);
    }

    #[rstest]
    #[case(Language::English, "It is at −43 °C, so it burns in winter.", true)]
    #[case(Language::English, "It burns at −43 °C.", false)]
    #[case(Language::German, "Es brennt bei −43 °C, weil es verdunstet.", true)]
    fn reasons_are_seen(#[case] language: Language, #[case] sentence: &str, #[case] reasons: bool) {
        assert_eq!(gives_reasons(sentence, language), reasons);
    }

    #[rstest]
    #[case(
        Language::German,
        "Fehlt etwas, schaltet er nach 0,3 Sekunden ab.",
        true
    )]
    #[case(Language::German, "Im Sommer verdoppelt sich ihre Zahl.", true)]
    #[case(
        Language::German,
        "Nach 27 Tagen brannte die Kerze darin wieder.",
        true
    )]
    #[case(
        Language::German,
        "Die Pflanze schließt die Poren, damit sie nicht austrocknet.",
        false
    )]
    #[case(
        Language::German,
        "In neuen Bädern ist er seit 1984 vorgeschrieben.",
        true
    )]
    #[case(Language::English, "At night they close within 5 minutes.", true)]
    #[case(Language::English, "If it is cold, they close after 5 minutes.", true)]
    #[case(Language::English, "Petrol burns when it meets a spark.", false)]
    fn what_is_not_named_yet_points_back(
        #[case] language: Language,
        #[case] sentence: &str,
        #[case] refers: bool,
    ) {
        assert_eq!(refers_back(sentence, language), refers);
    }
}
