//! The rows that one `POST /v1/courses` writes, taken from the server's own database after one, and what has to be
//! different in the next: without a list of tables that the service could leave behind.

use lyceum_domain::Id;
use lyceum_domain::ids::CourseId;
use uuid::Uuid;

use crate::figures::mixed;

/// Rows of one table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow<V> {
    /// The table.
    pub table: String,
    /// Its columns and what is in them.
    pub columns: Vec<(String, V)>,
}

/// A row as texts, which PostgreSQL reads as what its columns are.
pub type TextRow = TableRow<Option<String>>;

/// What a column has to be in the next row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fresh {
    /// The same.
    Same,
    /// An id that comes after all before it.
    Id,
    /// A key that nobody has had, in no order: callers make them up.
    Key,
}

impl Fresh {
    /// By the name of the column.
    pub fn of(column: &str) -> Self {
        match column {
            "id" | "object_id" | "subject_id" => Self::Id,
            "key" => Self::Key,
            _ => Self::Same,
        }
    }
}

/// The id of the n-th row after this one: as long, of the same kind, and later by as many milliseconds.
pub fn later_id(id: &str, n: u64) -> String {
    let (prefix, encoded) = id.split_once('_').unwrap_or(("", id));
    let course: Result<CourseId, _> = format!("crs_{encoded}").parse();
    let Ok(course) = course else {
        return format!("{prefix}_{n:026}");
    };
    let bits = course.uuid().as_u128().wrapping_add(u128::from(n) << 80);
    let later = Id::<lyceum_domain::ids::Course>::from_uuid(Uuid::from_u128(bits)).to_string();
    format!("{prefix}_{}", later.trim_start_matches("crs_"))
}

/// The n-th key; like those that the load makes up, in no order.
pub fn key(n: u64) -> String {
    format!("{:016x}-bench", mixed(n))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn later_ids_are_of_the_same_kind_and_in_order() {
        let first = "evt_01kc5q3f2he8x8pzv3bqa4m9wd";
        let later: Vec<String> = (1..1_000).map(|n| later_id(first, n)).collect();
        assert!(later.is_sorted());
        assert!(later[0].as_str() > first);
        assert!(
            later
                .iter()
                .all(|id| id.len() == first.len() && id.starts_with("evt_"))
        );
    }

    #[test]
    fn keys_are_each_once_and_in_no_order() {
        let keys: Vec<String> = (0..1_000).map(key).collect();
        let distinct: BTreeSet<&String> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
        assert!(!keys.is_sorted());
    }
}
