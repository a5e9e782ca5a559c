//! Cursors: where a page starts, opaque to callers and bound to the list they came from.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lyceum_application::{Error, Keyset, PageRequest};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::http::error::Failure;
use crate::http::query::Query;

#[derive(Serialize, Deserialize)]
struct Cursor {
    /// Fingerprint of workspace, path and filters.
    l: String,
    /// Position, where the list is in order of position.
    p: Option<u32>,
    /// Id.
    i: String,
}

/// What tells one list from another: workspace, path and filters, in any order.
pub fn list_fingerprint(workspace: &str, path: &str, query: &str) -> String {
    let mut filters: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .filter(|(name, _)| {
            name != "startingAfter" && name != "limit" && !name.starts_with("expand")
        })
        .collect();
    filters.sort();
    let text = format!("{workspace}\n{path}\n{filters:?}");
    URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()).get(..9).unwrap_or_default())
}

/// The cursor of the next page; `""` on the last one.
pub fn next(list: &str, keyset: Option<&Keyset>) -> String {
    let Some(keyset) = keyset else {
        return String::new();
    };
    let cursor = Cursor {
        l: list.to_owned(),
        p: keyset.position,
        i: keyset.id.clone(),
    };
    URL_SAFE_NO_PAD.encode(serde_json::to_string(&cursor).unwrap_or_default())
}

/// Takes `limit` and `startingAfter`, which is a cursor of this list or the id of a thing of its kind.
pub fn page(query: &mut Query, list: &str, prefix: &str) -> Result<PageRequest, Failure> {
    page_of(query, list, |text| is_id(text, prefix))
}

/// The same for things that have ids of another form.
pub fn page_of(
    query: &mut Query,
    list: &str,
    is_id: impl Fn(&str) -> bool,
) -> Result<PageRequest, Failure> {
    let wrong = || format!("must be between 1 and {}", PageRequest::MAX_LIMIT);
    let limit = query.parsed("limit", |text| {
        text.parse::<u16>()
            .ok()
            .filter(|limit| (1..=PageRequest::MAX_LIMIT).contains(limit))
            .ok_or_else(wrong)
    })?;
    let after = query
        .text("startingAfter")?
        .map(|text| start(&text, list, is_id))
        .transpose()?;
    Ok(PageRequest {
        after,
        ..PageRequest::first(limit.unwrap_or(PageRequest::DEFAULT_LIMIT))
    })
}

fn start(text: &str, list: &str, is_id: impl Fn(&str) -> bool) -> Result<Keyset, Failure> {
    if is_id(text) {
        return Ok(Keyset {
            position: None,
            id: text.to_owned(),
        });
    }
    let wrong = || Failure::App(Error::InvalidCursor);
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| wrong())?;
    let cursor: Cursor = serde_json::from_slice(&bytes).map_err(|_| wrong())?;
    if cursor.l != list || !is_id(&cursor.i) {
        return Err(wrong());
    }
    Ok(Keyset {
        position: cursor.p,
        id: cursor.i,
    })
}

fn is_id(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix)
        .and_then(|rest| rest.strip_prefix('_'))
        .is_some_and(|encoded| {
            encoded.len() == 26
                && encoded.bytes().all(|b| {
                    b.is_ascii_digit() || (b.is_ascii_lowercase() && !b"ilou".contains(&b))
                })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "crs_00000000000000000000000001";

    #[test]
    fn a_cursor_opens_its_own_list_only() {
        let list = list_fingerprint(
            "wsp_1",
            "/v1/courses",
            "status=draft&limit=2&startingAfter=x",
        );
        assert_eq!(
            list,
            list_fingerprint("wsp_1", "/v1/courses", "status=draft")
        );
        let cursor = next(
            &list,
            Some(&Keyset {
                position: Some(3),
                id: ID.into(),
            }),
        );
        let page = |list: &str, text: &str| {
            page(
                &mut Query::parse(&format!("startingAfter={text}")),
                list,
                "crs",
            )
        };
        assert_eq!(
            page(&list, &cursor).unwrap().after.unwrap().position,
            Some(3)
        );
        assert_eq!(page(&list, ID).unwrap().after.unwrap().id, ID);
        for other in ["wsp_2", "wsp_1"] {
            let path = if other == "wsp_1" {
                "/v1/units"
            } else {
                "/v1/courses"
            };
            let other = list_fingerprint(other, path, "status=draft");
            assert!(page(&other, &cursor).is_err());
        }
        for garbage in ["x", "unt_00000000000000000000000001", "e30", "%00"] {
            assert!(page(&list, garbage).is_err(), "{garbage}");
        }
    }

    #[test]
    fn limits_have_a_range() {
        for wrong in ["0", "101", "-1", "x", "1.5"] {
            assert!(
                page(&mut Query::parse(&format!("limit={wrong}")), "l", "crs").is_err(),
                "{wrong}"
            );
        }
        assert_eq!(page(&mut Query::default(), "l", "crs").unwrap().limit, 20);
    }
}
