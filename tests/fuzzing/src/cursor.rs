//! Cursors: what is accepted is where a page can start, and it opens its own list only.

use lyceum_api::http::cursor::{next, page};
use lyceum_api::http::query::Query;
use lyceum_application::Keyset;

const OWN: &str = "own-list";
const OTHER: &str = "other-list";

fn opened(text: &str, list: &str) -> Option<Keyset> {
    let text: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    let mut query = Query::parse(&format!("startingAfter={text}"));
    page(&mut query, list, "crs", &[]).ok()?.after
}

pub fn fuzz(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    // Whatever stands in a query is read or refused.
    drop(page(&mut Query::parse(&text), OWN, "crs", &["name"]));
    let start = opened(&text, OWN);
    if let Some(start) = start.clone() {
        let again = next(OWN, Some(&start));
        assert_eq!(opened(&again, OWN), Some(start));
        assert_eq!(opened(&again, OTHER), None);
    }
    // A good cursor with bytes of it changed opens nothing, or another place of the same list.
    let good = next(
        OWN,
        Some(&Keyset {
            position: data.first().map(|byte| u32::from(*byte)),
            ..Keyset::of_id("crs_00000000000000000000000001")
        }),
    );
    let mut bytes = good.into_bytes();
    for (at, change) in data.iter().enumerate().take(4) {
        let length = bytes.len();
        bytes[(at * 31 + usize::from(*change)) % length] ^= change;
    }
    assert_eq!(opened(&String::from_utf8_lossy(&bytes), OTHER), None);
    start.is_some()
}
