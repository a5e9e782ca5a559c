//! What each construct of the dialect becomes, and what is told of what it loses.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

use std::time::{Duration, Instant};

use lyceum_markdown::{
    Labels, Media, Picture, Reference, Refused, Scope, Settings, TEXT_BYTES, pictures, references,
    render, render_with,
};

fn with(raw: &str, settings: &Settings<'_>) -> (String, Vec<String>) {
    let mut picture = |picture: &lyceum_markdown::Picture| format!("[{}]", picture.alt);
    let rendered = render(raw, settings, &mut picture).unwrap();
    let told = rendered.warnings.iter().map(ToString::to_string);
    (rendered.html, told.collect())
}

fn html(raw: &str) -> String {
    with(raw, &Settings::default()).0
}

fn warnings(raw: &str) -> Vec<String> {
    with(raw, &Settings::default()).1
}

#[test]
fn a_table_keeps_its_alignment() {
    let html = html("| a | b | c |\n|:--|:-:|--:|\n| 1 | x | 3 |\n");
    for cell in [
        "<th class=\"at-start\" dir=\"auto\">a</th>",
        "<th class=\"at-middle\" dir=\"auto\">b</th>",
        "<td class=\"at-middle\" dir=\"auto\">x</td>",
        "<td class=\"at-end\">3</td>",
    ] {
        assert!(html.contains(cell), "{cell}: {html}");
    }
}

#[test]
fn footnotes_are_links_within_their_text_where_it_has_a_name() {
    let raw = "A[^x] and B[^y] and A again[^x].\n\n[^y]: Second.\n[^x]: First.\n";
    let named = Settings {
        anchors: Some("t7"),
        labels: Some(&Labels::ENGLISH),
        ..Settings::default()
    };
    let (linked, _) = with(raw, &named);
    assert!(
        linked.contains("<a id=\"t7-1-1\" href=\"#t7-1\" role=\"doc-noteref\">1</a>"),
        "{linked}"
    );
    assert!(
        linked.contains("<a id=\"t7-1-2\" href=\"#t7-1\""),
        "{linked}"
    );
    assert!(
        linked.contains("<li dir=\"ltr\"><span id=\"t7-1\"></span>\n<p dir=\"auto\">First."),
        "{linked}"
    );
    assert!(
        linked.contains("href=\"#t7-1-2\" role=\"doc-backlink\" aria-label=\"Back to the text\"")
    );
    assert!(linked.find("First.").unwrap() < linked.find("Second.").unwrap());
    let plain = html(raw);
    assert!(
        plain.contains("A<sup class=\"note-number\">1</sup>"),
        "{plain}"
    );
    assert!(
        plain.contains("First.") && !plain.contains("<a ") && !plain.contains(" id="),
        "{plain}"
    );
}

#[test]
fn a_note_that_nothing_refers_to_is_shown_all_the_same() {
    assert!(html("Text\n\n[^x]: Lost.\n").contains("Lost."));
}

#[test]
fn a_term_has_its_definition() {
    let html = html("Star\n: A ball of gas.\n");
    assert!(html.contains("<dt dir=\"auto\">Star</dt>"), "{html}");
    assert!(
        html.contains("<dd dir=\"auto\">A ball of gas.</dd>"),
        "{html}"
    );
}

#[test]
fn a_callout_has_its_word_in_the_language_of_the_text() {
    let labels = Labels {
        warning: "Achtung <b>",
        ..Labels::ENGLISH
    };
    let settings = Settings {
        labels: Some(&labels),
        ..Settings::default()
    };
    let (html, told) = with("> [!WARNING]\n> Heiß!\n", &settings);
    assert!(html.contains("<div class=\"callout warning\""), "{html}");
    assert!(
        html.contains("<p class=\"callout-name\" dir=\"auto\">Achtung &lt;b&gt;</p>"),
        "{html}"
    );
    assert!(html.contains("Heiß!") && told.is_empty());
    assert!(
        !with("> [!TIP]\n> x\n", &Settings::default())
            .0
            .contains("callout-name")
    );
}

#[test]
fn a_task_is_a_box_that_says_what_it_is() {
    let settings = Settings {
        labels: Some(&Labels::ENGLISH),
        ..Settings::default()
    };
    let (html, _) = with("- [x] read\n- [ ] write\n", &settings);
    assert!(
        html.contains("<span class=\"task done\" role=\"img\" aria-label=\"Done\">☑</span> read"),
        "{html}"
    );
    assert!(
        html.contains("<span class=\"task\" role=\"img\" aria-label=\"To do\">☐</span> write"),
        "{html}"
    );
    assert!(!html.contains("<input"));
}

