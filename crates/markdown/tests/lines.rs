//! Texts that may not have everything: lines, texts in which nothing can be followed, and texts with places to be filled.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

use lyceum_markdown::{Refused, Rendered, Scope, Settings, pictures, render};

const LINE: Scope = Scope {
    is_line: true,
    is_inert: false,
};
const INERT: Scope = Scope {
    is_line: false,
    is_inert: true,
};

fn rendered(raw: &str, settings: &Settings<'_>) -> Rendered {
    render(raw, settings, &mut |picture| format!("[{}]", picture.alt)).unwrap()
}

fn scoped(raw: &str, scope: Scope) -> Rendered {
    let settings = Settings {
        scope,
        ..Settings::default()
    };
    rendered(raw, &settings)
}

fn line(raw: &str) -> String {
    scoped(raw, LINE).html
}

fn told(rendered: &Rendered) -> Vec<String> {
    rendered.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn what_was_written_as_plain_text_reads_as_it_was_written() {
    for plain in [
        "2 * 3 * 4",
        "a_b_c",
        "x < y",
        "x<y",
        "#1",
        "# 1",
        "1. Januar",
        "1) Januar",
        "5 $ und 10 $",
        "It costs $5 and $10.",
        r"C:\new",
        "> 5",
        ">",
        "* * *",
        "***",
        "---",
        "- 5",
        "+ 5 °C",
        "* note",
        ": so",
        "    four spaces",
        "[x] or [ ]",
        "[^1]: note",
        "[a]: https://x.example",
        "| a | b |",
        "| a |\n|---|",
        "Title\n=====",
        "Title\n---",
        "```",
        "~~~ tilde",
        "& < > \" '",
        "<T> x",
        "f(x) = x^2",
        "snake_case_name and x__y",
        "100%",
        "~5 and ~6",
    ] {
        let html = line(plain);
        let shown = html
            .replace("<br>", "")
            .replace("<bdi dir=\"ltr\">", "")
            .replace("</bdi>", "")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
            .replace("&quot;", "\"")
            .replace("&#39;", "'");
        assert_eq!(shown, plain.trim(), "{html}");
    }
}

#[test]
fn what_is_marked_up_within_a_line_is() {
    assert_eq!(
        line("**bold** _it_ `c*d*` ~~old~~"),
        "<strong>bold</strong> <em>it</em> <code dir=\"ltr\">c*d*</code> <del>old</del>"
    );
    assert_eq!(line("**\"quoted\"**"), "<strong>\"quoted\"</strong>");
    assert_eq!(
        line("a\n_b_\n\n`c\nd`"),
        "a<br>\n<em>b</em><br>\n<br>\n<code dir=\"ltr\">c d</code>"
    );
    assert!(line("$x^2$ and $$y$$").matches("<math").count() == 2);
    assert_eq!(line("![A *map*](https://x/a.png)"), "[A map]");
    assert!(line("[a](https://x.example)").starts_with("<a href=\"https://x.example\""));
    assert_eq!(line(" \n "), "");
}

#[test]
fn no_block_gets_into_a_line() {
    let made = scoped(
        "<div><p>a</p><table><tr><td>b</td></tr></table></div><h2>c</h2><hr>",
        LINE,
    );
    assert_eq!(made.html, "abc");
    let told = told(&made);
    assert_eq!(told.len(), 7, "{told:?}");
    assert_eq!(
        told[0],
        "Line 1: the element <div> is not taken and was left out."
    );
}

#[test]
fn lines_are_counted_as_they_were_written() {
    let made = scoped("a\n\nb <iframe>", LINE);
    assert_eq!(
        told(&made),
        ["Line 3: the element <iframe> is not taken and was left out."]
    );
}

#[test]
fn nothing_can_be_followed_in_an_inert_text() {
    let raw = "[a *b*](https://x.example) <https://y.example> <a href='https://z.example'>c</a>\n\n<details><summary>d</summary>e</details>";
    let made = scoped(raw, INERT);
    for gone in ["<a", "<details", "<summary"] {
        assert!(!made.html.contains(gone), "{}", made.html);
    }
    assert_eq!(made.words, "a b https://y.example c de");
    let told = told(&made);
    assert_eq!(
        told[0],
        "Line 1: the link to https://x.example is not taken here and was left out."
    );
    assert_eq!(told.len(), 5, "{told:?}");
}

#[test]
fn new_lines_stay_where_they_are_asked_for() {
    let settings = Settings {
        keeps_lines: true,
        ..Settings::default()
    };
    assert_eq!(
        rendered("a\nb\n\nc", &settings).html,
        "<p dir=\"auto\">a<br>\nb</p>\n<p dir=\"auto\">c</p>\n"
    );
}

#[test]
fn a_formula_with_a_place_to_be_filled_stays_text() {
    let settings = Settings {
        gap: Some("{{#"),
        ..Settings::default()
    };
    let made = rendered("$x = {{#0}}$ and $y$ and {{#1}}", &settings);
    assert!(made.html.contains("$x = {{#0}}$ and <") && made.html.matches("<math").count() == 1);
    assert_eq!(
        told(&made),
        [
            "Line 1: a formula is shown as it was written, because something is to be filled in there: x = {{#0}}."
        ]
    );
}

#[test]
fn words_are_what_the_text_says() {
    let raw = "<p>What <i>is</i> <b>x&lt;y</b>?</p>\n\n- a\n- $\\frac{1}{2}$[^1]\n\n![A map](https://x/a.png)\n\n[^1]: Note";
    assert_eq!(
        rendered(raw, &Settings::default()).words,
        "What is x<y? a \\frac{1}{2} A map Note"
    );
    assert_eq!(scoped("a\nb", LINE).words, "a b");
}

#[test]
fn pictures_are_found_as_they_will_be_shown() {
    let settings = Settings {
        scope: LINE,
        ..Settings::default()
    };
    let raw = "    ![a](https://x/a.png)";
    assert_eq!(pictures(raw, &settings), ["https://x/a.png"]);
    assert_eq!(pictures(raw, &Settings::default()), [""; 0]);
}

#[test]
fn a_bomb_in_a_line_is_refused_or_rendered() {
    let settings = Settings {
        scope: LINE,
        ..Settings::default()
    };
    let bomb = "<b><i>".repeat(40_000);
    let refused = render(&bomb, &settings, &mut |_| String::new());
    assert_eq!(refused.unwrap_err(), Refused::TooDeep);
    assert_eq!(line(&"> ".repeat(1000)).matches("&gt;").count(), 1000);
}
