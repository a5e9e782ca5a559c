//! Cursors: where a page starts, opaque to callers and bound to the list they came from.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lyceum_application::{Error, Keyset, PageRequest, Sort, SortBy, SortValue};
use lyceum_domain::Timestamp;
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
    /// What the list is sorted by otherwise, where that is not the id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    v: Option<String>,
    /// Id.
    i: String,
}

/// What a request may say otherwise on the next page of the same list: where it begins, how much there is, and what is shown beside.
const OF_A_PAGE: [&str; 4] = ["startingAfter", "limit", "columns", "columns_after"];

/// What tells one list from another: workspace, path and filters, in any order.
pub fn list_fingerprint(workspace: &str, path: &str, query: &str) -> String {
    let mut filters: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .filter(|(name, _)| !OF_A_PAGE.contains(&name.as_str()) && !name.starts_with("expand"))
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
        v: keyset.value.as_ref().map(written),
        i: keyset.id.clone(),
    };
    URL_SAFE_NO_PAD.encode(serde_json::to_string(&cursor).unwrap_or_default())
}

/// Takes `limit`, `startingAfter`, which is a cursor of this list or the id of a thing of its kind, and `sort`, which is one
/// of these words.
pub fn page(
    query: &mut Query,
    list: &str,
    prefix: &str,
    sorts: &[&str],
) -> Result<PageRequest, Failure> {
    let sort = query.parsed("sort", |text| {
        let known = sorts.contains(&text).then(|| Sort::parse(text)).flatten();
        known.ok_or_else(|| format!("must be one of {}", sorts.join(", ")))
    })?;
    let page = page_of(query, list, |text| is_id(text, prefix))?;
    let page = PageRequest { sort, ..page };
    if page.after.as_ref().is_some_and(|after| !fits(after, sort)) {
        return Err(Failure::App(Error::InvalidCursor));
    }
    Ok(page)
}

/// Whether a place is one of the order that is asked for. An id alone is one of every order.
const fn fits(after: &Keyset, sort: Option<Sort>) -> bool {
    match (&after.value, sort) {
        (None, _) => true,
        (Some(SortValue::Text(_)), Some(sort)) => {
            matches!(sort.by, SortBy::Name | SortBy::Decided)
        }
        (Some(SortValue::Moment(_)), Some(sort)) => {
            matches!(sort.by, SortBy::Updated | SortBy::Graded)
        }
        (Some(SortValue::Number(_)), Some(sort)) => matches!(sort.by, SortBy::Score),
        (Some(_), None) => false,
    }
}

/// As it stands in a cursor: a moment behind `@`, a number behind `#`, a text behind `=`.
fn written(value: &SortValue) -> String {
    match value {
        SortValue::Text(text) => format!("={text}"),
        SortValue::Moment(moment) => format!("@{moment}"),
        SortValue::Number(number) => format!("#{number}"),
    }
}

fn read_value(text: &str) -> Option<SortValue> {
    if let Some(text) = text.strip_prefix('=') {
        return (!text.contains('\0')).then(|| SortValue::Text(text.to_owned()));
    }
    if let Some(number) = text.strip_prefix('#') {
        return number.parse().ok().map(SortValue::Number);
    }
    let moment = Timestamp::parse(text.strip_prefix('@')?).ok()?;
    Some(SortValue::Moment(moment))
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
        return Ok(Keyset::of_id(text));
    }
    let wrong = || Failure::App(Error::InvalidCursor);
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| wrong())?;
    let cursor: Cursor = serde_json::from_slice(&bytes).map_err(|_| wrong())?;
    if cursor.l != list || !is_id(&cursor.i) {
        return Err(wrong());
    }
    let value = cursor.v.map(|text| read_value(&text).ok_or_else(wrong));
    Ok(Keyset {
        position: cursor.p,
        value: value.transpose()?,
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
                ..Keyset::of_id(ID)
            }),
        );
        let page = |list: &str, text: &str| {
            page(
                &mut Query::parse(&format!("startingAfter={text}")),
                list,
                "crs",
                &["name"],
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
                page(
                    &mut Query::parse(&format!("limit={wrong}")),
                    "l",
                    "crs",
                    &[]
                )
                .is_err(),
                "{wrong}"
            );
        }
        let plain = page(&mut Query::default(), "l", "crs", &[]).unwrap();
        assert_eq!((plain.limit, plain.sort), (20, None));
    }

    #[test]
    fn a_place_goes_with_its_order_and_with_no_other() {
        let sorts = [
            "name",
            "-name",
            "updated_at",
            "created_at",
            "graded_at",
            "decided_at",
            "score",
        ];
        let page = |sort: &str, text: &str| {
            let mut query = Query::parse(&format!("sort={sort}&startingAfter={text}"));
            page(&mut query, "l", "crs", &sorts)
        };
        let cursor = |value: SortValue| {
            let place = Keyset {
                value: Some(value),
                ..Keyset::of_id(ID)
            };
            (next("l", Some(&place)), place)
        };
        let (called, place) = cursor(SortValue::Text("@a=b".to_owned()));
        assert_eq!(page("-name", &called).unwrap().after, Some(place.clone()));
        assert_eq!(page("decided_at", &called).unwrap().after, Some(place));
        let moment = Timestamp::parse("2026-11-21T06:55:00.001Z").unwrap();
        let (changed, place) = cursor(SortValue::Moment(moment));
        assert_eq!(page("updated_at", &changed).unwrap().after, Some(place));
        assert!(page("-graded_at", &changed).is_err() && page("graded_at", &changed).is_ok());
        let (scored, place) = cursor(SortValue::Number(-4_250));
        assert_eq!(page("score", &scored).unwrap().after, Some(place));
        assert!(page("created_at", ID).is_ok() && page("name", ID).is_ok());
        for (sort, cursor) in [
            ("updated_at", &called),
            ("name", &changed),
            ("created_at", &called),
            ("score", &changed),
            ("graded_at", &scored),
            ("decided_at", &changed),
            ("name", &scored),
        ] {
            assert!(page(sort, cursor).is_err(), "{sort}");
        }
        for unknown in ["position", "-updated_at", "", "name,id"] {
            assert!(page(unknown, ID).is_err(), "{unknown}");
        }
        for garbage in ["", "x", "@x", "@", "=\0", "#", "#x", "#1.5"] {
            assert!(read_value(garbage).is_none(), "{garbage}");
        }
    }
}
