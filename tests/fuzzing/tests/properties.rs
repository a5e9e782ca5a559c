//! The doors again, with input that is nearly right: what a fuzzer needs hours to come upon.

#![allow(
    clippy::unwrap_used,
    reason = "a pattern that cannot be read has failed"
)]

use lyceum_fuzzing::fuzz;
use proptest::prelude::*;

/// Pieces of markup, whole and broken, in any order.
fn markup() -> impl Strategy<Value = String> {
    let name = "(a|b|div|p|td|table|svg|math|style|script|img|iframe|noscript|textarea|template|select|mtext|mglyph|title)";
    let attribute = r#"( (href|src|onerror|title|dir|style|xlink:href|lang)=("[^"]{0,20}"|'[^']{0,20}'|javascript:x|//x/y| ))?"#;
    let piece = prop_oneof![
        4 => prop::string::string_regex(&format!("<{name}{attribute}/?>")).unwrap(),
        3 => prop::string::string_regex(&format!("</{name}>")).unwrap(),
        2 => r"[a-z*_`\[\]()!#|:\n -]{1,12}",
        1 => "(<!--|-->|<!\\[CDATA\\[|\\]\\]>|&lt;|&#0;|&#x3c;|<!|<\\?|>|\"|')",
        1 => r"(\$|\$\$|\\(frac|sqrt|text|left|begin|end|href|ce|hat|boxed|tag)|\{|\}|\^|_|&|\\\\|matrix|cases)",
        1 => r"(\[\^a\]|\n\n\[\^a\]: |\n> \[!NOTE\]\n|\n- \[x\] |\n: |<y>|<data value=0>|[0-9]|ب| kg)",
        1 => r"(\[x\]\(javascript:a\)|!\[x\]\(data:a\)|<https://a.b>|\| a \| b \|\n\|-\|-\|\n)",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Addresses that stand for one of our own, in every spelling that there is a number for.
fn spelled_address() -> impl Strategy<Value = String> {
    let octets = any::<[u8; 4]>();
    let v4 = octets.prop_flat_map(|[a, b, c, d]| {
        let number = u32::from_be_bytes([a, b, c, d]);
        prop_oneof![
            Just(format!("{a}.{b}.{c}.{d}")),
            Just(format!("{a}.{b}.{c}.{d}.")),
            Just(format!("{number}")),
            Just(format!("0x{number:x}")),
            Just(format!("0{a:o}.{b}.0x{c:x}.{d}")),
            Just(format!("[::ffff:{a}.{b}.{c}.{d}]")),
            Just(format!("[64:ff9b::{a}.{b}.{c}.{d}]")),
            Just(format!("[2002:{a:02x}{b:02x}:{c:02x}{d:02x}::1]")),
        ]
    });
    let v6 = any::<u128>().prop_map(|bits| format!("[{}]", std::net::Ipv6Addr::from(bits)));
    let host = prop_oneof![3 => v4, 1 => v6];
    (
        host,
        prop_oneof![Just(""), Just(":443"), Just(":8443"), Just(":22")],
    )
        .prop_map(|(host, port)| format!("https://{host}{port}/hook"))
}

/// Bodies of JSON with everything in it, and patches of them.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        "[a-z]{0,6}".prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::btree_map("[a-d]{1,2}", inner, 0..5)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn markup_can_do_nothing(text in markup()) {
        fuzz("sanitiser", text.as_bytes());
    }

    #[test]
    fn spelled_addresses_are_read_right(url in spelled_address()) {
        fuzz("webhook_url", url.as_bytes());
    }

    #[test]
    fn cursors_open_their_own_list_only(bytes in any::<Vec<u8>>(), position: Option<u32>, id in "crs_[0-9a-hjkmnp-tv-z]{26}") {
        fuzz("cursor", &bytes);
        let cursor = lyceum_api::http::cursor::next(
            "own-list",
            Some(&lyceum_application::Keyset {
                position,
                ..lyceum_application::Keyset::of_id(id)
            }),
        );
        fuzz("cursor", cursor.as_bytes());
    }

    #[test]
    fn bodies_read_back_as_they_were_written(body in json()) {
        fuzz("json_body", body.to_string().as_bytes());
    }

    #[test]
    fn patches_are_applied_as_the_rfc_says(target in json(), patch in json()) {
        fuzz("merge_patch", format!("{target}\n{patch}").as_bytes());
    }
}

proptest! {
    // Each writes a package.
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn names_stay_names_in_a_manifest(edition in 0..3_u8, names in prop::collection::vec(".{0,300}", 6)) {
        let mut data = vec![edition];
        data.extend(names.join("\n").as_bytes());
        fuzz("manifest", &data);
    }
}
