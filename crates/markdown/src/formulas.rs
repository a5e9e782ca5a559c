//! TeX as MathML: what the converter is given, what it may take, and what becomes of the rest.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

use crate::braces::rewritten;
use crate::{chemistry, commands, mathml, text};

/// The longest formula.
pub const BYTES: usize = 4 * 1024;
/// Formulas of one text; behind them TeX is shown.
pub const MOST: usize = 1000;
/// Braces within braces.
const LEVELS: usize = 40;
/// Commands of one formula: each may stand inside the one before it, with no brace between them.
const COMMANDS: usize = 400;

static CONVERTER: LazyLock<Option<LatexToMathML>> = LazyLock::new(|| {
    let config = MathCoreConfig {
        macros: commands::MEANINGS
            .map(|(name, meaning)| (name.to_owned(), meaning.to_owned()))
            .into(),
        // Lines through something: the styles are ours.
        allow_unreliable_rendering: true,
        ..MathCoreConfig::default()
    };
    LatexToMathML::new(config).ok()
});

/// The formula as MathML, or why it is not.
pub fn converted(tex: &str, is_block: bool) -> Result<String, String> {
    bounded(tex)?;
    let display = if is_block {
        MathDisplay::Block
    } else {
        MathDisplay::Inline
    };
    let chemistry = chemistry::written_out(tex)
        .ok_or_else(|| "a part of its \\ce{…} is not understood".to_owned())?;
    let made = mathml_of(&amended(&chemistry), display)?;
    mathml::whole(&made, tex, is_block)
        .ok_or_else(|| "it needs more than formulas may have".to_owned())
}

/// What the converter writes. It panics where it meets what it thinks cannot be, and a formula is no reason for that.
fn mathml_of(tex: &str, display: MathDisplay) -> Result<String, String> {
    let converter = CONVERTER.as_ref().ok_or("nothing converts it")?;
    // It is not changed by what it converts: every call has a state of its own.
    let made = catch_unwind(AssertUnwindSafe(|| {
        converter.convert_with_local_state(tex, display)
    }));
    match made {
        Ok(Ok(made)) => Ok(made.mathml),
        Ok(Err(error)) => Err(reason(&error.to_string())),
        Err(_) => Err("it is not understood".to_owned()),
    }
}

/// The formula as it was written.
pub fn as_written(tex: &str, is_block: bool) -> String {
    let escaped = text::escape_html(tex.trim());
    let class = if is_block { "tex block" } else { "tex" };
    format!("<code class=\"{class}\" dir=\"ltr\">{escaped}</code>")
}

