//! Lists: which part of what was found.

use serde_json::{Value, json};

/// The schema of a list.
const SCHEMA: &str = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
/// How many there are on a page at most, and where nobody says.
pub const MOST: usize = 200;

/// A part of a list, as it is asked for: from which on, counted from one, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    start: usize,
    count: usize,
}

impl Part {
    /// By the parameters `startIndex` and `count`; what is below their least counts as that, as the RFC says.
    pub fn of(start: Option<i64>, count: Option<i64>) -> Self {
        let start = start.and_then(|start| usize::try_from(start).ok());
        let count = count.map(|count| usize::try_from(count).unwrap_or_default());
        Self {
            start: start.unwrap_or(1).max(1),
            count: count.unwrap_or(MOST).min(MOST),
        }
    }

    /// The list of what was found.
    pub fn list<T>(self, found: &[T], show: impl Fn(&T) -> Value) -> Value {
        let part = found.iter().skip(self.start - 1).take(self.count);
        let shown: Vec<Value> = part.map(show).collect();
        json!({
            "schemas": [SCHEMA],
            "totalResults": found.len(),
            "startIndex": self.start,
            "itemsPerPage": shown.len(),
            "Resources": shown,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_counted_from_one() {
        let found: Vec<usize> = (1..=300).collect();
        let told = |start, count| {
            let list = Part::of(start, count).list(&found, |one| json!(one));
            assert_eq!(list["totalResults"], 300);
            let shown = list["Resources"].as_array().unwrap();
            assert_eq!(list["itemsPerPage"], shown.len());
            (
                list["startIndex"].clone(),
                shown.first().cloned(),
                shown.len(),
            )
        };
        assert_eq!(told(None, None), (json!(1), Some(json!(1)), MOST));
        assert_eq!(told(Some(3), Some(2)), (json!(3), Some(json!(3)), 2));
        assert_eq!(told(Some(0), Some(1)), (json!(1), Some(json!(1)), 1));
        assert_eq!(told(Some(-5), Some(-1)), (json!(1), None, 0));
        assert_eq!(
            told(Some(299), Some(9_000)),
            (json!(299), Some(json!(299)), 2)
        );
        assert_eq!(told(Some(301), None).2, 0);
    }
}
