//! Units and number words of the languages we know.

use crate::language::Language;
use crate::words::fold;

/// Units that measure: what they are called here, and how they are written, in lower case.
const UNITS: &[(&str, &str)] = &[
    (
        "°",
        "°c ° degrees degree grad grados grado degrés degré gradi graus grau",
    ),
    ("°F", "°f"),
    ("%", "% percent prozent"),
    ("‰", "‰ promille"),
    ("€", "€ euro euros eur"),
    ("$", "$ dollar dollars dólares dollari usd"),
    ("£", "£ pounds"),
    (
        "second",
        "s sec second seconds sekunde sekunden segundo segundos seconde secondes secondo secondi",
    ),
    ("minute", "min minute minutes minuten minuto minutos minuti"),
    (
        "hour",
        "h hour hours stunde stunden hora horas heure heures ora ore",
    ),
    (
        "day",
        "day days tag tage tagen día días jour jours giorno giorni dia dias",
    ),
    (
        "week",
        "week weeks woche wochen semana semanas semaine semaines settimana settimane",
    ),
    (
        "month",
        "month months monat monate monaten mes meses mois mese mesi mês",
    ),
    (
        "years",
        "year years jahr jahre jahren año años an ans année années anno anni ano anos",
    ),
    ("mm", "mm millimetres millimeters millimeter"),
    (
        "cm",
        "cm centimetres centimeters zentimeter zentimetern centimètres centímetros centimetri",
    ),
    (
        "m",
        "m metre metres meter meters metern mètre mètres metros metro metri",
    ),
    (
        "km",
        "km kilometres kilometers kilometer kilomètres kilómetros chilometri quilómetros quilômetros",
    ),
    ("mg", "mg milligrams milligramm"),
    (
        "g",
        "g gram grams gramm grammen gramos grammes grammi gramas",
    ),
    (
        "kg",
        "kg kilogram kilograms kilo kilos kilogramm kilogrammen chilogrammi",
    ),
    ("t", "tonnes tonnen"),
    ("ml", "ml millilitres milliliters milliliter"),
    ("l", "l litre litres liter liters litern litro litros litri"),
    ("m²", "m²"),
    ("m³", "m³"),
    ("km/h", "km/h"),
    ("V", "volt volts"),
    ("A", "ampere amperes amps"),
    ("W", "w watt watts"),
    ("kW", "kw"),
    ("kWh", "kwh kilowattstunde kilowattstunden kilowatt-hours"),
    ("mA", "ma milliampere milliamps"),
    ("Hz", "hz hertz"),
    ("kJ", "kj kcal"),
    ("bar", "bar"),
    ("ppm", "ppm"),
];

/// What a unit is called here, if it measures.
pub(super) fn canonical(written: &str, language: Language) -> Option<String> {
    let folded: String = fold(written.trim())
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    // English "an" and Italian "ora" mean something else where they are no units.
    if language.is_stop_word(&folded) {
        return None;
    }
    UNITS
        .iter()
        .find(|(_, ways)| ways.split(' ').any(|way| way == folded))
        .map(|(key, _)| (*key).to_owned())
}

/// Words for signs that people may write instead.
pub(super) const fn spelled_units(unit: &str, language: Language) -> &'static [&'static str] {
    match (unit.as_bytes(), language) {
        // The degree sign, in UTF-8.
        (b"\xc2\xb0", Language::English) => &["degrees", "degrees Celsius"],
        (b"\xc2\xb0", Language::German) => &["Grad", "Grad Celsius"],
        (b"\xc2\xb0", Language::Spanish) => &["grados"],
        (b"\xc2\xb0", Language::French) => &["degrés"],
        (b"\xc2\xb0", Language::Italian) => &["gradi"],
        (b"\xc2\xb0", Language::Portuguese) => &["graus"],
        (b"%", Language::English) => &["percent", "per cent"],
        (b"%", Language::German) => &["Prozent"],
        (b"%", Language::Spanish) => &["por ciento"],
        (b"%", Language::French) => &["pour cent"],
        (b"%", Language::Italian) => &["per cento"],
        (b"%", Language::Portuguese) => &["por cento"],
        _ => &[],
    }
}