fn bounded(tex: &str) -> Result<(), String> {
    if tex.len() > BYTES {
        return Err(format!("it is longer than {BYTES} bytes"));
    }
    if tex.matches('\\').count() > COMMANDS {
        return Err(format!("it has more than {COMMANDS} commands"));
    }
    // The converter would panic.
    if !columns_are_of_tables(tex) {
        return Err("it has columns (&) where no table is".to_owned());
    }
    let (mut depth, mut deepest) = (0_usize, 0);
    for c in tex.chars() {
        match c {
            '{' => depth = depth.saturating_add(1),
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    if deepest > LEVELS {
        return Err(format!("it nests more than {LEVELS} levels deep"));
    }
    Ok(())
}

/// What is open while TeX is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Table,
    Other,
}

/// Whether every `&` stands in a table and in nothing else within it.
fn columns_are_of_tables(tex: &str) -> bool {
    let mut open = Vec::new();
    let mut rest = tex;
    while let Some(at) = rest.find(['{', '}', '&', '\\']) {
        let (_, found) = rest.split_at_checked(at).unwrap_or_default();
        let (taken, is_right) = group(found, &mut open);
        if !is_right {
            return false;
        }
        rest = found.get(taken..).unwrap_or_default();
    }
    true
}

/// Reads what begins or ends a group, or a column: how long it is, and whether it is where it may be.
fn group(found: &str, open: &mut Vec<Group>) -> (usize, bool) {
    let mut is_right = true;
    let marks = [
        ("\\begin{", Some(Group::Table)),
        ("\\end{", None),
        ("\\left", Some(Group::Other)),
        ("\\right", None),
        ("{", Some(Group::Other)),
        ("}", None),
    ];
    let mark = marks.into_iter().find(|(mark, _)| {
        let behind = found.strip_prefix(mark);
        // `\leftarrow` is another command.
        let goes_on =
            behind.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        behind.is_some() && !(goes_on && mark.ends_with('t'))
    });
    match mark {
        Some((mark, begun)) => {
            if let Some(group) = begun {
                open.push(group);
            } else {
                open.pop();
            }
            // The name of a table is no group of its own.
            let name = if mark.len() > 1 && mark.ends_with('{') {
                found
                    .find('}')
                    .map_or(found.len(), |end| end.saturating_add(1))
            } else {
                mark.len()
            };
            (name, is_right)
        }
        None if found.starts_with('\\') => {
            let escaped = found.chars().nth(1).map_or(0, char::len_utf8);
            (escaped.saturating_add(1), is_right)
        }
        None => {
            is_right = open.last() == Some(&Group::Table);
            (1, is_right)
        }
    }
}

/// The converter's words, on one line and without what it says of places.
fn reason(error: &str) -> String {
    let line = error
        .lines()
        .next()
        .unwrap_or_default()
        .trim_end_matches('.');
    let mut letters = line.chars();
    let first = letters.next().map(|c| c.to_lowercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

/// What the converter is given in place of what it does not take.
fn amended(tex: &str) -> String {
    let mut out = tex.to_owned();
    for (written, instead) in commands::INSTEAD {
        out = out.replace(written, instead);
    }
    let boxed = |inside: &str| {
        format!("\\begin{{array}}{{|c|}}\\hline\\displaystyle {inside}\\\\ \\hline\\end{{array}}")
    };
    // A number that an author gave an equation stands behind it.
    let tagged = |inside: &str| format!("\\qquad\\text{{({inside})}}");
    let bare = |inside: &str| format!("\\qquad\\text{{{inside}}}");
    for table in ["alignat", "alignat*", "alignedat"] {
        // How many columns it has is seen in it.
        let begun = |_: &str| "\\begin{aligned}".to_owned();
        out = rewritten(&out, &format!("\\begin{{{table}}}"), &begun);
    }
    out = rewritten(&out, "\\fbox", &|inside| {
        format!("\\boxed{{\\text{{{inside}}}}}")
    });
    out = rewritten(&out, "\\boxed", &boxed);
    out = rewritten(&rewritten(&out, "\\tag*", &bare), "\\tag", &tagged);
    out = rewritten(&out, "\\label", &|_| String::new());
    for style in ["\\displaystyle", "\\textstyle", "\\scriptstyle"] {
        out = within_cells(&out, style);
    }
    out
}

/// A style ends with its cell; to the converter it goes on behind it, and that is one of the things at which it panics.
fn within_cells(tex: &str, style: &str) -> String {
    if !tex.contains("\\begin{") {
        return tex.to_owned();
    }
    let mut out = String::with_capacity(tex.len());
    let mut rest = tex;
    while let Some((before, after)) = rest.split_once(style) {
        let (cell, tail) = after
            .split_at_checked(cell_end(after))
            .unwrap_or((after, ""));
        let styled = within_cells(cell, style);
        out.push_str(&[before, "{", style, &styled, "}"].concat());
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// Where the cell ends in the midst of which `tex` begins.
fn cell_end(tex: &str) -> usize {
    let (mut braces, mut tables) = (0_usize, 0_usize);
    for (at, c) in tex.char_indices() {
        let rest = tex.get(at..).unwrap_or_default();
        let is_outside = braces == 0 && tables == 0;
        match c {
            '{' => braces = braces.saturating_add(1),
            '}' | '&' if is_outside => return at,
            '}' => braces = braces.saturating_sub(1),
            '\\' if rest.starts_with("\\begin{") => tables = tables.saturating_add(1),
            '\\' if is_outside && (rest.starts_with("\\\\") || rest.starts_with("\\end{")) => {
                return at;
            }
            '\\' if rest.starts_with("\\end{") => tables = tables.saturating_sub(1),
            _ => {}
        }
    }
    tex.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::strategy::Strategy;
    use std::time::{Duration, Instant};

    #[test]
    fn a_formula_keeps_its_source() {
        let made = converted(r"x_1 < \frac{1}{2}", false).unwrap();
        assert!(
            made.starts_with("<span class=\"formula\" dir=\"ltr\"><math dir=\"ltr\"><semantics>"),
            "{made}"
        );
        assert!(made.contains("<msub><mi>x</mi><mn>1</mn></msub>"), "{made}");
        assert!(made.contains(
            "<annotation encoding=\"application/x-tex\">x_1 &lt; \\frac{1}{2}</annotation>"
        ));
        let block = converted("x", true).unwrap();
        assert!(block.starts_with("<span dir=\"ltr\"><math dir=\"ltr\" display=\"block\">"));
        assert!(block.ends_with("</math></span>"));
    }

    #[test]
    fn what_cannot_be_converted_says_why() {
        for (tex, why) in [
            (r"\nosuchthing", "nosuchthing"),
            (r"\frac{1}", "expected"),
            (r"\ce{$x$}", "\\ce"),
        ] {
            let told = converted(tex, false).unwrap_err();
            assert!(told.contains(why), "{tex}: {told}");
        }
        assert_eq!(
            as_written(" a<b ", true),
            "<code class=\"tex block\" dir=\"ltr\">a&lt;b</code>"
        );
    }

    #[test]
    fn columns_are_known_where_they_may_stand() {
        for right in [
            r"\begin{cases} a & \text{b} \\ {c} & d \end{cases}",
            r"a \& b",
            r"\begin{matrix} \left( a \right) & \leftarrow & b \end{matrix}",
            r"\left( \begin{matrix} a & b \end{matrix} \right)",
        ] {
            assert!(columns_are_of_tables(right), "{right}");
        }
        for wrong in [
            "a & b",
            r"\begin{cases} {a & b} \end{cases}",
            r"\begin{cases} \left( a & b \right) \end{cases}",
            r"\begin{cases} a \end{cases} & b",
        ] {
            assert!(!columns_are_of_tables(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_style_ends_with_its_cell() {
        let cases =
            r"\begin{cases} \displaystyle \frac{1}{2} & x \\ \displaystyle y & z \end{cases}";
        assert_eq!(
            within_cells(cases, r"\displaystyle"),
            r"\begin{cases} {\displaystyle \frac{1}{2} }& x \\ {\displaystyle y }& z \end{cases}"
        );
        assert!(converted(cases, true).is_ok());
        assert!(
            converted(r"\boxed{x = 42}", true)
                .unwrap()
                .contains("math-line-above")
        );
        assert!(
            converted(r"E = mc^2 \tag{1}", true)
                .unwrap()
                .contains("<mtext>(1)</mtext>")
        );
    }

    #[test]
    fn what_the_converter_does_not_have_is_written_otherwise() {
        for (name, _) in commands::MEANINGS {
            let tex = format!("{{\\{name}{{red}}{{b}}}}");
            assert!(
                converted(&tex, false).is_ok(),
                "{tex}: {:?}",
                converted(&tex, false)
            );
        }
        for tex in [
            r"\begin{split} a &= b \\ c &= d \end{split}",
            r"\begin{eqnarray} a &=& b \\ c &=& d \end{eqnarray}",
            r"\begin{alignat}{2} a &= b \end{alignat}",
            r"\begin{multline} a \\ b \end{multline}",
            r"\SI{9.81}{\meter\per\second\squared} \tag*{g} \label{x}",
            r"\SI{1013}{\hecto\pascal} \SI{6.4e6}{\meter\tothe{4}\per\day}",
            r"\fbox{a b} \text{\textbf{c}} \bigg|_{x = 0}",
        ] {
            assert!(
                converted(tex, true).is_ok(),
                "{tex}: {:?}",
                converted(tex, true)
            );
        }
        assert!(
            converted(r"\begin{align} a &= b \end{align}", true)
                .is_ok_and(|made| !made.contains("(1)"))
        );
    }

    #[test]
    fn nothing_of_a_formula_acts() {
        for tex in [
            r"\href{javascript:alert(1)}{x}",
            r"\url{https://example.com}",
            r"\htmlClass{a}{x}",
            r"\includegraphics{https://example.com/x.png}",
            r"\text{<script>alert(1)</script>}",
            r"\text{</annotation></semantics></math><img src=x onerror=alert(1)>}",
            r#"\color{" onclick="x}y"#,
            r"\style{background:url(x)}{y}",
            r"\label{x} \ref{x} \eqref{x}",
        ] {
            let made = converted(tex, false).unwrap_or_else(|_| as_written(tex, false));
            for bad in ["<a", "<script", "<img", "href=", " on", " style=", " id="] {
                let opened = made.split('<').skip(1);
                let tags: Vec<&str> = opened.filter_map(|rest| rest.split('>').next()).collect();
                let tags = format!("<{}>", tags.join("><"));
                // The annotation is an element too, and nobody's link.
                let tags = tags.replace("<annotation", "<");
                assert!(!tags.contains(bad), "{tex} gave {made}");
            }
        }
    }

    #[test]
    fn towers_are_refused_or_built_in_time() {
        let patience = Duration::from_secs(20);
        let within = |piece: &str| piece.repeat(BYTES / piece.len());
        let bombs = [
            "{".repeat(10_000),
            format!("{}x{}", "{".repeat(40), "}".repeat(40)),
            within(r"\frac1"),
            format!("{}x", r"\sqrt".repeat(400)),
            format!("{}x", r"\frac1".repeat(400)),
            format!("{}x", r"\hat".repeat(400)),
            format!("{}x{}", r"\left(".repeat(200), r"\right)".repeat(200)),
            format!("{}x", r"\sqrt[".repeat(400)),
            format!("{}x", r"\begin{matrix}".repeat(200)),
            format!("x{}", "^x_x".repeat(1000)),
            format!("{}x", "^".repeat(1000)),
            within("'"),
            within("x^2"),
            within("&"),
            format!("\\begin{{matrix}}x\\end{{matrix}}{}", "&".repeat(1000)),
            r"\def\a{\a\a}\a".to_owned(),
            r"\newcommand{\b}{\b\b}\b".to_owned(),
            format!("{}x", r"\boxed".repeat(400)),
            format!("{}x{}", r"\boxed{".repeat(40), "}".repeat(40)),
            format!("{}x", r"\textcolor{red}".repeat(200)),
            format!("{}x", r"\mathrm".repeat(400)),
            format!("{}x", r"\text{\text{".repeat(15)),
        ];
        for bomb in bombs {
            let start = Instant::now();
            let made = converted(&bomb, true);
            let shown: String = bomb.chars().take(30).collect();
            assert!(start.elapsed() < patience, "{shown}: {:?}", start.elapsed());
            assert!(
                made.is_err() || made.unwrap().len() < 100 * BYTES,
                "{shown}"
            );
        }
    }

    /// Pieces of TeX that may or may not belong together.
    const PIECES: &str = concat!(
        r"\\(frac|sqrt|left|right|begin|end|text|hat|boxed|tag|ce|color|displaystyle|substack|mathrm|not|limits|middle)",
        r"|\\(operatorname|sum|cancel|hline|vec|cfrac|binom|stackrel|underbrace|overset|phantom|hspace|prime|big|bigl)",
        r"|\{(matrix|cases|aligned|array|align|pmatrix|gathered|c\|c|red|1em)\}",
        r"|[{}\[\]()&^_'|]|\\\\|[a-z0-9 +=<>é-]{1,3}|#1|%|\\\$|~|\\[a-zA-Z]{1,3} ",
    );

    fn pieces() -> impl Strategy<Value = String> {
        let piece = proptest::string::string_regex(PIECES).unwrap();
        let pieces = proptest::collection::vec(piece, 0..25);
        // Most of what can go wrong goes wrong in tables.
        (pieces, 0..4).prop_map(|(pieces, within)| match within {
            0 => format!("\\begin{{cases}}{}\\end{{cases}}", pieces.concat()),
            1 => format!("\\begin{{array}}{{c|c}}{}\\end{{array}}", pieces.concat()),
            _ => pieces.concat(),
        })
    }

    proptest::proptest! {
        /// Whatever is written: elements open and close, and nobody is thrown out.
        #[test]
        fn any_tex_becomes_a_formula_or_a_reason(tex in pieces(), is_block in proptest::bool::ANY) {
            if let Ok(made) = converted(&tex, is_block) {
                let tags = crate::tags::pieces(&made);
                let opened = tags.iter().filter(|piece| matches!(piece, crate::tags::Piece::Tag(tag) if !tag.starts_with('/')));
                let closed = tags.iter().filter(|piece| matches!(piece, crate::tags::Piece::Tag(tag) if tag.starts_with('/')));
                proptest::prop_assert_eq!(opened.count(), closed.count());
                proptest::prop_assert!(made.contains("</annotation></semantics></math>"));
            }
        }
    }
}
