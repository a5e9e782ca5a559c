//! What bytes say that are written as text: Base64, hexadecimal, escapes, numbers of characters.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Shortest run of Base64 or of hexadecimal digits that is read.
pub(super) const LEAST_RUN: usize = 16;
/// Fewest escapes that are read: one or two stand in formulas.
const LEAST_ESCAPES: usize = 4;
/// Fewest numbers in a row that are read as characters.
const LEAST_NUMBERS: usize = 8;

static ALPHABETS: LazyLock<[GeneralPurpose; 2]> = LazyLock::new(|| {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    [STANDARD, URL_SAFE].map(|alphabet| GeneralPurpose::new(&alphabet, config))
});

/// The bytes of a run of Base64, of either alphabet.
pub(super) fn base64(run: &str) -> Option<Vec<u8>> {
    let long = run.len() >= LEAST_RUN;
    long.then(|| {
        ALPHABETS
            .iter()
            .find_map(|alphabet| alphabet.decode(run).ok())
    })?
}

/// The bytes of a run of hexadecimal digits.
pub(super) fn hexadecimal(run: &str) -> Option<Vec<u8>> {
    (run.len() >= LEAST_RUN && run.chars().all(|c| c.is_ascii_hexdigit())).then_some(())?;
    Some(of_pieces(run, 2, 16))
}

/// The bytes of a run of zeros and ones.
fn binary(run: &str) -> Option<Vec<u8>> {
    (run.len() >= 8 * LEAST_NUMBERS && run.chars().all(|c| matches!(c, '0' | '1'))).then_some(())?;
    Some(of_pieces(run, 8, 2))
}

/// Digits cut into pieces of one length; all of them ASCII, so that any place is a boundary.
fn of_pieces(run: &str, length: usize, radix: u32) -> Vec<u8> {
    let pieces = (0..run.len() / length).filter_map(|at| run.get(length * at..length * (at + 1)));
    pieces
        .filter_map(|piece| u8::from_str_radix(piece, radix).ok())
        .collect()
}

/// Everything in a text that is written as bytes, read one after the other; empty where nothing is.
pub(super) fn read_bytes(text: &str) -> String {
    let is_of_run = |c: char| c.is_ascii_alphanumeric() || "+/=-_".contains(c);
    let runs = text
        .split(|c| !is_of_run(c))
        .filter(|run| run.len() >= LEAST_RUN);
    let mut read: Vec<Vec<u8>> = Vec::new();
    for run in runs {
        read.extend(hexadecimal(run));
        read.extend(binary(run));
        read.extend(base64(run).filter(|bytes| std::str::from_utf8(bytes).is_ok()));
    }
    read.extend(numbers(text));
    let read = read.iter().map(|bytes| String::from_utf8_lossy(bytes));
    read.collect::<Vec<_>>().join("\n")
}

/// Rows of numbers that are characters: pairs of hexadecimal digits, decimal, octal or binary ones.
fn numbers(text: &str) -> Vec<Vec<u8>> {
    let pieces: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || ",;:-|[]".contains(c))
        .filter(|piece| !piece.is_empty())
        .collect();
    let is_code = |piece: &str| piece.len() <= 16 && piece.chars().all(|c| c.is_ascii_hexdigit());
    let rows = pieces.chunk_by(|one, other| is_code(one) == is_code(other));
    let rows =
        rows.filter(|row| row.len() >= LEAST_NUMBERS || row.concat().len() >= 2 * LEAST_NUMBERS);
    let rows = rows.filter(|row| row.first().is_some_and(|piece| is_code(piece)));
    rows.flat_map(|row| {
        let all = |radix: u32, fits: fn(&str) -> bool| {
            let bytes = row
                .iter()
                .map(|piece| u8::from_str_radix(piece, radix).ok());
            let bytes = bytes.collect::<Option<Vec<u8>>>();
            bytes.filter(|_| row.iter().all(|piece| fits(piece)))
        };
        let digits = row.iter().all(|piece| piece.len() % 2 == 0);
        [
            digits.then(|| of_pieces(&row.concat(), 2, 16)),
            all(2, |piece| piece.len() >= 7),
            all(10, |piece| piece.len() >= 2),
            all(8, |piece| piece.len() == 3),
        ]
        .into_iter()
        .flatten()
    })
    .collect()
}

/// How a character or a byte is escaped: what stands before its digits, how many of them, to which base, what behind.
struct Escape {
    before: &'static str,
    digits: (usize, usize),
    radix: u32,
    behind: &'static str,
    is_byte: bool,
}

const fn escape(
    before: &'static str,
    digits: (usize, usize),
    radix: u32,
    behind: &'static str,
    is_byte: bool,
) -> Escape {
    Escape {
        before,
        digits,
        radix,
        behind,
        is_byte,
    }
}

