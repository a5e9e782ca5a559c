//! How texts are shown.

use super::*;
use crate::book::{BOOK, Page};
use crate::links::address;
use crate::rendering::{Rendered, rendered};

fn text(text: &'static str) -> Rendered {
    rendered(&BOOK, &Page { name: "api", text })
}

fn shown(markdown: &'static str) -> String {
    text(markdown).body
}

#[test]
fn a_text_has_one_title_and_its_headings_can_be_linked_to() {
    let shown = text("# The `API` & more\n\nOne.\n\n## Errors\n\n## Errors\n\n### *Below*\n");
    assert_eq!(shown.title.id, "the-api--more");
    assert_eq!(shown.title.words, "The API & more");
    assert_eq!(shown.title_html, "The <code>API</code> &amp; more");
    assert_eq!(
        shown.body,
        "<p>One.</p>\n<h2 id=\"errors\">Errors</h2>\n<h2 id=\"errors-1\">Errors</h2>\n\
         <h3 id=\"below\"><em>Below</em></h3>\n"
    );
}

#[test]
fn every_page_has_one_title_at_its_top_and_the_contents_below_it() {
    for text in &BOOK.pages {
        let page = page(&address(text.name));
        assert_eq!(page.matches("<h1").count(), 1, "{}", text.name);
        let title = between(&page, "<title>", "</title>").next().unwrap();
        assert!(title.len() > " · Lyceum handbook".len(), "{}", text.name);
        let seconds = between(&page, "<h2 id=\"", "\"");
        let here = between(&page, "<nav class=\"here\"", "</nav>").next();
        let listed: Vec<&str> = between(here.unwrap_or_default(), "href=\"#", "\"").collect();
        let seconds: Vec<&str> = seconds.collect();
        // One heading is no contents.
        let expected = if seconds.len() < 2 {
            Vec::new()
        } else {
            seconds
        };
        assert_eq!(listed, expected, "{}", text.name);
    }
}

#[test]
fn markup_in_a_text_is_shown_and_does_nothing() {
    for markdown in [
        "<script>alert(1)</script>",
        "One <b onclick=\"x\">two</b>.",
        "<div style=\"x\">\n\nInside\n\n</div>",
        "- <img src=x>",
        "![<img src=x>](a.png \"<i>\")",
        "```html\n<b>\n```",
        "`<b>`",
        "```<b>\nx\n```",
        "| <i> |\n|---|\n| <u> |",
        "[x](https://example.org/\"onmouseover=\"x)",
        "[^\"><b>]\n\n[^\"><b>]: x",
    ] {
        let html = shown(markdown);
        for tag in [
            "<script",
            "<b ",
            "<b>x",
            "<div st",
            "<img",
            "<i>",
            "<u>",
            "<b>\n",
            "\"onmouse",
        ] {
            assert!(!html.contains(tag), "{markdown}: {html}");
        }
    }
    assert_eq!(shown("a <i>b"), "<p>a &lt;i&gt;b</p>\n");
    assert_eq!(
        shown("<p>\nx\n"),
        "<pre><code>&lt;p&gt;\nx\n</code></pre>\n"
    );
}

#[test]
fn comments_are_for_whoever_writes() {
    assert_eq!(
        shown("<!-- not run:\n\n two lines -->\n\nOne."),
        "<p>One.</p>\n"
    );
    assert_eq!(shown("One<!-- two --> three."), "<p>One three.</p>\n");
}

#[test]
fn a_picture_is_what_it_shows() {
    let figure = "<figure class=\"picture\"><figcaption><b>Picture</b> A &lt;graph&gt; of x</figcaption></figure>\n";
    assert_eq!(shown("![A \\<graph> of `x`](images/a.png)"), figure);
    let two = shown("![A \\<graph> of `x`](a.png)\n![A \\<graph> of `x`](b.png)");
    assert_eq!(two, format!("{figure}\n{figure}"));
    assert_eq!(
        shown("Here ![a key](a.png) it is."),
        "<p>Here <span class=\"picture\"><b>Picture</b> a key</span> it is.</p>\n"
    );
    let in_table = shown("| | |\n|---|---|\n| ![One](a.png) | ![Two](b.png) |");
    assert!(in_table.contains(
        "<td><figure class=\"picture\"><figcaption><b>Picture</b> One</figcaption></figure>"
    ));
    assert_eq!(shown("![](a.png)"), "");
    assert_eq!(
        shown("![One](a.png)\n\nThen.\n\nAgain."),
        "<figure class=\"picture\"><figcaption><b>Picture</b> One</figcaption></figure>\n<p>Then.</p>\n<p>Again.</p>\n"
    );
}

#[test]
fn tables_scroll_by_themselves_and_have_their_sides_without_a_style() {
    let html = shown("| a | b | c |\n|:--|--:|:-:|\n| 1 | 2 | 3 |");
    assert_eq!(
        html,
        "<div class=\"scroll\"><table><thead><tr><th>a</th><th class=\"end\">b</th><th class=\"middle\">c</th></tr></thead><tbody>\n\
         <tr><td>1</td><td class=\"end\">2</td><td class=\"middle\">3</td></tr>\n</tbody></table>\n</div>\n"
    );
}

#[test]
fn the_dialect_has_what_our_texts_use() {
    assert_eq!(shown("~~gone~~"), "<p><del>gone</del></p>\n");
    assert!(shown("- [x] done").contains("type=\"checkbox\" checked"));
    assert_eq!(
        shown("> [!WARNING]\n> Hot."),
        "<blockquote class=\"callout warning\"><p class=\"callout-title\">Warning</p>\n<p>Hot.</p>\n</blockquote>\n"
    );
    assert_eq!(
        shown("> Said."),
        "<blockquote>\n<p>Said.</p>\n</blockquote>\n"
    );
}

#[test]
fn a_note_has_no_name_of_a_heading() {
    let html = shown("# T\n\n## 1\n\nOne[^1].\n\n[^1]: Two.");
    assert!(html.contains("<h2 id=\"1\">"), "{html}");
    assert!(html.contains("<a href=\"#note:1\">1</a>"), "{html}");
    assert!(html.contains("id=\"note:1\""), "{html}");
}

#[test]
fn nothing_of_a_page_is_inline_and_nothing_comes_from_outside() {
    let texts = BOOK.pages.iter().map(|text| address(text.name));
    let others = [
        "/docs/guides",
        "/docs/guides?q=key",
        "/docs/guides?q=nothingofthekind",
    ];
    for path in texts.chain(others.map(str::to_owned)) {
        let page = tags(&page(&path));
        let forbidden = [
            "<script", "<style", " style=", "<img", " src=", "<iframe", " on",
        ];
        for forbidden in forbidden {
            assert!(!page.contains(forbidden), "{path} has {forbidden}");
        }
        for link in between(&page, "<link ", ">") {
            assert!(!link.contains("http"), "{path}: {link}");
        }
        for outside in between(&page, "<a href=\"https://", "\n") {
            assert!(
                outside.contains("\" rel=\"noreferrer\">"),
                "{path}: {outside}"
            );
        }
    }
}