#[test]
fn code_keeps_the_name_of_its_language_and_no_other_word() {
    assert!(html("```rust\nfn x() {}\n```").contains(
        "<pre dir=\"ltr\"><code class=\"language-rust\" dir=\"ltr\"><span class=\"k\">fn</span>"
    ));
    assert!(html("```\"onclick=x\nx\n```").contains("<pre dir=\"ltr\"><code dir=\"ltr\">x"));
    assert!(html("~~old~~").contains("<del>old</del>"));
}

#[test]
fn details_and_abbreviations_are_taken() {
    let raw = "<details>\n<summary>More</summary>\n\nHidden *text*\n\n</details>\n\n<abbr title=\"World Health Organization\">WHO</abbr>";
    let (html, told) = with(raw, &Settings::default());
    assert!(
        html.contains("<summary dir=\"auto\">More</summary>"),
        "{html}"
    );
    assert!(html.contains("<em>text</em>") && html.contains("</details>"));
    assert!(html.contains("<abbr title=\"World Health Organization\">WHO</abbr>"));
    assert_eq!(told, [""; 0]);
}

#[test]
fn formulas_are_mathml_and_prices_are_text() {
    let formula = html("Let $a_1 \\cdot b_2$ be.");
    assert!(
        formula.contains("<math dir=\"ltr\"><semantics>") && formula.contains("a_1 \\cdot b_2"),
        "{formula}"
    );
    assert!(html("$$\nx\n$$").contains("<math dir=\"ltr\" display=\"block\">"));
    for text in [
        "It costs $5 and $10.",
        "It costs \\$5 or 10$.",
        "From $5 to$10",
        "US$ 5, US$ 6",
    ] {
        let (html, told) = with(text, &Settings::default());
        assert!(
            !html.contains("<math") && html.matches('$').count() == text.matches('$').count(),
            "{html}"
        );
        assert_eq!(told, [""; 0]);
    }
    assert!(html("`$x$`").contains("<code dir=\"ltr\">$x$</code>"));
}

#[test]
fn a_formula_that_cannot_be_shown_is_shown_as_written_and_told() {
    let (html, told) = with("One\n\n$\\nosuch{x<y}$", &Settings::default());
    assert!(
        html.contains("<code class=\"tex\" dir=\"ltr\">\\nosuch{x&lt;y}</code>"),
        "{html}"
    );
    assert_eq!(told.len(), 1);
    assert!(
        told[0].starts_with("Line 3: a formula is shown as it was written, because"),
        "{told:?}"
    );
    let many = "$x$ ".repeat(1001);
    assert!(with(&many, &Settings::default()).1[0].contains("at most 1000"));
}

#[test]
fn nothing_vanishes_without_a_word() {
    for (raw, told) in [
        (
            "a\n\n<script>x</script>",
            "Line 3: the element <script> is not taken and was left out.",
        ),
        (
            "<p\n onclick='x'>y</p>",
            "Line 1: the attribute onclick of <p> is not taken and was left out.",
        ),
        (
            "b <iframe src='x'></iframe>",
            "Line 1: the element <iframe> is not taken and was left out.",
        ),
        (
            "[x](javascript:alert)",
            "Line 1: the address javascript:alert is not linked to: links lead to https:, http:, mailto: and media of the library alone.",
        ),
        (
            "<a href='other.html'>x</a>",
            "Line 1: the address other.html is not linked to: links lead to https:, http:, mailto: and media of the library alone.",
        ),
        (
            "<http://x.y>",
            "Line 1: the address http://x.y is not encrypted (http:).",
        ),
    ] {
        assert_eq!(warnings(raw), [told], "{raw}");
    }
    for harmless in [
        "<!-- a comment -->",
        "<me@x.example>",
        "<https://x.example>",
        "a < b > c",
        "<p dir=rtl lang=ar>x</p>",
    ] {
        assert_eq!(warnings(harmless), [""; 0], "{harmless}");
    }
    let settings = Settings {
        lines_before: 2,
        ..Settings::default()
    };
    assert!(with("<script></script>", &settings).1[0].starts_with("Line 3:"));
}

#[test]
fn links_open_elsewhere_and_learn_nothing() {
    for raw in [
        "[x](https://x.example/)",
        "<a href='https://x.example/' target=_top rel=opener>x</a>",
    ] {
        let html = html(raw);
        for part in [
            "href=\"https://x.example/\"",
            "rel=\"noopener noreferrer\"",
            "target=\"_blank\"",
        ] {
            assert!(html.contains(part), "{html}");
        }
        assert!(
            !html.contains("_top") && !html.contains("\"opener"),
            "{html}"
        );
    }
}

