//! The one table of what a text may have: the sanitiser is built from it, and what it drops is told by it.

use url::Url;

use crate::media;
use crate::settings::Scope;

/// How the direction of an element is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// By its text.
    Text,
    /// Always from left to right.
    Code,
    /// It has none of its own.
    Inherited,
}

/// An element, what it may have beside `dir` and `lang`, and its direction.
type Row = (&'static str, &'static [&'static str], Flow);

const CELL: &[&str] = &["colspan", "rowspan", "scope", "class"];

/// Everything that a text may have.
const ELEMENTS: [Row; 62] = [
    ("a", &["href", "title"], Flow::Inherited),
    ("abbr", &["title"], Flow::Inherited),
    ("b", &[], Flow::Inherited),
    ("bdi", &[], Flow::Inherited),
    ("blockquote", &[], Flow::Text),
    ("br", &[], Flow::Inherited),
    ("caption", &[], Flow::Text),
    ("cite", &[], Flow::Inherited),
    ("code", &["class"], Flow::Code),
    ("col", &[], Flow::Inherited),
    ("colgroup", &[], Flow::Inherited),
    ("dd", &[], Flow::Text),
    ("del", &[], Flow::Inherited),
    ("details", &["open"], Flow::Text),
    ("dfn", &[], Flow::Inherited),
    ("div", &["class"], Flow::Text),
    ("dl", &[], Flow::Text),
    ("dt", &[], Flow::Text),
    ("em", &[], Flow::Inherited),
    ("figcaption", &[], Flow::Text),
    ("figure", &[], Flow::Text),
    ("h2", &[], Flow::Text),
    ("h3", &[], Flow::Text),
    ("h4", &[], Flow::Text),
    ("h5", &[], Flow::Text),
    ("h6", &[], Flow::Text),
    ("hr", &[], Flow::Inherited),
    ("i", &[], Flow::Inherited),
    ("img", &["src", "alt"], Flow::Inherited),
    ("ins", &[], Flow::Inherited),
    ("kbd", &[], Flow::Code),
    ("li", &[], Flow::Text),
    ("mark", &[], Flow::Inherited),
    ("ol", &["start"], Flow::Text),
    ("p", &["class"], Flow::Text),
    ("pre", &[], Flow::Code),
    ("q", &[], Flow::Inherited),
    ("rp", &[], Flow::Inherited),
    ("rt", &[], Flow::Inherited),
    ("ruby", &[], Flow::Inherited),
    ("s", &[], Flow::Inherited),
    ("samp", &[], Flow::Code),
    ("section", &["class"], Flow::Inherited),
    ("small", &[], Flow::Inherited),
    ("span", &[], Flow::Inherited),
    ("strike", &[], Flow::Inherited),
    ("strong", &[], Flow::Inherited),
    ("sub", &[], Flow::Inherited),
    ("summary", &[], Flow::Text),
    ("sup", &[], Flow::Inherited),
    ("table", &[], Flow::Text),
    ("tbody", &[], Flow::Inherited),
    ("td", CELL, Flow::Text),
    ("tfoot", &[], Flow::Inherited),
    ("th", CELL, Flow::Text),
    ("thead", &[], Flow::Inherited),
    ("tr", &[], Flow::Inherited),
    ("u", &[], Flow::Inherited),
    ("ul", &[], Flow::Text),
    ("var", &[], Flow::Inherited),
    ("wbr", &[], Flow::Inherited),
    // Where something of ours is put in later; see the fragments.
    (PLACE, &["value"], Flow::Inherited),
];

/// The element that keeps the place of a fragment. What an author can do with it is to move a fragment of the same text.
pub const PLACE: &str = "data";

/// Elements whose whole content goes with them.
pub const WITH_CONTENT: [&str; 6] = [
    "script", "style", "template", "title", "textarea", "noscript",
];

/// Taken on every element.
pub const EVERYWHERE: [&str; 2] = ["dir", "lang"];

/// Everything that HTML has and a text may not. What is in neither list is no element, and stays as text.
const FORBIDDEN: &str = " address acronym applet area article aside audio base basefont bdo bgsound big blink body button \
    canvas center command content datalist dialog dir embed fieldset fencedframe font footer form frame frameset h1 head \
    header hgroup html iframe image input isindex keygen label legend link listing main map marquee math menu menuitem meta \
    meter nav nobr noembed noframes noscript object optgroup option output param picture plaintext portal progress rb rtc \
    maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt \
    mstyle msub msubsup msup mtable mtd mtext mtr munder munderover annotation annotation-xml semantics mglyph \
    script search select selectedcontent shadow slot source style svg template textarea time title track tt video xmp ";

/// Languages whose name stays on a block of code.
const LANGUAGES: &str = " asm bash basic c c# c++ cobol console cpp cs csharp css csv dart diff docker dockerfile elixir erlang fortran \
    fsharp go golang graphql groovy haskell hs html http ini java javascript js json jsx julia kotlin kt latex lisp lua \
    makefile markdown matlab md mermaid nim nix objectivec ocaml pascal perl php plaintext powershell prolog protobuf \
    ps1 py python r rb rs ruby rust scala scheme scratch sh shell sql svg swift tex text toml ts tsx typescript vb \
    verilog vhdl xml yaml yml zig zsh ";

/// Classes that a text may have, all of them ours.
const CLASSES: [(&str, &[&str]); 5] = [
    (
        "div",
        &[
            "callout note",
            "callout tip",
            "callout important",
            "callout warning",
            "callout caution",
        ],
    ),
    ("p", &["callout-name"]),
    ("section", &["footnotes"]),
    ("td", &ALIGNED),
    ("th", &ALIGNED),
];
const ALIGNED: [&str; 3] = ["at-start", "at-middle", "at-end"];

/// What may be written about an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is taken.
    Taken,
    /// It is an element, and not taken.
    Forbidden,
    /// There is no such element.
    Unknown,
}

fn row(name: &str) -> Option<&'static Row> {
    ELEMENTS.iter().find(|(known, _, _)| *known == name)
}