/// Longer beginnings before shorter ones.
const ESCAPES: &[Escape] = &[
    escape("&#x", (2, 6), 16, ";", false),
    escape("&#X", (2, 6), 16, ";", false),
    escape("&#", (2, 7), 10, ";", false),
    escape("\\u{", (1, 6), 16, "}", false),
    escape("\\u", (4, 4), 16, "", false),
    escape("%u", (4, 4), 16, "", false),
    escape("U+", (4, 6), 16, "", false),
    escape("\\x", (2, 2), 16, "", true),
    escape("0x", (2, 2), 16, "", true),
    escape("%25", (2, 2), 16, "", true),
    escape("%", (2, 2), 16, "", true),
    escape("=", (2, 2), 16, "", true),
    escape("\\", (3, 3), 8, "", true),
];

/// A text without its escapes, where it has more than a formula may: of addresses, of programs, of markup, of mail.
pub(super) fn without_escapes(text: &str) -> Option<String> {
    let (mut bytes, mut found) = (Vec::new(), 0);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let starts = matches!(c, '&' | '\\' | '%' | 'U' | '0' | '=');
        let escaped = starts
            .then(|| ESCAPES.iter().find_map(|escape| escape.read(rest)))
            .flatten();
        let length = if let Some((read, length)) = escaped {
            found += 1;
            bytes.extend(read);
            length
        } else {
            bytes.extend(rest.get(..c.len_utf8()).unwrap_or_default().bytes());
            c.len_utf8()
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    (found >= LEAST_ESCAPES).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

impl Escape {
    /// The bytes that an escape at the beginning of a text stands for, and how long it is.
    fn read(&self, text: &str) -> Option<(Vec<u8>, usize)> {
        let digits = text.strip_prefix(self.before)?;
        let is_digit = |c: &char| c.is_digit(self.radix);
        let count = digits
            .chars()
            .take(self.digits.1)
            .take_while(is_digit)
            .count();
        let value = u32::from_str_radix(digits.get(..count)?, self.radix).ok()?;
        let after = digits.get(count..)?.strip_prefix(self.behind)?;
        (count >= self.digits.0).then_some(())?;
        let bytes = if self.is_byte {
            vec![u8::try_from(value).ok()?]
        } else {
            char::from_u32(value)?.to_string().into_bytes()
        };
        // What is written apart, `0x49 0x67`, is read together.
        let apart = matches!(self.before, "0x" | "U+");
        let after = if apart {
            after.trim_start_matches([' ', ','])
        } else {
            after
        };
        Some((bytes, text.len() - after.len()))
    }
}

/// A letter for each of dots and dashes, as the telegraph has them.
const MORSE: [(&str, char); 36] = [
    (".-", 'a'),
    ("-...", 'b'),
    ("-.-.", 'c'),
    ("-..", 'd'),
    (".", 'e'),
    ("..-.", 'f'),
    ("--.", 'g'),
    ("....", 'h'),
    ("..", 'i'),
    (".---", 'j'),
    ("-.-", 'k'),
    (".-..", 'l'),
    ("--", 'm'),
    ("-.", 'n'),
    ("---", 'o'),
    (".--.", 'p'),
    ("--.-", 'q'),
    (".-.", 'r'),
    ("...", 's'),
    ("-", 't'),
    ("..-", 'u'),
    ("...-", 'v'),
    (".--", 'w'),
    ("-..-", 'x'),
    ("-.--", 'y'),
    ("--..", 'z'),
    ("-----", '0'),
    (".----", '1'),
    ("..---", '2'),
    ("...--", '3'),
    ("....-", '4'),
    (".....", '5'),
    ("-....", '6'),
    ("--...", '7'),
    ("---..", '8'),
    ("----.", '9'),
];

/// What the dots and dashes of a text say, with a slash or three spaces between words.
pub(super) fn telegraphed(text: &str) -> Option<String> {
    let signs: String = text
        .chars()
        .map(|c| match c {
            '·' | '•' | '∙' => '.',
            '–' | '—' | '−' | '_' => '-',
            other => other,
        })
        .collect();
    let letter = |code: &str| {
        MORSE
            .iter()
            .find(|(known, _)| *known == code)
            .map(|(_, letter)| *letter)
    };
    let spaced = signs.replace("   ", " / ").replace(['/', '|'], " / ");
    let pieces: Vec<&str> = spaced.split_whitespace().collect();
    let letters = pieces
        .iter()
        .filter(|piece| letter(piece).is_some())
        .count();
    (letters >= LEAST_NUMBERS).then(|| {
        pieces
            .iter()
            .map(|piece| letter(piece).unwrap_or(' '))
            .collect()
    })
}
