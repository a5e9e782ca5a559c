//! Blocks of code: what their words are told apart as, what they keep, and what they may cost.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

use std::time::{Duration, Instant};

use lyceum_markdown::{STYLE, Settings, TEXT_BYTES, render};
use proptest::prelude::*;
use rstest::rstest;

fn html_with(raw: &str, settings: &Settings<'_>) -> String {
    render(raw, settings, &mut |_| String::new()).unwrap().html
}

fn html(raw: &str) -> String {
    html_with(raw, &Settings::default())
}

/// What stands in the block, with the end of its last line.
fn whole_block(language: &str, code: &str) -> String {
    let html = html(&format!("~~~~{language}\n{code}\n~~~~"));
    let (_, inside) = html.split_once("<code").unwrap();
    let (_, inside) = inside.split_once('>').unwrap();
    inside.strip_suffix("</code></pre>\n").unwrap().to_owned()
}

/// The same without it.
fn block(language: &str, code: &str) -> String {
    let inside = whole_block(language, code);
    inside.strip_suffix('\n').unwrap_or(&inside).to_owned()
}

/// The same in short: `k[if]`.
fn short(language: &str, code: &str) -> String {
    let marked = block(language, code).replace("<span class=\"", "\u{1}");
    let marked = marked.replace("\">", "[").replace("</span>", "]");
    let marked = marked.replace('\u{1}', "");
    marked
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

fn without_spans(html: &str) -> String {
    let mut rest = html.replace("</span>", "");
    for class in "kscnftamid".chars() {
        rest = rest.replace(&format!("<span class=\"{class}\">"), "");
    }
    rest
}

#[rstest]
#[case(
    "python",
    "def f(x=1.5e-3): # why\n    return r'a\\'' + str(x)",
    "k[def] f[f](x=n[1.5e-3]): c[# why]\n    k[return] s[r'a\\''] + t[str](x)"
)]
#[case(
    "py",
    "\"\"\"a\n# b\"\"\"\n@cache\nclass A(B): pass",
    "s[\"\"\"a\n# b\"\"\"]\nm[@cache]\nk[class] t[A](t[B]): k[pass]"
)]
#[case(
    "js",
    "const a = /[/]\\//g; // b\nnew A(`t\n${a}`, a / 2 / true)",
    "k[const] a = s[/[/]\\//g]; c[// b]\nk[new] t[A](s[`t\n${a}`], a / n[2] / n[true])"
)]
#[case(
    "ts",
    "interface A { b: string; readonly c?: number }",
    "k[interface] t[A] { b: t[string]; k[readonly] c?: t[number] }"
)]
#[case("typescript", "type A = keyof B", "k[type] t[A] = k[keyof] t[B]")]
#[case(
    "rust",
    "#[derive(Debug)]\nfn f<'a>(x: &'a str) -> char { println!(r#\"\"x\"#); '\\'' /* a /* b */ c */ }",
    "m[#[derive(Debug)]]\nk[fn] f<'a>(x: &'a t[str]) -> t[char] { f[println!](s[r#\"\"x\"#]); s['\\''] c[/* a /* b */ c */] }"
)]
#[case(
    "c",
    "#include <stdio.h>\nint main(void) { return 'a' < 0x1F; }",
    "m[#include] s[<stdio.h>]\nt[int] f[main](t[void]) { k[return] s['a'] < n[0x1F]; }"
)]
#[case(
    "cpp",
    "template <class T> std::vector<T> f(const T& x);",
    "k[template] <k[class] t[T]> std::vector<t[T]> f[f](k[const] t[T]& x);"
)]
#[case(
    "java",
    "@Override public int f(List<String> a) { return a.size(); }",
    "m[@Override] k[public] t[int] f[f](t[List]<t[String]> a) { k[return] a.f[size](); }"
)]
#[case(
    "c#",
    "var a = @\"c:\\\"\"b\"; Main(null);",
    "k[var] a = s[@\"c:\\\"\"b\"]; f[Main](n[null]);"
)]
#[case(
    "go",
    "func main() { fmt.Println(`a`, nil) }",
    "k[func] f[main]() { fmt.f[Println](s[`a`], n[nil]) }"
)]
#[case(
    "sql",
    "SELECT count(*) FROM t WHERE a = 'it''s' -- b",
    "k[SELECT] f[count](*) k[FROM] t k[WHERE] a = s['it''s'] c[-- b]"
)]
#[case(
    "sh",
    "for i in $(ls); do echo \"$i\" ${x:-y} a#b --all; done # c",
    "k[for] i k[in] $(k[ls]); k[do] k[echo] s[\"$i\"] a[${x:-y}] a#b --all; k[done] c[# c]"
)]
#[case(
    "html",
    "<!-- a --><a href=\"b\" c=d>x &amp; y</a><script>let e = 1</script>",
    "c[<!-- a -->]<t[a] a[href]=s[\"b\"] a[c]=s[d]>x &amp; y</t[a]><t[script]>k[let] e = n[1]</t[script]>"
)]
#[case(
    "xml",
    "<?xml version=\"1.0\"?><a:b/><![CDATA[<c>]]>",
    "m[<?xml version=\"1.0\"?>]<t[a:b]/>s[<![CDATA[<c>]]>]"
)]
#[case(
    "css",
    "/* a */ @media print { a:hover, .b { color: #fff; margin: -1px !important } }",
    "c[/* a */] k[@media] t[print] { t[a]:t[hover], t[.b] { a[color]: n[#fff]; a[margin]: n[-1px] k[!important] } }"
)]
#[case(
    "json",
    "{\"a\" : [\"b\", -1.5, true]}",
    "{a[\"a\"] : [s[\"b\"], -n[1.5], n[true]]}"
)]
#[case(
    "yaml",
    "# a\nb c:\n  - d: \"e\" # f\n  - 5",
    "c[# a]\na[b c]:\n  - a[d]: s[\"e\"] c[# f]\n  - n[5]"
)]
#[case("toml", "[a.b]\nc = \"d\" # e", "t[[a.b]]\na[c] = s[\"d\"] c[# e]")]
#[case(
    "php",
    "<p><?php echo $a; // b\n?></p>",
    "<t[p]>m[<?php] k[echo] a[$a]; c[// b]\nm[?>]</t[p]>"
)]
#[case(
    "ruby",
    "def a?(b) = @c[:d] || \"#{b}\"",
    "k[def] f[a?](b) = a[@c][a[:d]] || s[\"#{b}\"]"
)]
#[case("matlab", "a = b'; c = 'd'; % e", "a = b'; c = s['d']; c[% e]")]
#[case("latex", "\\section{A} 5\\% % b", "k[\\section]{A} n[5]k[\\%] c[% b]")]
#[case(
    "lisp",
    "(defun f (x) (* x 2)) ; a",
    "(k[defun] f (f[x]) (f[*] x n[2])) c[; a]"
)]
#[case(
    "haskell",
    "f' :: Int -> Int {- a {- b -} -}",
    "f' :: t[Int] -> t[Int] c[{- a {- b -} -}]"
)]
#[case("vb", "Dim a As Integer ' b", "k[Dim] a k[As] t[Integer] c[' b]")]
#[case("diff", "@@ -1 +1 @@\n-a\n+b\n c", "m[@@ -1 +1 @@]\nd[-a]\ni[+b]\n c")]
fn words_are_told_apart(#[case] language: &str, #[case] code: &str, #[case] told: &str) {
    assert_eq!(short(language, code), told);
}