#[test]
fn what_is_no_element_stays_in_the_text() {
    assert_eq!(html("x<y>z"), "<p dir=\"auto\">x&lt;y&gt;z</p>\n");
    assert!(html("Vec<T> and </T>").contains("Vec&lt;T&gt; and &lt;/T&gt;"));
    assert!(html("<y>\n\nz").contains("&lt;y&gt;"));
    assert!(html("![a<b>](x)").contains("[a]"));
    assert!(html("![a<y>](x)").contains("[a&lt;y&gt;]") || html("![a<y>](x)").contains("[a<y>]"));
}

#[test]
fn every_block_goes_its_own_way() {
    let html = html("# النجوم\n\nA star.\n\n- نجم\n- star\n\n| رقم | 7 |\n|---|---|\n| أ | 74 |\n");
    for part in [
        "<h2 dir=\"auto\">النجوم</h2>",
        "<p dir=\"auto\">A star.</p>",
        "<ul dir=\"rtl\">",
        "<li dir=\"auto\">star</li>",
        "<table dir=\"rtl\">",
        "<td>74</td>",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
}

#[test]
fn a_quantity_within_arabic_keeps_its_order() {
    let made = html("تغلي عند 74 °C و $x$ في `5 kg`");
    assert!(made.contains("<bdi dir=\"ltr\">74 °C</bdi>"), "{made}");
    assert!(made.contains("<code dir=\"ltr\">5 kg</code>"), "{made}");
    let cubed = html("حجمه 1 m<sup>3</sup> هنا، و 5 m<sup>2<sup>x</sup></sup> و 2 s");
    for kept in ["1 m<sup>3</sup>", "5 m<sup>2<sup>x</sup></sup>", "2 s"] {
        let kept = format!("<bdi dir=\"ltr\">{kept}</bdi>");
        assert!(cubed.contains(&kept), "{cubed}");
    }
    assert!(!html("It boils at 74 °C.").contains("<bdi"));
    let cell = html("| ب |\n|---|\n| 5 °C |\n");
    assert!(
        cell.contains("<td><bdi dir=\"ltr\">5 °C</bdi></td>"),
        "{cell}"
    );
}

#[test]
fn a_forged_place_shows_nothing_that_is_not_there() {
    let made =
        html("<data value=\"0\"></data>$x$<data value=\"0\"></data><data value=\"9\">y</data>");
    assert_eq!(made.matches("<math").count(), 1, "{made}");
    assert!(made.contains('y') && !made.contains("<data"), "{made}");
}

#[test]
fn pictures_are_the_callers_business() {
    let raw = "![A *map*](https://x/a.png) <img src='b.png' alt='c' onerror='x'>";
    let mut seen = Vec::new();
    let rendered = render(raw, &Settings::default(), &mut |picture| {
        seen.push((picture.address.clone(), picture.alt.clone()));
        "P".to_owned()
    });
    assert_eq!(rendered.unwrap().html, "<p>P P</p>\n");
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(seen, [pair("https://x/a.png", "A map"), pair("b.png", "c")]);
    assert_eq!(
        pictures(raw, &Settings::default()),
        ["https://x/a.png", "b.png"]
    );
    assert_eq!(pictures("$x$ `![a](b)`", &Settings::default()), [""; 0]);
}

#[test]
fn the_example_of_the_handbook_is_taken_as_it_stands() {
    let page = include_str!("../../../docs/content.md");
    let (_, behind) = page.split_once("````markdown\n").unwrap();
    let (example, _) = behind.split_once("````").unwrap();
    let (html, told) = with(example, &Settings::default());
    assert_eq!(told, [""; 0]);
    for part in [
        "<math dir=\"ltr\" display=\"block\">",
        "class=\"note-number\"",
        "class=\"callout warning\"",
        "class=\"at-middle\"",
        "<dd ",
        "class=\"task done\"",
        "<strong>Markdown</strong>",
        "class=\"language-python\"",
        "class=\"footnotes\"",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
}

/// Quadratic work on these would take far longer, on any machine and however busy it is.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn a_bomb_is_refused_or_rendered_quickly() {
    let whole = |piece: &str| piece.repeat(TEXT_BYTES / piece.len());
    for (bomb, is_refused) in [
        (">".repeat(TEXT_BYTES - 1), true),
        ("<div>".repeat(50_000), true),
        ("<b><i>".repeat(40_000), true),
        (format!("{}x", "- ".repeat(100_000)), true),
        (whole("<y>"), false),
        (whole("<"), false),
        (whole("<a b"), false),
        (whole("$x$ "), false),
        (whole("$"), false),
        (whole("$\\frac1$ "), false),
        (whole("[^1] "), false),
        (whole("[^1]: x\n\n"), false),
        (whole("ب 7 kg "), false),
        (whole("77777"), false),
        (whole("<p>ب"), false),
        (whole("<data value=0>"), true),
        (whole("&nbsp;"), false),
    ] {
        let start = Instant::now();
        let made = render(&bomb, &Settings::default(), &mut |_| String::new());
        let shown: String = bomb.chars().take(20).collect();
        assert!(start.elapsed() < PATIENCE, "{shown}: {:?}", start.elapsed());
        assert_eq!(made.err() == Some(Refused::TooDeep), is_refused, "{shown}");
    }
    let long = "x".repeat(TEXT_BYTES + 1);
    let refused = render(&long, &Settings::default(), &mut |_| String::new());
    assert_eq!(refused.err(), Some(Refused::TooLong));
}

#[test]
fn nothing_that_acts_survives() {
    let vectors = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)><a xlink:href='javascript:alert(1)'>x</a></svg>",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "<a href=' &#14; javascript:alert(1)'>x</a>",
        "<iframe src='https://example.com'></iframe>",
        "<form action='https://example.com'><input name=a></form>",
        "<math><mtext></p><style><img src=x onerror=alert(1)></style>",
        "<math><annotation-xml encoding='text/html'><style><img src=x onerror=alert(1)></style></annotation-xml></math>",
        "<p style='background:url(https://example.com/x)' onclick=x id=app class=x>y</p>",
        "<base href='https://example.com/'><meta http-equiv=refresh content=0>",
        "<a href='//example.com/x'>x</a>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
        "$\\text{<img src=x onerror=alert(1)>}$",
        "$\\href{javascript:alert(1)}{x}$",
        "<abbr title='<data value=0>'>$x$</abbr>",
        "<y onclick=alert(1)><img src=x onerror=alert(1)></y>",
        "[^\"><img src=x onerror=alert(1)>]\n\n[^\"><img src=x onerror=alert(1)>]: x",
        "<details ontoggle=alert(1) open><summary onclick=x>y</summary></details>",
    ];
    let scopes = [(false, false), (false, true), (true, false), (true, true)];
    let scopes = scopes.map(|(is_line, is_inert)| Scope { is_line, is_inert });
    let cases = vectors
        .into_iter()
        .flat_map(|vector| scopes.map(|scope| (vector, scope)));
    for (vector, scope) in cases {
        let settings = Settings {
            scope,
            gap: Some("{{#"),
            ..Settings::default()
        };
        let low = with(vector, &settings).0.to_ascii_lowercase();
        for bad in [
            "<script", "<img", "<svg", "<iframe", "<form", "<input", "<style", "<base", "<meta",
        ] {
            assert!(!low.contains(bad), "{vector} gave {low}");
        }
        for piece in low.split('<').skip(1) {
            let tag = piece.split('>').next().unwrap();
            for bad in [
                "javascript:",
                "data:",
                " on",
                " style=",
                " id=",
                "href=\"//",
            ] {
                assert!(!tag.contains(bad), "{vector} gave {low}");
            }
        }
    }
}

