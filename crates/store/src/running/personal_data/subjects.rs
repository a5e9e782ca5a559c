//! Whom a sealed text may tell of: marks that are kept beside it, so that a search opens few of many.
//!
//! A mark says "perhaps": what has it is opened and read. What does not have it is sure not to tell of them. Marks are
//! hashes of a few letters, so that the text stays as sealed as it was.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use lyceum_domain::grading::receipts::hash_of;

/// Digits of a hash that a mark keeps.
const KEPT: usize = 8;
/// Letters before an `@` that a mark is made of at most.
const LETTERS: usize = 3;
/// What ids begin with that a person may be known by.
const PREFIXES: [&str; 3] = ["usr_", "sub_", "key_"];
/// Letters of an id after that.
const ID_LETTERS: usize = 26;

/// The marks of a text and of the key that it is kept under, as they are stored.
pub fn marks_of(text: &str, key: &str) -> String {
    let mut marks = BTreeSet::new();
    for text in [text, key] {
        marks.extend(ids_in(text).map(mark));
        marks.extend(addresses_in(text));
    }
    let mut stored = String::from(" ");
    for mark in marks {
        // Writing to a string does not fail.
        let _ = write!(stored, "{mark} ");
    }
    stored
}

/// Marks that are looked for.
#[derive(Debug)]
pub struct Sought(Vec<String>);

impl Sought {
    /// Of somebody with this address, and of what is theirs.
    pub fn new(email: &str, ids: &[String]) -> Self {
        let ids = ids.iter().map(|id| mark(id));
        Self(ids.chain(address_mark(email)).collect())
    }

    /// Whether one of them is among those stored.
    pub fn is_among(&self, stored: &str) -> bool {
        // There are few marks on a text, and perhaps many that are looked for.
        stored
            .split(' ')
            .any(|mark| !mark.is_empty() && self.0.iter().any(|sought| sought == mark))
    }
}

fn mark(text: &str) -> String {
    hash_of(text).chars().take(KEPT).collect()
}

fn ids_in(text: &str) -> impl Iterator<Item = &str> {
    PREFIXES.iter().flat_map(move |prefix| {
        text.match_indices(prefix)
            .filter_map(move |(at, _)| text.get(at..at + prefix.len() + ID_LETTERS))
    })
}

/// Marks of what stands around every `@`, for local parts of one letter, two, and more.
fn addresses_in(text: &str) -> impl Iterator<Item = String> {
    text.match_indices('@').flat_map(|(at, sign)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + sign.len()..).unwrap_or_default();
        let letters: Vec<char> = unescaped(before.chars().rev()).take(LETTERS).collect();
        let first = unescaped(after.chars()).next();
        (1..=letters.len()).filter_map(move |count| {
            let local: String = letters.iter().take(count).rev().collect();
            Some(around(&local, first?))
        })
    })
}

/// The mark that an address has in any text that holds it.
fn address_mark(email: &str) -> Option<String> {
    let (local, domain) = email.split_once('@')?;
    let mut local: Vec<char> = unescaped(local.chars().rev()).take(LETTERS).collect();
    local.reverse();
    let first = unescaped(domain.chars()).next()?;
    Some(around(&local.into_iter().collect::<String>(), first))
}

/// A letter may stand in a text with any number of these before it, which is how JSON within JSON writes some.
fn unescaped(letters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    letters.filter(|letter| *letter != '\\')
}

fn around(local: &str, first: char) -> String {
    mark(&format!("{local}@{first}").to_lowercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const ID: &str = "usr_01h455vb4pex5vsknk084sn02q";

    fn finds(email: &str, ids: &[&str], text: &str) -> bool {
        let ids: Vec<String> = ids.iter().map(|&id| id.to_owned()).collect();
        Sought::new(email, &ids).is_among(&marks_of(text, "key"))
    }

    #[test]
    fn a_text_is_found_by_the_ids_and_addresses_in_it() {
        let text = format!("{{\"user_id\":\"{ID}\",\"email\":\"ada@school.example\"}}");
        assert!(finds("x@y.z", &[ID], &text));
        assert!(finds("ada@school.example", &[], &text));
        assert!(finds(
            "ada@school.example",
            &[],
            "write to Ada@School.Example."
        ));
        assert!(!finds("bob@school.example", &[], &text));
        assert!(!finds("x@y.z", &["usr_01h455vb4pex5vsknk084sn02r"], &text));
        assert!(!finds("x@y.z", &[], ""));
    }

    #[test]
    fn the_key_of_a_reply_counts_as_well() {
        let sought = Sought::new("ada@school.example", &[]);
        assert!(sought.is_among(&marks_of("{}", "enrol-ada@school.example-1")));
    }

    #[test]
    fn the_text_cannot_be_read_off_its_marks() {
        let marks = marks_of(&format!("{ID} ada@school.example"), "");
        assert!(!marks.contains("ada") && !marks.contains("usr_"), "{marks}");
    }

    proptest! {
        #[test]
        fn no_text_that_holds_an_address_is_passed_over(
            local in "[a-z0-9\"\\\\.+é]{1,8}", domain in "[a-z0-9\"\\\\.]{1,8}",
            before in "[ -~\n]{0,6}", after in "[ -~\n]{0,6}",
        ) {
            let email = format!("{local}@{domain}");
            // A local part of escapes alone, or a domain, has no letter to be found by.
            prop_assume!(local.chars().any(|c| c != '\\') && domain.chars().any(|c| c != '\\'));
            let body = json!({"told": format!("{before}{email}{after}")}).to_string();
            let reply = json!({"status": 201, "body": body}).to_string();
            prop_assert!(finds(&email, &[], &reply), "{}", reply);
        }
    }
}