#[test]
fn a_language_that_nobody_has_a_table_of_stays_as_it_is() {
    for language in ["", "cobol", "mermaid", "text", "no-such"] {
        assert_eq!(
            block(language, "if (a < 1) # b"),
            "if (a &lt; 1) # b",
            "{language}"
        );
    }
    let made = render("```no-such\nx\n```", &Settings::default(), &mut |_| {
        String::new()
    });
    assert_eq!(made.unwrap().warnings, []);
    assert_eq!(html("`if`"), "<p><code dir=\"ltr\">if</code></p>\n");
}

#[test]
fn every_language_of_the_handbook_is_told_apart() {
    let page = include_str!("../../../docs/content.md");
    let (_, behind) = page.split_once("Names behind the backticks").unwrap();
    let (table, _) = behind.split_once("\n\nCode in any").unwrap();
    let names: Vec<&str> = table.split('`').skip(1).step_by(2).collect();
    assert!(names.len() > 60, "{names:?}");
    for name in names {
        let code = "if SELECT FROM 1 \"a\" \\x <a b> +\n+ a { b: 1 } (a";
        assert!(block(name, code).contains("<span class="), "{name}");
    }
}

#[test]
fn code_says_nothing_to_a_browser_whatever_is_in_it() {
    let hostile = [
        "</code></pre><script>alert(1)</script>",
        "\"</span><img src=x onerror=alert(1)>",
        "<!--><script>alert(1)</script>",
        "/* <svg onload=alert(1)> */ '&lt;script&gt;' &#60;",
        "<span class=\"k\" onclick=\"x\">a</span>",
        "<data value=\"0\"></data> $x$",
    ];
    for language in [
        "html", "js", "python", "css", "php", "yaml", "sql", "diff", "rust",
    ] {
        for code in hostile {
            let marked = whole_block(language, code);
            let bare = without_spans(&marked);
            assert!(!bare.contains('<'), "{language}: {marked}");
            assert_eq!(bare, whole_block("", code), "{language}");
        }
    }
    // What passes is ours alone: no author writes such elements.
    let written =
        html("<pre><code class=\"language-js\"><span class=\"k\">let</span> a</code></pre>");
    assert!(!written.contains("class=\"k\""), "{written}");
    let written = html("<pre><code class=\"language-js\">let a &lt; 1</code></pre>");
    assert!(
        written.contains("<span class=\"k\">let</span> a &lt; "),
        "{written}"
    );
}