fn is_word_of(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_whitespace().any(|known| known == word)
}

/// Whether an element, by its name in small letters, is taken from an author.
pub fn standing(name: &str) -> Standing {
    if name != PLACE && row(name).is_some() {
        Standing::Taken
    } else if name == PLACE || is_word_of(FORBIDDEN, name) {
        Standing::Forbidden
    } else {
        Standing::Unknown
    }
}

/// Blocks whose direction is not found by their text.
const OTHER_BLOCKS: [&str; 9] = [
    "col", "colgroup", "hr", "pre", "section", "tbody", "tfoot", "thead", "tr",
];

/// What can be followed or opened, and what only stands within it.
const ACTIVE: [&str; 3] = ["a", "details", "summary"];

/// Whether an element stands beside paragraphs or around them, and never within one.
pub fn is_block(name: &str) -> bool {
    flow(name) == Flow::Text || OTHER_BLOCKS.contains(&name)
}

/// Whether a text of this scope may have an element that others may have.
pub fn within(scope: Scope, name: &str) -> bool {
    !(scope.is_line && is_block(name) || scope.is_inert && ACTIVE.contains(&name))
}

/// Every element that passes in a text of this scope, with its attributes.
pub fn elements(scope: Scope) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    let rows = ELEMENTS.iter().map(|(name, own, _)| (*name, *own));
    rows.filter(move |(name, _)| within(scope, name))
}

/// How the direction of an element is found.
pub fn flow(name: &str) -> Flow {
    row(name).map_or(Flow::Inherited, |(_, _, flow)| *flow)
}

/// Whether an attribute passes with this value.
pub fn attribute(element: &str, name: &str, value: &str) -> bool {
    let is_own = row(element).is_some_and(|(_, own, _)| own.contains(&name));
    if !is_own && !EVERYWHERE.contains(&name) {
        return false;
    }
    match name {
        "href" => link(value),
        "class" if element == "code" => value
            .strip_prefix("language-")
            .is_some_and(|language| is_word_of(LANGUAGES, language)),
        "class" => CLASSES
            .iter()
            .any(|(known, classes)| *known == element && classes.contains(&value)),
        _ => true,
    }
}

/// The class of a block of code in this language, if there is one.
pub fn language_class(info: &str) -> Option<String> {
    let language = info
        .split([' ', ',', '{'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    is_word_of(LANGUAGES, &language).then(|| format!("language-{language}"))
}

/// Whether an address may be linked to: a whole one, and of a kind that only opens pages or mail, or a medium of the library.
pub fn link(address: &str) -> bool {
    media::is_medium(address)
        || Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "https" | "http" | "mailto"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_element_is_both_taken_and_forbidden() {
        for (name, _) in elements(Scope::default()) {
            assert!(!is_word_of(FORBIDDEN, name), "{name}");
        }
        assert_eq!(standing("script"), Standing::Forbidden);
        assert_eq!(standing("details"), Standing::Taken);
        assert_eq!(standing("y"), Standing::Unknown);
        assert_eq!(standing(PLACE), Standing::Forbidden);
    }

    #[test]
    fn classes_are_ours_alone() {
        assert!(attribute("div", "class", "callout note"));
        assert!(!attribute("div", "class", "callout note app"));
        assert!(attribute("code", "class", "language-rust"));
        assert!(!attribute("code", "class", "language-"));
        assert_eq!(language_class("Rust,ignore").unwrap(), "language-rust");
        assert_eq!(language_class("\" onclick=x"), None);
    }
}
