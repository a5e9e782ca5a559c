//! The languages we know something about: stemmers, words without content, words that negate.
//!
//! Word lists only; what is done with them, and every sentence shown to people, lives elsewhere.

use std::collections::HashSet;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

/// A language with its own word lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    German,
    Spanish,
    French,
    Italian,
    Portuguese,
    Arabic,
    /// Everything else: read as if it were English, and never said to be a mismatch.
    Other,
}

impl Language {
    /// Those with word lists.
    pub(crate) const KNOWN: [Self; 7] = [
        Self::English,
        Self::German,
        Self::Spanish,
        Self::French,
        Self::Italian,
        Self::Portuguese,
        Self::Arabic,
    ];

    /// The language of a BCP-47 tag such as `pt-BR`.
    pub(crate) fn of_tag(tag: &str) -> Self {
        match tag
            .split(['-', '_'])
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase()
            .as_str()
        {
            "en" => Self::English,
            "de" => Self::German,
            "es" => Self::Spanish,
            "fr" => Self::French,
            "it" => Self::Italian,
            "pt" => Self::Portuguese,
            "ar" => Self::Arabic,
            _ => Self::Other,
        }
    }

    /// The language whose word lists a text is read by: English for one that has none.
    pub(crate) fn or_english(self) -> Self {
        if self == Self::Other {
            Self::English
        } else {
            self
        }
    }

    /// The Snowball stemmer.
    pub(crate) fn stemmer(self) -> Stemmer {
        Stemmer::create(match self {
            Self::English | Self::Other => Algorithm::English,
            Self::German => Algorithm::German,
            Self::Spanish => Algorithm::Spanish,
            Self::French => Algorithm::French,
            Self::Italian => Algorithm::Italian,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Arabic => Algorithm::Arabic,
        })
    }

    /// Whether a lower-case word carries no content of its own.
    pub(crate) fn is_stop_word(self, word: &str) -> bool {
        match self {
            Self::English | Self::Other => ENGLISH_STOPS.contains(word),
            Self::German => GERMAN_STOPS.contains(word),
            Self::Spanish => SPANISH_STOPS.contains(word),
            Self::French => FRENCH_STOPS.contains(word),
            Self::Italian => ITALIAN_STOPS.contains(word),
            Self::Portuguese => PORTUGUESE_STOPS.contains(word),
            Self::Arabic => ARABIC_STOPS.contains(word),
        }
    }

    /// Whether a lower-case word turns what follows into its opposite.
    pub(crate) fn is_negation(self, word: &str) -> bool {
        self.negations()
            .split_ascii_whitespace()
            .any(|negation| negation == word)
    }

    /// The words without content of their own, between spaces.
    pub(crate) const fn stop_words(self) -> &'static str {
        match self {
            Self::English | Self::Other => ENGLISH,
            Self::German => GERMAN,
            Self::Spanish => SPANISH,
            Self::French => FRENCH,
            Self::Italian => ITALIAN,
            Self::Portuguese => PORTUGUESE,
            Self::Arabic => ARABIC,
        }
    }

    /// The words that negate, between spaces.
    pub(crate) const fn negations(self) -> &'static str {
        match self {
            Self::English | Self::Other => {
                "not no never none neither nor without nothing nobody cannot"
            }
            Self::German => {
                "nicht nichts kein keine keinen keiner keines keinem nie niemals ohne weder"
            }
            Self::Spanish => "no nunca jamás sin ningún ninguna ninguno nada nadie ni tampoco",
            Self::French => "ne pas non jamais sans aucun aucune rien personne ni",
            Self::Italian => "non mai senza nessun nessuna nessuno niente nulla né",
            Self::Portuguese => "não nunca jamais sem nenhum nenhuma nada ninguém nem",
            Self::Arabic => "لا ليس ليست لم لن بدون دون غير",
        }
    }
}

/// Looked up for every word of every text.
type Lookup = LazyLock<HashSet<&'static str>>;

static ENGLISH_STOPS: Lookup = LazyLock::new(|| ENGLISH.split_ascii_whitespace().collect());
static GERMAN_STOPS: Lookup = LazyLock::new(|| GERMAN.split_ascii_whitespace().collect());
static SPANISH_STOPS: Lookup = LazyLock::new(|| SPANISH.split_ascii_whitespace().collect());
static FRENCH_STOPS: Lookup = LazyLock::new(|| FRENCH.split_ascii_whitespace().collect());
static ITALIAN_STOPS: Lookup = LazyLock::new(|| ITALIAN.split_ascii_whitespace().collect());
static PORTUGUESE_STOPS: Lookup = LazyLock::new(|| PORTUGUESE.split_ascii_whitespace().collect());
static ARABIC_STOPS: Lookup = LazyLock::new(|| ARABIC.split_ascii_whitespace().collect());