#[test]
fn code_is_read_from_left_to_right_and_has_its_words() {
    let raw = "مرحبا\n\n```python\nprint(\"سلام\") # 5 kg\n```";
    let made = render(raw, &Settings::default(), &mut |_| String::new()).unwrap();
    assert_eq!(
        made.html,
        "<p dir=\"auto\">مرحبا</p>\n<pre dir=\"ltr\"><code class=\"language-python\" dir=\"ltr\"><span class=\"f\">print</span>\
         (<span class=\"s\">\"سلام\"</span>) <span class=\"c\"># 5 kg</span>\n</code></pre>\n"
    );
    assert_eq!(made.words, "مرحبا print(\"سلام\") # 5 kg");
}

#[test]
fn a_place_that_somebody_fills_stays_in_one_piece() {
    let settings = Settings {
        gap: Some("{{#"),
        ..Settings::default()
    };
    for language in ["python", "html", "css", "c"] {
        let raw = format!("```{language}\n<a {{{{#0}}}} b=\"{{{{#3}}}}\"> a {{{{#12}}}}\n```");
        let made = html_with(&raw, &settings);
        for gap in ["{{#0}}", "{{#12}}", "{{#3}}"] {
            assert!(made.contains(gap), "{language}: {made}");
        }
        assert!(made.contains("class=\"s\""), "{language}: {made}");
    }
}

#[test]
fn what_is_too_much_is_shown_as_it_is() {
    let code = |bytes: usize| "if x\n".repeat(bytes / 5);
    assert!(block("python", &code(20_000)).contains("<span"));
    assert!(!block("python", &code(21_000)).contains("<span"));
    let blocks = format!("```python\n{}```\n\n", code(20_000)).repeat(4);
    let made = html(&blocks);
    assert_eq!(made.matches("<pre").count(), 4);
    assert_eq!(made.matches("<span").count(), 3 * 4_000);
    // A small one has room behind a large one that had none.
    let behind = html(&format!("{blocks}```python\nif 1\n```"));
    assert_eq!(behind.matches("<span").count(), 3 * 4_000 + 2);
}

