//! Formulas as a converter writes them, held to MathML Core and to what works under a strict policy.
//!
//! The markup is written anew: elements and attributes are taken from the lists here, values have letters that cannot end
//! them, and inline styles, which a package's policy forbids, become classes of ours.

use crate::tags::{self, Piece};
use crate::text;

/// Deeper than any formula a person wrote.
const LEVELS: usize = 120;

const ELEMENTS: [&str; 24] = [
    "merror",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
];

const ATTRIBUTES: [&str; 24] = [
    "accent",
    "accentunder",
    "columnspan",
    "depth",
    "displaystyle",
    "fence",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathbackground",
    "mathcolor",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "rowspan",
    "rspace",
    "scriptlevel",
    "separator",
    "stretchy",
    "symmetric",
    "width",
];

/// What words within a formula may be set in, without any attribute.
const IN_WORDS: [&str; 6] = ["b", "code", "em", "i", "s", "u"];

/// Inline styles and the classes that stand for them; styles that are not among them are left out.
const STYLES: [(&str, &str); 17] = [
    ("text-align:left", "math-start"),
    ("text-align:right", "math-end"),
    ("padding-left:0", "math-tight-before"),
    ("padding-right:0", "math-tight-behind"),
    ("padding-left:1em", "math-apart"),
    ("padding-top:0.1667em", "math-low"),
    ("width:50%", "math-half"),
    ("width:100%", "math-whole"),
    ("margin-left:-0.16666667em", "math-back-3"),
    ("margin-left:-0.22222222em", "math-back-4"),
    ("margin-left:-0.2222222em", "math-back-4"),
    ("margin-left:-0.2777778em", "math-back-5"),
    ("border-top:0.05emsolidcurrentcolor", "math-line-above"),
    ("border-bottom:0.05emsolidcurrentcolor", "math-line-below"),
    ("border-left:0.05emsolidcurrentcolor", "math-line-before"),
    ("border-right:0.05emsolidcurrentcolor", "math-line-behind"),
    ("font-variant-caps:small-caps", "math-small-caps"),
];

/// Lines through something.
const STRUCK: [(&str, &str); 4] = [
    ("updiagonalstrike", "math-struck-up"),
    ("downdiagonalstrike", "math-struck-down"),
    ("horizontalstrike", "math-struck-through"),
    ("updiagonalstrike downdiagonalstrike", "math-struck-across"),
];

/// The formula for a page, with its source beside it; none where the converter wrote what is not allowed.
pub fn whole(converted: &str, source: &str, is_block: bool) -> Option<String> {
    let inside = inside(converted)?;
    let source = text::escape_html(source);
    let all = format!(
        "<semantics><mrow>{inside}</mrow>\
         <annotation encoding=\"application/x-tex\">{source}</annotation></semantics></math>"
    );
    // A browser that looks for the first letter of a paragraph passes over what has a direction, but not over formulas.
    Some(if is_block {
        format!("<span dir=\"ltr\"><math dir=\"ltr\" display=\"block\">{all}</span>")
    } else {
        // What can be moved where it is wider than the page, and stands on the line all the same.
        format!("<span class=\"formula\" dir=\"ltr\"><math dir=\"ltr\">{all}</span>")
    })
}

/// What stands within `<math>`, written anew.
fn inside(converted: &str) -> Option<String> {
    let mut writing = Writing {
        out: String::with_capacity(converted.len()),
        open: Vec::new(),
    };
    for piece in tags::pieces(converted) {
        match piece {
            // Browsers put the small arrow beside the letter and the large one above it.
            Piece::Text(text) => {
                let text = entities(text)?.replace('\u{20d7}', "\u{2192}");
                writing.out.push_str(&text);
            }
            Piece::Tag(tag) if tag.starts_with('/') => writing.end(tags::name(tag))?,
            Piece::Tag(tag) => writing.start(tag)?,
        }
        if writing.open.len() > LEVELS {
            return None;
        }
    }
    writing.open.is_empty().then_some(writing.out)
}

struct Writing<'a> {
    out: String,
    /// The elements that are not closed yet, and where each began.
    open: Vec<(&'a str, usize)>,
}

