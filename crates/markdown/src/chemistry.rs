//! `\ce{…}`: formulas, charges, states and arrows of chemistry, written out as TeX.
//!
//! A part of what the package mhchem takes, and nothing else: what is not understood is not guessed.

use crate::braces::{braced, closed};

/// `tex` with every `\ce{…}` written out; none where one of them is not understood.
pub fn written_out(tex: &str) -> Option<String> {
    let mut out = String::with_capacity(tex.len());
    let mut rest = tex;
    while let Some((before, after)) = rest.split_once("\\ce{") {
        let (inside, tail) = braced(after)?;
        out.push_str(before);
        out.push_str(&equation(inside)?);
        rest = tail;
    }
    out.push_str(rest);
    Some(out)
}

/// Arrows, the longer ones first, alone and with something above or below.
const ARROWS: [(&str, &str, &str); 7] = [
    ("<=>>", "\\rightleftharpoons", ""),
    ("<<=>", "\\rightleftharpoons", ""),
    ("<-->", "\\leftrightarrow", ""),
    ("<=>", "\\rightleftharpoons", "\\xrightleftharpoons"),
    ("<->", "\\leftrightarrow", "\\xleftrightarrow"),
    ("->", "\\longrightarrow", "\\xrightarrow"),
    ("<-", "\\longleftarrow", "\\xleftarrow"),
];

fn equation(text: &str) -> Option<String> {
    let mut out = String::from("{");
    let mut rest = text.trim();
    while !rest.is_empty() {
        if let Some((made, tail)) = arrow(rest) {
            out.push_str(&made?);
            rest = tail.trim_start();
            continue;
        }
        let (word, tail) = word(rest);
        out.push_str(&sign(word).map_or_else(|| molecule(word), |sign| Some(sign.to_owned()))?);
        let spaced = tail.trim_start();
        // A state stands a little apart from what is in it.
        if spaced.len() < tail.len() && spaced.starts_with('(') {
            out.push_str("\\,");
        }
        rest = spaced;
    }
    out.push('}');
    Some(out)
}

/// The arrow at the beginning, which is none where it cannot be drawn, and what is behind it.
fn arrow(text: &str) -> Option<(Option<String>, &str)> {
    let (sign, plain, labelled) = ARROWS
        .into_iter()
        .find(|(sign, _, _)| text.starts_with(sign))?;
    let mut rest = text.strip_prefix(sign)?;
    let mut labels = Vec::new();
    while let Some((label, tail)) = rest
        .strip_prefix('[')
        .and_then(|inside| closed(inside, '[', ']'))
    {
        labels.push(label);
        rest = tail;
    }
    let made = match labels.as_slice() {
        [] => Some(format!(" {plain} ")),
        _ if labelled.is_empty() => None,
        [above] => label(above).map(|above| format!(" {labelled}{{{above}}} ")),
        [above, below] => label(above)
            .zip(label(below))
            .map(|(above, below)| format!(" {labelled}[{below}]{{{above}}} ")),
        _ => None,
    };
    Some((made, rest))
}

/// What stands on an arrow: TeX if it begins like that, words if it has small letters alone, chemistry otherwise.
fn label(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(inside) = text
        .strip_prefix("{")
        .and_then(|rest| rest.strip_suffix('}'))
    {
        return Some(format!("\\text{{{inside}}}"));
    }
    let is_command = text
        .strip_prefix('\\')
        .is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic()));
    if is_command {
        return Some(text.to_owned());
    }
    if !text.is_empty() && text.chars().all(|c| c.is_lowercase() || c == ' ') {
        return Some(format!("\\text{{{text}}}"));
    }
    equation(text)
}

/// What stands up to the next blank or arrow.
fn word(text: &str) -> (&str, &str) {
    let mut end = text.find(char::is_whitespace).unwrap_or(text.len());
    for (sign, _, _) in ARROWS {
        // A minus before `>` would be a charge otherwise.
        end = text
            .find(sign)
            .filter(|at| *at > 0)
            .map_or(end, |at| at.min(end));
    }
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Signs that stand alone.
fn sign(word: &str) -> Option<&'static str> {
    match word {
        "+" => Some(" + "),
        "*" | "." => Some("\\cdot "),
        "v" => Some("{\\downarrow}"),
        "^" => Some("{\\uparrow}"),
        _ => None,
    }
}

/// How far a molecule has been read.
struct Reading<'a> {
    rest: &'a str,
    out: String,
    /// Whether something stands there that an index or a charge belongs to.
    has_base: bool,
}

fn molecule(word: &str) -> Option<String> {
    let mut reading = Reading {
        rest: word,
        out: String::new(),
        has_base: false,
    };
    while let Some(c) = reading.rest.chars().next() {
        reading.step(c)?;
    }
    Some(reading.out)
}