/// Shows what it is asked for.
struct Library;

impl Media for Library {
    fn picture(&mut self, picture: &Picture) -> String {
        format!("[{} at {}]", picture.alt, picture.address)
    }

    fn link(&mut self, address: &str) -> Option<String> {
        (address == "media:med_1").then(|| "files/1?a&\"b".to_owned())
    }
}

#[test]
fn media_of_the_library_are_the_callers_business() {
    let raw = "[*one*](media:med_1) <a href=\"media:med_2\" title=\"t\">two</a> ![three](media:med_3) [x](https://x.example)";
    let shown = render_with(raw, &Settings::default(), &mut Library).unwrap();
    assert_eq!(
        shown.html.trim(),
        "<p dir=\"auto\"><a href=\"files/1?a&amp;&quot;b\" target=\"_blank\" rel=\"noopener noreferrer\"><em>one</em></a> two \
         [three at media:med_3] <a href=\"https://x.example\" target=\"_blank\" rel=\"noopener noreferrer\">x</a></p>"
    );
    assert_eq!(shown.words, "one two three x");
    assert_eq!(shown.warnings, []);
    let found = [
        Reference::Link("media:med_1".to_owned()),
        Reference::Link("media:med_2".to_owned()),
        Reference::Picture("media:med_3".to_owned()),
    ];
    assert_eq!(references(raw, &Settings::default()), found);
    let inert = Settings {
        scope: Scope {
            is_inert: true,
            ..Scope::default()
        },
        ..Settings::default()
    };
    assert_eq!(references("[a](media:med_1)", &inert), []);
    // Whoever has pictures alone shows no link that leads nowhere.
    let plain = render(raw, &Settings::default(), &mut |_| String::new()).unwrap();
    assert!(plain.html.contains("<em>one</em> two"), "{}", plain.html);
    assert!(!plain.html.contains("media:"), "{}", plain.html);
}