impl<'a> Writing<'a> {
    fn start(&mut self, tag: &'a str) -> Option<()> {
        let name = tags::name(tag);
        let is_empty = tag.ends_with('/');
        let around = self.open.last().map(|(name, _)| *name);
        if !is_empty {
            self.open.push((name, self.out.len()));
        }
        match name {
            "math" => return (self.open.len() == 1).then_some(()),
            // Letters of another kind are letters still.
            "span" => return Some(()),
            _ if IN_WORDS.contains(&tag) => {
                let is_within =
                    around.is_some_and(|name| name == "mtext" || IN_WORDS.contains(&name));
                is_within.then_some(())?;
            }
            "menclose" => {
                let class = struck(tag)?;
                self.out
                    .push_str(&["<mrow class=\"", class, "\">"].concat());
                return Some(());
            }
            _ => ELEMENTS.contains(&name).then_some(())?,
        }
        // With an index of its own a bracket grows only in a row.
        if name == "mo" && tag.contains(" minsize=") {
            self.out.push_str("<mrow>");
        }
        self.out
            .push_str(&["<", name, &attributes(tag)?, ">"].concat());
        if is_empty {
            self.out.push_str(&["</", name, ">"].concat());
        }
        Some(())
    }

    fn end(&mut self, name: &str) -> Option<()> {
        let (opened, start) = self.open.pop()?;
        (opened == name).then_some(())?;
        match name {
            "math" | "span" => {}
            "menclose" => self.out.push_str("</mrow>"),
            "mo" if self
                .out
                .get(start..)
                .is_some_and(|mo| mo.starts_with("<mrow>")) =>
            {
                self.out.push_str("</mo></mrow>");
            }
            "msup" if is_primed(&self.out) => {
                let power = self.out.split_off(start);
                self.out.push_str("<mrow>");
                self.out.push_str(power.strip_prefix("<msup>")?);
                self.out.push_str("</mrow>");
            }
            _ => {
                if name == "mtable" {
                    self.close_off(start);
                }
                self.out.push_str(&["</", name, ">"].concat());
            }
        }
        Some(())
    }

    /// A line below the last row of a table: to the converter it is the line above one more row, in which nothing stands.
    fn close_off(&mut self, start: usize) {
        let table = self.out.get(start..).unwrap_or_default();
        let Some((rows, last)) = table.rsplit_once("<mtr>") else {
            return;
        };
        let mut words = tags::pieces(last).into_iter();
        let is_empty = words.all(|piece| matches!(piece, Piece::Tag(_)));
        let is_lined = is_empty && last.starts_with("<mtd class=\"math-line-above");
        if let Some((tag, rows)) = rows.split_once('>').filter(|_| is_lined) {
            let tag = match tag.split_once(" class=\"") {
                Some((before, after)) => format!("{before} class=\"math-line-below {after}"),
                None => format!("{tag} class=\"math-line-below\""),
            };
            let closed = format!("{tag}>{rows}");
            self.out.truncate(start);
            self.out.push_str(&closed);
        }
    }
}

/// Whether what was just closed is a prime. It is high as it stands, and browsers would raise it and make it small.
fn is_primed(out: &str) -> bool {
    let text = out
        .strip_suffix("</mo>")
        .and_then(|out| out.rsplit_once('>'));
    text.is_some_and(|(_, text)| {
        !text.is_empty()
            && text
                .chars()
                .all(|c| matches!(c, '\u{2032}'..='\u{2034}' | '\u{2057}'))
    })
}

/// The text, if it has no entities but those of XML.
fn entities(text: &str) -> Option<&str> {
    let known = ["amp;", "lt;", "gt;", "quot;", "#x27;", "#39;"];
    let is_known = |rest: &str| known.iter().any(|entity| rest.starts_with(entity));
    let all_known = text.split('&').skip(1).all(is_known);
    (all_known && !text.contains('>')).then_some(text)
}

fn struck(tag: &str) -> Option<&'static str> {
    let (_, notation) = tags::attributes(tag)
        .into_iter()
        .find(|(name, _)| *name == "notation")?;
    let known = STRUCK.into_iter().find(|(known, _)| *known == notation);
    known.map(|(_, class)| class)
}

/// The attributes that are allowed, and classes in place of styles; none where one of them is not known.
fn attributes(tag: &str) -> Option<String> {
    let (mut kept, mut classes) = (String::new(), Vec::new());
    for (name, value) in tags::attributes(tag) {
        match name {
            // A table within a script is as small as the script.
            "scriptlevel" if tags::name(tag) == "mtable" => {}
            "style" => styles(value, &mut classes, &mut kept)?,
            // How the converter draws a line through something; ours are drawn otherwise.
            "class" if value.starts_with("menclose-") => {}
            _ if ATTRIBUTES.contains(&name) && is_plain(value) => {
                kept.push_str(&[" ", name, "=\"", value, "\""].concat());
            }
            _ => return None,
        }
    }
    if !classes.is_empty() {
        kept.push_str(&[" class=\"", &classes.join(" "), "\""].concat());
    }
    Some(kept)
}

