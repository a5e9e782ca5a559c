//! What is found.

use actix_web::http::header;

use super::*;
use crate::book::{BOOK, Book, Page};
use crate::searching::{INDEX, Index, MOST_SHOWN};
use lyceum_pages::{folded_words, words_of};

fn book(pages: &[(&'static str, &'static str)]) -> Index {
    let page = |(name, text): &(&'static str, &'static str)| Page { name, text };
    Index::of(&Book {
        parts: Vec::new(),
        pages: pages.iter().map(page).collect(),
    })
}

fn found(index: &Index, question: &str) -> Vec<String> {
    let findings = index.find(question);
    let found = findings.shown.iter();
    found
        .map(|finding| finding.address.replace("/docs/guides/", ""))
        .collect()
}

fn excerpt(index: &Index, question: &str) -> String {
    let findings = index.find(question);
    let pieces = findings.shown[0].excerpt.iter().map(|piece| {
        if piece.is_hit {
            format!("[{}]", piece.text)
        } else {
            piece.text.to_owned()
        }
    });
    pieces.collect()
}

const KITCHEN: &str = "# Kitchen\n\nWhere one cooks.\n\n## Café\n\nCoffee and tea.\n\n### Milk\n\nFrom a cow.\n\n## Café\n\nMore coffee.\n";

#[test]
fn a_section_is_found_by_words_in_it_or_in_the_headings_above() {
    let index = book(&[("kitchen", KITCHEN)]);
    for (question, addresses) in [
        ("cooks", &["kitchen"][..]),
        ("tea coffee", &["kitchen#café"]),
        ("cow café", &["kitchen#milk"]),
        ("cow kitchen", &["kitchen#milk"]),
        ("more", &["kitchen#café-1"]),
        ("cow tea", &[]),
        ("", &[]),
        (" !? ", &[]),
    ] {
        assert_eq!(found(&index, question), addresses, "{question}");
    }
}

#[test]
fn case_and_diacritics_do_not_count_and_the_beginning_of_a_word_is_enough() {
    let index = book(&[
        ("kitchen", KITCHEN),
        (
            "names",
            "# Names\n\nZoë, Søren, Łukasz, Cafe\u{301}s, STRASSE.\n",
        ),
    ]);
    for (question, address) in [
        ("ZOE", "names"),
        ("zoë", "names"),
        ("soren lukasz", "names"),
        ("cafés", "names"),
        ("straße", "names"),
        ("COFF more", "kitchen#café-1"),
    ] {
        assert_eq!(found(&index, question), [address], "{question}");
    }
    assert_eq!(found(&index, "offee"), Vec::<String>::new());
}

#[test]
fn the_name_of_a_variable_is_found_whole_and_by_its_parts() {
    let index = book(&[("a", "# A\n\nSet `LYCEUM_DATA_DIR`, or send `x-api-key`.\n")]);
    for question in ["LYCEUM_DATA_DIR", "data_dir", "dir", "x-api-key", "api key"] {
        assert_eq!(found(&index, question), ["a"], "{question}");
    }
}

#[test]
fn headings_come_before_titles_and_titles_before_how_often() {
    let index = book(&[
        (
            "often",
            "# Other\n\n## One\n\nkey key key key\n\n## Two\n\nkey key\n",
        ),
        (
            "titled",
            "# A key\n\n## Three\n\nnothing\n\n## Four\n\nkey\n",
        ),
        ("headed", "# Last\n\n## The key\n\nhere\n"),
    ]);
    assert_eq!(
        found(&index, "key"),
        [
            "titled",
            "headed#the-key",
            "titled#four",
            "titled#three",
            "often#one",
            "often#two"
        ]
    );
}

#[test]
fn what_is_alike_stays_in_the_order_of_the_book() {
    let index = book(&[
        ("a", "# A\n\nkey\n"),
        ("b", "# B\n\nkey\n"),
        ("c", "# C\n\nkey\n"),
    ]);
    assert_eq!(found(&index, "key"), ["a", "b", "c"]);
}

#[test]
fn no_more_than_thirty_are_shown_and_all_are_counted() {
    let findings = INDEX.find("the");
    assert_eq!(findings.shown.len(), MOST_SHOWN);
    assert!(findings.total > 300, "{}", findings.total);
    let page = page("/docs/guides?q=the");
    assert_eq!(
        between(&page, "<ol class=\"found\">", "</ol>")
            .next()
            .unwrap()
            .matches("<li>")
            .count(),
        30
    );
    let said = format!(
        "<p>{} sections have all of “the”. These are the 30 that suit best.</p>",
        findings.total
    );
    assert!(page.contains(&said));
}

#[test]
fn an_excerpt_is_the_text_around_the_first_hit() {
    let long = "# Long\n\nBefore before before before before before before before before before before before before before before \
                the Needle\nand a `needless` haystack behind behind behind behind behind behind behind behind behind behind behind \
                behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind behind.\n";
    let index = book(&[("long", long)]);
    let excerpt = excerpt(&index, "needle");
    assert!(excerpt.starts_with("… "), "{excerpt}");
    assert!(
        excerpt.contains("the [Needle] and a [needless] haystack"),
        "{excerpt}"
    );
    assert!(excerpt.ends_with("behind …"), "{excerpt}");
    assert!(excerpt.len() < 320, "{excerpt}");
}

