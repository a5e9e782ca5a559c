//! Cursors that were bent, cut, forged or stolen open nothing: they are refused, or go on in one's own list.

use std::fmt::Write as _;

use lyceum_api::routes;
use serde_json::{Value, json};
use support::app::{Answer, Caller};
use support::stores::Database;

use crate::world::{Worlds, worlds};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Base64 as cursors are written, so that this test can forge them.
fn encode(text: &str) -> String {
    let mut bits = String::new();
    for byte in text.bytes() {
        write!(bits, "{byte:08b}").unwrap();
    }
    let six = bits.as_bytes().chunks(6);
    let digit = |piece: &[u8]| {
        let padded = format!("{:0<6}", std::str::from_utf8(piece).unwrap());
        char::from(ALPHABET[usize::from_str_radix(&padded, 2).unwrap()])
    };
    six.map(digit).collect()
}

fn decode(text: &str) -> String {
    let mut bits = String::new();
    for digit in text.bytes() {
        let value = ALPHABET.iter().position(|one| *one == digit).unwrap();
        write!(bits, "{value:06b}").unwrap();
    }
    let bytes = bits.as_bytes().chunks_exact(8);
    let byte = |piece: &[u8]| u8::from_str_radix(std::str::from_utf8(piece).unwrap(), 2).unwrap();
    String::from_utf8(bytes.map(byte).collect()).unwrap()
}

async fn page(worlds: &Worlds, caller: &Caller, list: &str, cursor: &str) -> Answer {
    let joint = if list.contains('?') { '&' } else { '?' };
    let path = format!("{list}{joint}limit=1&startingAfter={cursor}");
    worlds.app.call(caller, "GET", &path, None).await
}

/// Refused, or a page of the caller's own list.
fn assert_harmless(worlds: &Worlds, answer: &Answer, place: &str) {
    let fine = answer.status == 200 || (answer.status, answer.code()) == (400, "invalid_cursor");
    assert!(fine, "{place} {}", answer.body);
    let text = answer.body.to_string();
    for (kind, id) in &worlds.mine.0 {
        let id = id.as_str().unwrap();
        assert!(!text.contains(id), "{place} shows {kind} {id}");
    }
}

/// Two of everything that is listed below, for the owner of the first workspace.
async fn more(worlds: &Worlds) {
    let course = worlds.theirs.of("courses");
    for body in [
        ("/v1/units", json!({"course_id": course, "name": "Second"})),
        ("/v1/units", json!({"course_id": course, "name": "Third"})),
        ("/v1/courses", json!({"name": "Second", "language": "en"})),
    ] {
        let made = worlds.app.post(body.0, body.1).await;
        assert_eq!(made.status, 201, "{}", made.body);
    }
}

/// Lists in order of age, of place, and with filters.
fn lists(worlds: &Worlds) -> [String; 4] {
    let course = worlds.theirs.of("courses");
    [
        "/v1/courses".to_owned(),
        "/v1/events?type=unit.created".to_owned(),
        format!("/v1/units?course_id={course}"),
        "/v1/courses?status=draft".to_owned(),
    ]
}

async fn cursor(worlds: &Worlds, list: &str) -> String {
    let joint = if list.contains('?') { '&' } else { '?' };
    let answer = worlds.app.get(&format!("{list}{joint}limit=1")).await;
    let cursor = answer.body["next_cursor"].as_str().unwrap().to_owned();
    assert!(!cursor.is_empty(), "{list} {}", answer.body);
    cursor
}

#[actix_web::test]
async fn a_cursor_with_a_bent_bit_or_a_missing_end_shows_nothing_of_others() {
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        more(&worlds).await;
        for list in lists(&worlds) {
            let good = cursor(&worlds, &list).await;
            for at in 0..good.len() {
                let (cut, rest) = good.split_at(at);
                if !cut.is_empty() {
                    let answer = page(&worlds, &worlds.app.owner, &list, cut).await;
                    assert_eq!(answer.code(), "invalid_cursor", "{list} {cut}");
                }
                let digit = ALPHABET.iter().position(|one| *one == good.as_bytes()[at]);
                let bent = char::from(ALPHABET[digit.unwrap() ^ (1 << (at % 6))]);
                let kept = rest.split_at(1).1;
                let bent = format!("{cut}{bent}{kept}");
                let answer = page(&worlds, &worlds.app.owner, &list, &bent).await;
                assert_harmless(&worlds, &answer, &format!("{database:?} {list} {bent}"));
            }
        }
    }
}

#[actix_web::test]
async fn a_forged_cursor_is_a_place_in_ones_own_list_or_none() {
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        more(&worlds).await;
        for list in lists(&worlds) {
            let good: Value = serde_json::from_str(&decode(&cursor(&worlds, &list).await)).unwrap();
            let kind = list.split(['/', '?']).nth(2).unwrap();
            let positions = [
                json!(null),
                json!(0),
                json!(-1),
                json!(1.5),
                json!("1"),
                json!(2_147_483_647_u32),
                json!(2_147_483_648_u32),
                json!(4_294_967_295_u32),
                json!(1e99),
                json!([]),
            ];
            let ids = [
                good["i"].clone(),
                json!(worlds.mine.of(kind)),
                json!("crs_' OR 1=1 --"),
                json!(""),
                json!(7),
            ];
            for (position, id) in positions
                .iter()
                .flat_map(|p| ids.iter().map(move |i| (p, i)))
            {
                let forged = json!({"l": good["l"], "p": position, "i": id}).to_string();
                let answer = page(&worlds, &worlds.app.owner, &list, &encode(&forged)).await;
                assert_harmless(&worlds, &answer, &format!("{database:?} {list} {forged}"));
            }
        }
    }
}

#[actix_web::test]
async fn a_cursor_opens_no_list_of_another_workspace_and_none_with_other_filters() {
    let worlds = worlds(Database::Sqlite).await;
    more(&worlds).await;
    let mut tried = 0;
    for list in lists(&worlds) {
        let stolen = cursor(&worlds, &list).await;
        for route in routes::all().iter().filter(|route| route.method == "GET") {
            let path = worlds.mine.path(route.path);
            let first = worlds.app.call(&worlds.stranger, "GET", &path, None).await;
            if first.body["object"] != "list" {
                continue;
            }
            let answer = page(&worlds, &worlds.stranger, &path, &stolen).await;
            assert_eq!(answer.code(), "invalid_cursor", "{path} {}", answer.body);
            tried += 1;
        }
        let narrowed = format!(
            "{list}{}created_at[gte]=2020-01-01T00:00:00Z",
            if list.contains('?') { '&' } else { '?' }
        );
        let answer = page(&worlds, &worlds.app.owner, &narrowed, &stolen).await;
        assert_eq!(answer.code(), "invalid_cursor", "{narrowed}");
    }
    assert!(tried > 80, "{tried}");
}
