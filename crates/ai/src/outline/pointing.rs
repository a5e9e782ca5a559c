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
}