#[test]
fn an_excerpt_begins_where_the_text_does_when_the_words_are_in_headings_alone() {
    let index = book(&[("kitchen", KITCHEN)]);
    assert_eq!(excerpt(&index, "milk"), "From a cow.");
    // What ends a block ends a word.
    let table = book(&[(
        "t",
        "# T\n\n| one | two |\n|---|---|\n| three | **fo**ur |\n| | |\n\n- five\n- six\n",
    )]);
    assert_eq!(
        excerpt(&table, "four"),
        "one · two · three · [four] · five six"
    );
}

#[test]
fn a_text_of_any_shape_has_an_excerpt() {
    let wide = "ä".repeat(500);
    let text: &'static str =
        format!("# T\n\n{wide}key key{wide} {wide}\n\n# ü\n\nü{wide}\n").leak();
    let index = book(&[("wide", text), ("empty", ""), ("bare", "No heading.\n")]);
    for question in ["ä", "key", "u", "t"] {
        assert!(index.find(question).total > 0, "{question}");
    }
    assert_eq!(found(&index, "heading"), ["bare"]);
}

#[test]
fn what_is_found_leads_to_its_heading_with_the_words_marked() {
    let page = page("/docs/guides?q=idempotency+key");
    let list = between(&page, "<ol class=\"found\">", "</ol>")
        .next()
        .unwrap();
    assert!(list.contains("<a href=\"/docs/guides/api#"), "{list}");
    assert!(list.contains(" › "), "{list}");
    assert!(list.contains("<mark>"), "{list}");
    // What was asked stands in the field still.
    assert!(page.contains("value=\"idempotency key\""));
    for link in between(list, "<a href=\"", "\"") {
        let (path, id) = link.split_once('#').unwrap_or((link, "text"));
        assert!(
            super::page(path).contains(&format!(" id=\"{id}\"")),
            "{link}"
        );
    }
}

#[test]
fn where_nothing_is_found_it_says_so_and_what_else_one_can_do() {
    for question in ["xylophonist", "%21%3F"] {
        let page = page(&format!("/docs/guides?q={question}"));
        assert!(
            page.contains("<p>Nothing in the handbook has all of"),
            "{question}"
        );
        assert!(
            page.contains("<a href=\"/docs/guides\">the contents</a>"),
            "{question}"
        );
        assert!(!page.contains("<ol"), "{question}");
    }
    // A field that was left empty asks nothing.
    for path in [
        "/docs/guides?q=",
        "/docs/guides?q=+",
        "/docs/guides?other=1",
    ] {
        assert!(page(path).contains("<h1>The handbook</h1>"), "{path}");
    }
}

#[test]
fn what_was_asked_is_shown_as_text() {
    let page = page("/docs/guides?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E%26%27");
    assert!(!page.contains("<script"));
    let asked = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;";
    assert_eq!(page.matches(asked).count(), 2);
    // Not text, not UTF-8, not a pair: looked for as it comes, and nothing breaks.
    for query in [
        "q=%FF%00",
        "q=%",
        "q",
        "&&=&q=a",
        "q=%F0%9F%90%84",
        "q=%CC%81",
    ] {
        super::page(&format!("/docs/guides?{query}"));
    }
}

#[test]
fn a_question_has_its_bound_in_characters() {
    let ask = |length: usize| get(&format!("/docs/guides?q={}", "%C3%A4".repeat(length)));
    assert_eq!(ask(200).status(), StatusCode::OK);
    let long = ask(201);
    assert_eq!(long.status(), StatusCode::BAD_REQUEST);
    assert!(!value(&long, header::CONTENT_SECURITY_POLICY).is_empty());
    let page = body(long);
    assert!(page.contains("<p>A search takes 200 characters at most.</p>"));
    assert!(page.contains("role=\"search\""));
}

#[test]
fn the_index_is_no_larger_than_three_times_the_texts() {
    let texts: usize = BOOK.pages.iter().map(|page| page.text.len()).sum();
    assert!(INDEX.size() < 3 * texts, "{} of {texts}", INDEX.size());
    assert!(INDEX.size() > texts, "{} of {texts}", INDEX.size());
}

#[test]
fn words_are_compared_without_case_and_diacritics() {
    assert_eq!(
        folded_words("Ça va, İstanbul? 2 × 3"),
        " ca va istanbul 2 3"
    );
    assert_eq!(folded_words("ΑΒΓ Привет"), " αβγ привет");
    let words: Vec<(usize, &str)> = words_of("a é-b").collect();
    assert_eq!(words, [(0, "a"), (2, "é"), (5, "b")]);
    assert_eq!(words_of("").count(), 0);
}