fn is_plain(value: &str) -> bool {
    value
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '%' | '#'))
}

/// Colours have attributes of their own; what else is known has a class.
fn styles(value: &str, classes: &mut Vec<&str>, kept: &mut String) -> Option<()> {
    for declaration in value.split(';') {
        let plain: String = declaration.split_whitespace().collect();
        let colour = [
            ("color:", "mathcolor"),
            ("background-color:", "mathbackground"),
        ];
        let colour = colour
            .into_iter()
            .find_map(|(style, name)| Some((name, plain.strip_prefix(style)?)));
        if let Some((name, colour)) = colour {
            is_plain(colour).then_some(())?;
            kept.push_str(&[" ", name, "=\"", colour, "\""].concat());
        }
        let class = STYLES.into_iter().find(|(style, _)| *style == plain);
        classes.extend(class.map(|(_, class)| class));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_listed_passes() {
        let passed = inside(
            "<math display=\"block\"><mi mathvariant=\"normal\">x</mi><mspace width=\"1em\"/></math>",
        );
        assert_eq!(
            passed.unwrap(),
            "<mi mathvariant=\"normal\">x</mi><mspace width=\"1em\"></mspace>"
        );
        let words = "<math><mtext><b><i>x</i></b></mtext></math>";
        assert_eq!(inside(words).unwrap(), "<mtext><b><i>x</i></b></mtext>");
        for refused in [
            "<math><a href=\"javascript:x\">y</a></math>",
            "<math><mtext><script>x</script></mtext></math>",
            "<math><annotation-xml>x</annotation-xml></math>",
            "<math><mi onclick=\"x\">y</mi></math>",
            "<math><mi mathvariant=\"a b\">y</mi></math>",
            "<math><mi>y</math>",
            "<math><mi>&nbsp;</mi></math>",
            "<math><mrow><b>x</b></mrow></math>",
            "<math><mtext><b class=\"x\">x</b></mtext></math>",
            "<math><math><mi>x</mi></math></math>",
        ] {
            assert_eq!(inside(refused), None, "{refused}");
        }
    }

    #[test]
    fn primes_are_raised_once_and_arrows_are_the_large_ones() {
        let given = "<math><msup><mi>f</mi><mo>\u{2033}</mo></msup><msup><mi>x</mi><mn>2</mn></msup><mo>\u{20d7}</mo></math>";
        assert_eq!(
            inside(given).unwrap(),
            "<mrow><mi>f</mi><mo>\u{2033}</mo></mrow><msup><mi>x</mi><mn>2</mn></msup><mo>\u{2192}</mo>"
        );
    }

    #[test]
    fn a_large_bracket_stands_in_a_row() {
        let given = "<math><msub><mo minsize=\"2em\">)</mo><mn>0</mn></msub></math>";
        assert_eq!(
            inside(given).unwrap(),
            "<msub><mrow><mo minsize=\"2em\">)</mo></mrow><mn>0</mn></msub>"
        );
    }

    #[test]
    fn a_line_below_the_last_row_closes_the_table() {
        let line = "style=\"border-top: 0.05em solid currentcolor;\"";
        let given = format!(
            "<math><mtable {line}><mtr><mtd><mn>1</mn></mtd></mtr><mtr><mtd {line}></mtd></mtr></mtable></math>"
        );
        assert_eq!(
            inside(&given).unwrap(),
            "<mtable class=\"math-line-below math-line-above\"><mtr><mtd><mn>1</mn></mtd></mtr></mtable>"
        );
        let open = "<math><mtable><mtr><mtd></mtd></mtr></mtable></math>";
        assert_eq!(
            inside(open).unwrap(),
            "<mtable><mtr><mtd></mtd></mtr></mtable>"
        );
    }

    #[test]
    fn styles_become_classes_and_colours_attributes() {
        let given = "<math><mtd style=\"text-align: left;justify-items: start;padding-left: 0;\"><mrow style=\"color:#ff0000;\"></mrow></mtd></math>";
        assert_eq!(
            inside(given).unwrap(),
            "<mtd class=\"math-start math-tight-before\"><mrow mathcolor=\"#ff0000\"></mrow></mtd>"
        );
    }
}