/// The numbers from two on as words.
const fn numerals(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => {
            "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen \
twenty"
        }
        Language::German => {
            "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn \
zwanzig"
        }
        Language::Spanish => {
            "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve \
veinte"
        }
        Language::French => {
            "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt"
        }
        Language::Italian => {
            "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto \
diciannove venti"
        }
        Language::Portuguese => {
            "dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte"
        }
        Language::Arabic => "",
    }
}

/// The tens from thirty on.
const fn tens(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => "thirty forty fifty sixty seventy eighty ninety",
        Language::German => "dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
        Language::Spanish => "treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        Language::French => {
            "trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix"
        }
        Language::Italian => "trenta quaranta cinquanta sessanta settanta ottanta novanta",
        Language::Portuguese => "trinta quarenta cinquenta sessenta setenta oitenta noventa",
        Language::Arabic => "",
    }
}

fn all(language: Language) -> impl Iterator<Item = (u32, &'static str)> {
    let small = (2_u32..).zip(numerals(language).split_ascii_whitespace());
    let tens = (3_u32..)
        .map(|ten| ten * 10)
        .zip(tens(language).split_ascii_whitespace());
    small.chain(tens)
}

/// What a number word is worth.
pub(super) fn value(word: &str, language: Language) -> Option<u32> {
    all(language)
        .find(|(_, known)| *known == word)
        .map(|(value, _)| value)
}

/// The word of a number in digits, the digits of a number word.
pub(super) fn otherwise(value: f64, written: &str, language: Language) -> Option<String> {
    let (whole, word) =
        all(language).find(|(known, _)| (f64::from(*known) - value).abs() < 1e-9)?;
    let in_digits = written.starts_with(|c: char| c.is_ascii_digit());
    Some(if in_digits {
        word.to_owned()
    } else {
        whole.to_string()
    })
}

/// Words that stand before years.
pub(super) const fn before_years(language: Language) -> &'static [&'static str] {
    match language {
        Language::English | Language::Other | Language::Arabic => &[
            "in", "since", "by", "until", "year", "around", "after", "before",
        ],
        Language::German => &["jahr", "jahre", "seit", "um", "bis", "ab"],
        Language::Spanish => &["en", "desde", "hasta", "año"],
        Language::French => &["en", "depuis", "jusqu'en", "année", "vers"],
        Language::Italian => &["nel", "dal", "anno", "del"],
        Language::Portuguese => &["em", "desde", "até", "ano"],
    }
}

/// Words between the ends of a range.
pub(super) const fn bridges(language: Language) -> &'static [&'static str] {
    match language {
        Language::English | Language::Other | Language::Arabic => &["and", "to", "or"],
        Language::German => &["und", "bis", "oder"],
        Language::Spanish => &["y", "a", "o"],
        Language::French => &["et", "à", "ou"],
        Language::Italian => &["e", "a", "o"],
        Language::Portuguese => &["e", "a", "ou"],
    }
}

/// Words before a range.
pub(super) const fn between(language: Language) -> &'static [&'static str] {
    match language {
        Language::English | Language::Other | Language::Arabic => &["between"],
        Language::German => &["zwischen"],
        Language::Spanish | Language::Portuguese | Language::French => &["entre"],
        Language::Italian => &["tra", "fra"],
    }
}

/// Whether a word makes a bound of the number beside it.
pub(super) fn is_comparing(word: &str) -> bool {
    const COMPARING: &str = "above below over under least most more less than within up until about minimum maximum every before \
after longer shorter higher lower fewer only mindestens höchstens über unter bis maximal minimal ab mehr weniger als innerhalb etwa \
rund spätestens nur más menos mínimo máximo hasta plus moins jusqu'à più meno almeno massimo fino mais até";
    COMPARING
        .split_ascii_whitespace()
        .any(|known| known == word)
}
