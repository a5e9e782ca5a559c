//! Drawings: what is seen stays, what does something goes.

use lyceum_domain::authoring::media::MediaType;
use quick_xml::Reader;
use quick_xml::events::Event;

use super::making::SVG;
use super::{kept, refused};

const OPEN: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 30">"#;

async fn drawn(inside: &str) -> (String, String) {
    let (inspected, kept) = kept(format!("{OPEN}{inside}</svg>").as_bytes()).await;
    assert_eq!(inspected.media_type, MediaType::Svg);
    let text = String::from_utf8(kept).unwrap();
    let mut reader = Reader::from_str(&text);
    while !matches!(reader.read_event().unwrap(), Event::Eof) {}
    (text, inspected.notes.join(" "))
}

#[tokio::test]
async fn a_plain_drawing_stays_what_it_is() {
    let (inspected, kept) = kept(SVG.as_bytes()).await;
    assert_eq!(inspected.media_type, MediaType::Svg);
    assert_eq!(inspected.dimensions, Some((200, 100)));
    assert_eq!(inspected.notes, [""; 0]);
    let kept = String::from_utf8(kept).unwrap();
    for part in [
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100">"#,
        r#"<linearGradient id="a"><stop offset="0" stop-color="red"></stop></linearGradient>"#,
        r#"fill="url(#a)" style="stroke:blue;""#,
        r##"<use href="#r" x="20">"##,
        "1 &lt; 2 &amp; A</text>",
    ] {
        assert!(kept.contains(part), "{part} in {kept}");
    }
}

#[tokio::test]
async fn whatever_does_something_is_left_out_by_name() {
    for (inside, gone, named) in [
        ("<script>alert(1)</script>", "alert", "script"),
        ("<script><![CDATA[alert(1)]]></script>", "alert", "script"),
        ("<g onload=\"alert(1)\"/>", "alert", "onload"),
        (
            "<a href=\"javascript:alert(1)\"><path d=\"M0 0\"/></a>",
            "script",
            "href",
        ),
        (
            "<a xlink:href=\"java&#10;script:alert(1)\"/>",
            "alert",
            "xlink:href",
        ),
        (
            "<foreignObject><body xmlns=\"http://www.w3.org/1999/xhtml\"><p>x</p></body></foreignObject>",
            "body",
            "foreignObject",
        ),
        ("<image href=\"http://x/a.png\"/>", "http://x", "image"),
        ("<use href=\"http://x/a.svg#b\"/>", "http://x", "href"),
        ("<use href=\"data:image/svg+xml,x\"/>", "data:", "href"),
        ("<rect fill=\"url(http://x/a)\"/>", "http://x", "fill"),
        ("<rect fill=\"u&#114;l(http://x/a)\"/>", "http://x", "fill"),
        ("<rect style=\"fill:url(//x/a)\"/>", "//x", "style"),
        (
            "<style>@import url(http://x/a);</style>",
            "@import",
            "style",
        ),
        (
            "<style>rect{fill:url(http://x/a)}</style>",
            "http://x",
            "style",
        ),
        ("<style>&lt;/style>&lt;script></style>", "script", "style"),
        (
            "<set attributeName=\"href\" to=\"javascript:x\"/>",
            "javascript",
            "set",
        ),
        (
            "<animate attributeName=\"href\" values=\"javascript:x\"/>",
            "javascript",
            "animate",
        ),
        (
            "<x:iframe xmlns:x=\"http://www.w3.org/1999/xhtml\" src=\"x\"/>",
            "iframe",
            "x:iframe",
        ),
        ("<SCRIPT>alert(1)</SCRIPT>", "alert", "SCRIPT"),
        (
            "<?xml-stylesheet href=\"http://x/a.css\"?>",
            "http://x",
            "processing",
        ),
        ("<handler>alert(1)</handler>", "alert", "handler"),
        (
            "<filter><feImage href=\"http://x/\"/></filter>",
            "http://x",
            "feImage",
        ),
    ] {
        let (text, notes) = drawn(inside).await;
        assert!(!text.contains(gone), "{text}");
        assert!(notes.contains(named), "{named} in {notes}");
    }
}