const NAMES: [&str; 38] = [
    "html",
    "xml",
    "php",
    "css",
    "diff",
    "vb",
    "sh",
    "c",
    "cpp",
    "cs",
    "dart",
    "docker",
    "go",
    "java",
    "hs",
    "ini",
    "js",
    "json",
    "julia",
    "kt",
    "tex",
    "lisp",
    "lua",
    "matlab",
    "objectivec",
    "pascal",
    "perl",
    "ps1",
    "py",
    "r",
    "rb",
    "rs",
    "scala",
    "sql",
    "swift",
    "ts",
    "yaml",
    "toml",
];

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_comes_to_it(
        language in proptest::sample::select(&NAMES[..]),
        pieces in proptest::collection::vec(
            "(\\PC|[a-zA-Z_]{1,6}|[0-9.xe'+-]{1,5}|[ \n\t]|/\\*|\\*/|//|<!--|<\\?php|\\?>|</?[a-z]+|[\"'`\\\\#@$:;=(){}<>/&%\\[\\]-]{1,3}|\"\"\"|r#\"|'|ß|\u{a0}){1}", 0..60),
    ) {
        // A block ends where its fence does, and control characters are no text.
        let code = pieces.concat().replace('~', "-");
        let (plain, marked) = (whole_block("", &code), whole_block(language, &code));
        prop_assert_eq!(without_spans(&marked), plain);
    }
}

/// Quadratic work on these would take far longer, on any machine and however busy it is.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn no_code_is_dear() {
    let signs = [
        "/", "=/[", "\"", "'", "`", "(", "{", "<", "<a b='", "<!--", "/*", "#[", "#[[", "${", "$",
        "@", "@a", "\\", "{{#", "{{", "a:b;", "a ", "a", "1", "1.", "0x", "r#", "r#\"", "b'", ":a",
        "- ", "-a ", "a: ", "a(", "{-", "--", "<?php", "<script>", "<style>", "a{b:", "\u{a0}",
        "ß", "=begin", "\"\"\"", "(*", "%{", "\n", " ", "a\n", "#\n",
    ];
    let settings = Settings {
        gap: Some("{{#"),
        ..Settings::default()
    };
    let mut dearest = (Duration::ZERO, String::new());
    // Between them they have every trait.
    for language in [
        "html", "php", "css", "js", "rs", "rb", "cs", "julia", "ps1", "lisp", "yaml", "toml",
    ] {
        for sign in signs {
            let code = sign.repeat(20_000 / sign.len());
            let raw = format!("~~~~{language}\n{code}\n~~~~");
            let start = Instant::now();
            html_with(&raw, &settings);
            let taken = start.elapsed();
            assert!(taken < PATIENCE, "{language}, {sign}: {taken:?}");
            dearest = dearest.max((taken, format!("{language}, {sign}")));
        }
    }
    let whole = |piece: &str| piece.repeat(TEXT_BYTES / piece.len());
    for text in [
        whole("```c\na(1)\n```\n"),
        whole("- ```c\n  a(1)\n  ```\n"),
        format!("```js\n{}\n```", "a(1);".repeat(50_000)),
        format!("```js\n{}\n```", "=/a".repeat(80_000)),
    ] {
        let start = Instant::now();
        html_with(&text, &settings);
        dearest = dearest.max((start.elapsed(), text.chars().take(20).collect()));
    }
    assert!(dearest.0 < PATIENCE, "{dearest:?}");
}

/// WCAG's relative luminance of `#rrggbb`.
fn luminance(colour: &str) -> f64 {
    let digits = u32::from_str_radix(colour.strip_prefix('#').unwrap(), 16).unwrap();
    let [_, red, green, blue] = digits.to_be_bytes();
    let [red, green, blue] = [red, green, blue].map(|channel| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.040_45 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn every_kind_of_word_can_be_read_in_light_and_in_dark() {
    fn colour(rest: &str) -> &str {
        rest.split([';', ')']).next().unwrap()
    }
    let (_, code) = STYLE.split_once("/* Code:").unwrap();
    let (light, dark) = code
        .split_once("@media (prefers-color-scheme: dark)")
        .unwrap();
    let (dark, _) = dark.split_once("@media print").unwrap();
    for (scheme, rules) in [("light", light), ("dark", dark)] {
        let (_, ground) = rules.split_once("var(--ground, ").unwrap();
        let ground = colour(ground);
        let (_, ink) = rules.split_once("var(--ink, ").unwrap();
        assert!(contrast(colour(ink), ground) >= 7.0, "{scheme}");
        for class in "kscnftamid".chars() {
            let rule = rules
                .lines()
                .find(|line| line.contains(&format!("code .{class}")));
            let (_, said) = rule.unwrap().split_once("color: ").unwrap();
            let ratio = contrast(colour(said), ground);
            assert!(ratio >= 4.5, "{scheme}, {class}: {ratio:.2}");
        }
    }
}