const ENGLISH: &str = "a about again against all also although am an and any are as at be because been being between \
both but by can could did do does doing down during each either else etc even ever every few for from further had has \
have having he her here hers herself him himself his how however i if in into is it its itself just let like may me \
might much must my myself of off on once one only or other our ours ourselves out own per quite rather shall she \
should since so some such than that the their theirs them themselves then there these they this those though through \
thus to too until up upon us very via was we were what when where whether which while who whom whose why will with \
within would yet you your yours yourself yourselves";

const GERMAN: &str = "ab aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da \
dabei dadurch dafür damit dann daran darauf das dass dazu dem den denn der deren des dessen die dies diese diesem diesen dieser \
dieses doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen hat hatte hatten haben hier hinter \
ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem ins ist ja je jede jedem jeden jeder jedes jetzt kann können \
könnte man manche mehr mein meine mich mir mit muss müssen nach noch nun nur ob oder sehr sein seine seinem seinen seiner seit \
sich sie sind so solche soll sollen sollte sowie um und uns unser unsere unter viel vom von vor war waren warum was weil welche \
welchem welchen welcher welches wenn wer werden wie wieder will wir wird wo wurde wurden würde zu zum zur zwar zwischen über";

const SPANISH: &str = "a al algo algunas algunos ante antes aquel aquella así aunque bajo cada casi como con contra cual cuando \
cuyo de del desde donde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está están estar \
estas este esto estos fue fueron ha había hace hacia han hasta hay la las le les lo los más me mediante mi mis mismo mucho muy \
nos nosotros o os otra otras otro otros para pero por porque pues que qué quien se sea según ser si sí sido siempre sin sobre \
son su sus suya suyo también tan tanto te tiene tienen toda todas todo todos tu tus u un una unas uno unos usted ustedes ya y yo";

const FRENCH: &str = "à afin ai ainsi alors après as au aucun aussi autre autres aux avant avec avoir c car ce ceci cela celle \
celui ces cet cette ceux chaque ci comme comment d dans de des depuis deux doit donc dont du elle elles en encore entre es est \
et était étaient être eu eux fait faire il ils j je jusqu l la là le les leur leurs lors lorsqu lui m ma mais me même mes moi \
mon n nos notre nous on ont ou où par parce pendant peu peut peuvent plus pour pourquoi qu quand que quel quelle quelles quels \
qui quoi s sa se selon ses si sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers vos votre vous y";

const ITALIAN: &str = "a ad agli ai al alla alle allo altre altri altro anche ancora avere c che chi ci come con cosa così cui d da \
dagli dai dal dalla dalle dallo degli dei del dell della delle dello di dopo dove due e è ed era erano essere fa fino fra gli ha \
hanno ho i il in io l la le lei li lo loro ma me mentre mi mia mio molto ne negli nei nel nell nella nelle nello noi nostro o \
ogni oppure per perché più poi prima può qual quale quali quando quello questa queste questi questo qui quindi se secondo sei \
si sia siamo sono sopra sotto sta stato su sua sue sugli sui sul sull sulla sulle suo suoi tra tu tua tuo tutta tutte tutti \
tutto un una uno v vi voi";

const PORTUGUESE: &str = "a à ao aos aquela aquele aquilo as às até cada com como contra cujo da das de dela dele deles depois \
desde deve do dos duas dois e é ela elas ele eles em entre era eram essa essas esse esses esta está estão estar estas este \
estes eu foi foram há isso isto já lhe lhes mais mas me mesmo meu minha muito na nas no nos nós nossa nosso num numa o os ou \
outra outras outro outros para pela pelas pelo pelos per pode podem por porque pois quais qual quando que quem se seja sem ser \
seu seus sido são sob sobre sua suas só também tão te tem têm ter toda todas todo todos tu tua um uma umas uns você vocês";

const ARABIC: &str = "في من إلى على عن مع هذا هذه ذلك تلك التي الذي الذين و أو ثم أن إن كان كانت يكون تكون هو هي هم هن نحن أنا \
أنت كل بعض بين بعد قبل عند حتى كما لكن قد ما ماذا كيف لماذا متى أين هل إذا لأن أي أيضا حيث فقط منذ خلال";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_find_their_language_whatever_the_region() {
        assert_eq!(Language::of_tag("pt-BR"), Language::Portuguese);
        assert_eq!(Language::of_tag("EN"), Language::English);
        assert_eq!(Language::of_tag("sw"), Language::Other);
        assert_eq!(Language::of_tag(""), Language::Other);
    }
}