#[tokio::test]
async fn what_is_linked_is_still_seen() {
    let (text, _) = drawn("<a href=\"http://x/\"><path d=\"M0 0\"/></a>").await;
    assert!(text.contains("<g><path d=\"M0 0\"></path></g>"), "{text}");
}

#[tokio::test]
async fn what_editors_note_for_themselves_goes_without_a_word() {
    let editors = "<g xmlns:inkscape=\"http://i\" inkscape:label=\"x\" xml:space=\"preserve\">\
        <inkscape:grid/><metadata>by somebody</metadata></g>";
    let (text, notes) = drawn(editors).await;
    assert!(
        !text.contains("inkscape") && !text.contains("somebody"),
        "{text}"
    );
    assert!(text.contains("xml:space"), "{text}");
    assert_eq!(notes, "");
}

#[tokio::test]
async fn what_editors_write_before_a_drawing_goes() {
    let before = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with an editor -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
"#;
    let (inspected, kept) = kept(format!("\u{FEFF}{before}{OPEN}<path/></svg>").as_bytes()).await;
    assert_eq!(inspected.dimensions, Some((40, 30)));
    assert_eq!(inspected.notes, [""; 0]);
    assert!(kept.starts_with(b"<svg xmlns="));
}

#[tokio::test]
async fn prefixed_drawings_are_drawings() {
    let (inspected, kept) = kept(
        b"<s:svg xmlns:s='http://www.w3.org/2000/svg' width='2cm' height='1in'><s:rect/></s:svg>",
    )
    .await;
    assert_eq!(inspected.dimensions, Some((76, 96)));
    assert!(super::holds(&kept, "<rect></rect>"));
}

#[tokio::test]
async fn entities_are_not_followed() {
    let laughs = r#"<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;"><!ENTITY x SYSTEM "file:///etc/passwd">]>"#;
    let bomb = format!("{laughs}{OPEN}<text>&c;&x;</text><rect fill=\"&c;\"/></svg>");
    let (inspected, kept) = kept(bomb.as_bytes()).await;
    assert!(!super::holds(&kept, "ha"));
    assert!(inspected.notes.join(" ").contains("entities"));
    assert!(super::holds(&kept, "<text></text><rect></rect>"));
}

#[tokio::test]
async fn drawings_have_bounds() {
    let tenfold = |n: u32| {
        let uses = format!("<use href=\"#g{}\"/>", n - 1).repeat(10);
        format!("<g id=\"g{n}\">{uses}</g>")
    };
    let uses = (1..12).map(tenfold).collect::<Vec<_>>().concat();
    for inside in [
        "<g>".repeat(101) + &"</g>".repeat(101),
        "<g/>".repeat(60_000),
        format!("<g id=\"g0\"/>{uses}"),
        "<g id=\"a\"><use href=\"#a\"/></g>".to_owned(),
        format!("<text>{}</text>", "x".repeat(2_000_000)),
        format!("<g {}/>", "a=\"\" ".repeat(200)),
    ] {
        let refusal = refused(format!("{OPEN}{inside}</svg>").as_bytes()).await;
        assert!(["damaged", "unsupported_type"].contains(&refusal.code()));
    }
    let deep_but_fair = "<g id=\"a\"><g id=\"b\"><g id=\"a\"/></g></g><use href=\"#b\"/>";
    drawn(deep_but_fair).await;
}

#[tokio::test]
async fn what_is_no_drawing_is_refused() {
    for (text, code) in [
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"><g>", "damaged"),
        ("<svg><g></svg>", "damaged"),
        ("<svg/><script>alert(1)</script>", "damaged"),
        ("<svg xmlns=\"http://other\"/>", "unsupported_type"),
        ("<html><svg/></html>", "unsupported_type"),
        ("<!DOCTYPE html><svg/>", "unsupported_type"),
        ("<svg>&#0;</svg>", "damaged"),
    ] {
        assert_eq!(refused(text.as_bytes()).await.code(), code, "{text}");
    }
    assert_eq!(refused(b"<svg>\xFF</svg>").await.code(), "damaged");
}