impl<'a> Reading<'a> {
    fn step(&mut self, c: char) -> Option<()> {
        match c {
            _ if c.is_ascii_alphabetic() => {
                self.letters();
                Some(())
            }
            _ if c.is_ascii_digit() => self.digits(),
            '(' | '[' => self.plain(c, "", false),
            ')' | ']' => self.plain(c, "", true),
            '^' => self.raised(),
            '_' => self.lowered(),
            '+' | '-' if self.has_base && self.is_charge() => {
                self.push(&format!("^{{{c}}}"));
                self.skip(1)
            }
            '-' if self.has_base => self.plain(c, "{-}", false),
            '=' if self.has_base => self.plain(c, "{=}", false),
            '#' if self.has_base => self.plain(c, "{\\equiv}", false),
            '*' | '.' => self.plain(' ', "\\cdot ", false),
            _ => None,
        }
    }

    fn push(&mut self, tex: &str) {
        self.out.push_str(tex);
    }

    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.rest = self.rest.get(bytes..)?;
        Some(())
    }

    /// The run at the beginning, taken off.
    fn run(&mut self, of: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c: char| !of(c)).unwrap_or(self.rest.len());
        let (run, rest) = self.rest.split_at_checked(end).unwrap_or(("", self.rest));
        self.rest = rest;
        run
    }

    fn plain(&mut self, c: char, tex: &str, is_base: bool) -> Option<()> {
        if tex.is_empty() {
            self.out.push(c);
        } else {
            self.push(tex);
        }
        self.has_base = is_base;
        self.skip(1)
    }

    fn letters(&mut self) {
        let run = self.run(|c| c.is_ascii_alphabetic());
        self.push(&format!("\\mathrm{{{run}}}"));
        self.has_base = true;
    }

    /// An index behind a base, else how many there are.
    fn digits(&mut self) -> Option<()> {
        let run = self.run(|c| c.is_ascii_digit() || c == '.');
        if self.has_base {
            self.push(&format!("_{{{run}}}"));
            return Some(());
        }
        let Some(below) = self.rest.strip_prefix('/') else {
            self.push(&format!("{run}\\,"));
            return Some(());
        };
        self.rest = below;
        let below = self.run(|c| c.is_ascii_digit());
        self.push(&format!("\\tfrac{{{run}}}{{{below}}}\\,"));
        (!below.is_empty()).then_some(())
    }

    /// Whether the sign at the beginning ends what it stands at.
    fn is_charge(&self) -> bool {
        let after = self.rest.chars().nth(1);
        after.is_none_or(|c| matches!(c, ')' | ']' | '(' | '['))
    }

    fn raised(&mut self) -> Option<()> {
        self.script('^', |c| c.is_ascii_digit() || matches!(c, '+' | '-'))
    }

    fn lowered(&mut self) -> Option<()> {
        self.script('_', |c| c.is_ascii_digit())
    }

    fn script(&mut self, mark: char, of: impl Fn(char) -> bool) -> Option<()> {
        self.skip(1)?;
        let value = match self.rest.strip_prefix('{').and_then(braced) {
            Some((inside, tail)) => {
                self.rest = tail;
                inside
            }
            None => self.run(of),
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-');
        if value.is_empty() || !value.chars().all(is_plain) {
            return None;
        }
        if !self.has_base && !self.out.ends_with('}') {
            self.push("{}");
        }
        let value = if value.chars().any(|c| c.is_ascii_alphabetic()) {
            format!("\\mathrm{{{value}}}")
        } else {
            value.to_owned()
        };
        self.push(&format!("{mark}{{{value}}}"));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_charges_states_and_arrows_are_understood() {
        let cases = [
            ("\\ce{H2O}", "{\\mathrm{H}_{2}\\mathrm{O}}"),
            (
                "\\ce{2H2 + O2 -> 2H2O}",
                "{2\\,\\mathrm{H}_{2} + \\mathrm{O}_{2} \\longrightarrow 2\\,\\mathrm{H}_{2}\\mathrm{O}}",
            ),
            ("\\ce{SO4^2-}", "{\\mathrm{SO}_{4}^{2-}}"),
            ("\\ce{Na+ (aq)}", "{\\mathrm{Na}^{+}\\,(\\mathrm{aq})}"),
            (
                "\\ce{[Fe(CN)6]^4-}",
                "{[\\mathrm{Fe}(\\mathrm{CN})_{6}]^{4-}}",
            ),
            ("x\\ce{^{14}_6C}y", "x{{}^{14}_{6}\\mathrm{C}}y"),
            (
                "\\ce{A ->[\\Delta] B}",
                "{\\mathrm{A} \\xrightarrow{\\Delta} \\mathrm{B}}",
            ),
            ("\\ce{C#C}", "{\\mathrm{C}{\\equiv}\\mathrm{C}}"),
            ("\\ce{1/2O2}", "{\\tfrac{1}{2}\\,\\mathrm{O}_{2}}"),
        ];
        for (given, wanted) in cases {
            assert_eq!(written_out(given).as_deref(), Some(wanted), "{given}");
        }
    }

    #[test]
    fn what_is_not_understood_is_not_guessed() {
        for given in [
            "\\ce{H2O",
            "\\ce{$x$}",
            "\\ce{A ->[a][b][c] B}",
            "\\ce{\\frac{1}{2}}",
            "\\ce{A^}",
        ] {
            assert_eq!(written_out(given), None, "{given}");
        }
        assert_eq!(written_out("a + b").as_deref(), Some("a + b"));
    }
}
