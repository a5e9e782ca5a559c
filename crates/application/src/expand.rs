//! Expanding: putting related objects into an answer, level by level.
//!
//! What can be expanded is one table. Each level costs one query per relation, however many objects there are.
//! What is put in is what the caller could have read by itself: the same workspace, the same learner's view,
//! the same scopes. And it is no more than an answer can hold: what is related is weighed before it is read, and counted
//! before it is put in, because what many objects share is put into each of them.

mod handed_in;
mod loading;

use std::collections::{BTreeMap, HashMap};

use lyceum_ports::store::Tx;
use serde_json::{Map, Value};

use crate::authoring::texts;
use crate::context::Context;
use crate::error::Error;
use loading::load;

/// Most names in a path.
const MAX_DEPTH: usize = 4;
/// Most bytes that an expansion adds to an answer.
pub const MOST_BYTES: usize = 2 << 20;
/// Most paths in a request.
const MAX_PATHS: usize = 20;

/// How an object is related to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// One other, whose id stands in this member.
    One(&'static str),
    /// Many others, each of which carries this object's id in this member.
    Many(&'static str),
    /// None: its own texts, as they are shown.
    Shown,
}

/// One row of the table: object, name, what is there, how it is related.
struct Row(&'static str, &'static str, &'static str, Relation);

/// What texts that are shown stand under.
const HTML: &str = "html";

/// Everything that can be expanded.
const TABLE: [Row; 18] = [
    Row("course", HTML, HTML, Relation::Shown),
    Row("lesson", HTML, HTML, Relation::Shown),
    Row("activity", HTML, HTML, Relation::Shown),
    Row("assignment", HTML, HTML, Relation::Shown),
    Row("course", "cohorts", "cohort", Relation::Many("course_id")),
    Row("course", "units", "unit", Relation::Many("course_id")),
    Row("cohort", "course", "course", Relation::One("course_id")),
    Row("unit", "course", "course", Relation::One("course_id")),
    Row("unit", "lessons", "lesson", Relation::Many("unit_id")),
    Row("lesson", "unit", "unit", Relation::One("unit_id")),
    Row(
        "lesson",
        "activities",
        "activity",
        Relation::Many("lesson_id"),
    ),
    Row("assignment", "course", "course", Relation::One("course_id")),
    Row("assignment", "unit", "unit", Relation::One("unit_id")),
    Row("assignment", "lesson", "lesson", Relation::One("lesson_id")),
    Row(
        "submission",
        "assignment",
        "assignment",
        Relation::One("assignment_id"),
    ),
    Row("submission", "user", "user", Relation::One("user_id")),
    Row("submission", "grader", "user", Relation::One("grader_id")),
    Row("submission", "cohort", "cohort", Relation::One("cohort_id")),
];

/// Something that can be expanded, for the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expandable {
    /// The kind of object it is put into.
    pub object: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// The kind of what is put in.
    pub target: &'static str,
    /// Whether it is a list.
    pub is_many: bool,
}

/// Every relation that can be expanded.
pub fn expandables() -> impl Iterator<Item = Expandable> {
    let related = TABLE.iter().filter(|row| row.3 != Relation::Shown);
    related.map(|row| Expandable {
        object: row.0,
        name: row.1,
        target: row.2,
        is_many: matches!(row.3, Relation::Many(_)),
    })
}

/// What is to be expanded, as a tree of names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expansion(BTreeMap<String, Expansion>);

impl Expansion {
    /// Reads paths such as `units.lessons` for objects of a kind, such as `course`.
    ///
    /// # Errors
    /// The first path that leads nowhere, is too deep, or is one too many.
    pub fn parse(object: &str, paths: &[String]) -> Result<Self, String> {
        if let Some(surplus) = paths.get(MAX_PATHS) {
            return Err(surplus.clone());
        }
        let mut tree = Self::default();
        for path in paths {
            let names: Vec<&str> = path.split('.').collect();
            let mut kind = object;
            for name in &names {
                kind = row(kind, name).ok_or_else(|| path.clone())?.2;
            }
            if names.len() > MAX_DEPTH {
                return Err(path.clone());
            }
            tree.insert(&names);
        }
        Ok(tree)
    }

    /// Whether nothing is to be expanded.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether texts are to be shown, which is work.
    pub fn renders(&self) -> bool {
        let mut names = self.0.iter();
        names.any(|(name, below)| name == HTML || below.renders())
    }

    /// The names that can be expanded on objects of a kind.
    pub fn names(object: &str) -> Vec<&'static str> {
        TABLE
            .iter()
            .filter(|row| row.0 == object)
            .map(|row| row.1)
            .collect()
    }

    /// Every path that leads somewhere on objects of a kind, the short ones first.
    pub fn paths(object: &'static str) -> Vec<String> {
        let mut paths = Vec::new();
        let mut ends = vec![(object, String::new())];
        for _ in 0..MAX_DEPTH {
            let longer = ends.iter().flat_map(|(kind, path)| {
                let rows = TABLE.iter().filter(|row| row.0 == *kind);
                rows.map(move |row| {
                    let dot = if path.is_empty() { "" } else { "." };
                    (row.2, format!("{path}{dot}{}", row.1))
                })
            });
            ends = longer.collect();
            paths.extend(ends.iter().map(|(_, path)| path.clone()));
        }
        paths
    }

    fn insert(&mut self, names: &[&str]) {
        if let Some((first, rest)) = names.split_first() {
            self.0.entry((*first).to_owned()).or_default().insert(rest);
        }
    }
}

fn row(object: &str, name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.0 == object && row.1 == name)
}

/// Puts what is wanted into an answer: one object, or a list of them.
///
/// # Errors
/// [`Forbidden::Scope`](crate::error::Forbidden::Scope) if the caller could not read it by itself.
pub fn expand(
    tx: &mut dyn Tx,
    ctx: &Context,
    answer: &mut Value,
    wanted: &Expansion,
) -> Result<(), Error> {
    if answer.get("object").and_then(Value::as_str) == Some("list") {
        let data = answer.get_mut("data").and_then(Value::as_array_mut);
        return level(tx, ctx, data.into_iter().flatten().collect(), wanted);
    }
    level(tx, ctx, vec![answer], wanted)
}

fn level(
    tx: &mut dyn Tx,
    ctx: &Context,
    objects: Vec<&mut Value>,
    wanted: &Expansion,
) -> Result<(), Error> {
    let mut objects: Vec<&mut Map<String, Value>> = objects
        .into_iter()
        .filter_map(Value::as_object_mut)
        .collect();
    let kind = objects
        .first()
        .and_then(|object| object.get("object")?.as_str())
        .map(str::to_owned);
    let Some(kind) = kind else { return Ok(()) };
    let mut room = MOST_BYTES;
    for (name, below) in &wanted.0 {
        let Some(row) = row(&kind, name) else {
            continue;
        };
        if row.3 == Relation::Shown {
            texts::html(tx, ctx, &mut objects, |bytes| take(row, &mut room, bytes))?;
            continue;
        }
        let mut related = load(tx, ctx, row, &objects)?;
        level(tx, ctx, related.iter_mut().collect(), below)?;
        put_in(row, &mut objects, related, &mut room)?;
        if handed_in::is_about(row) {
            handed_in::show(tx, ctx, row, &mut objects, below, &mut room)?;
        }
    }
    Ok(())
}

fn text<'v>(object: &'v Map<String, Value>, member: &str) -> Option<&'v str> {
    object.get(member).and_then(Value::as_str)
}

/// Takes this much of the room that there is.
fn take(row: &Row, room: &mut usize, bytes: usize) -> Result<(), Error> {
    *room = room.checked_sub(bytes).ok_or_else(|| too_large(row))?;
    Ok(())
}

/// Puts what is related into its places, as long as there is room for it.
fn put_in(
    row: &Row,
    objects: &mut [&mut Map<String, Value>],
    related: Vec<Value>,
    room: &mut usize,
) -> Result<(), Error> {
    let mut take = |bytes: usize| take(row, room, bytes);
    match row.3 {
        Relation::Shown => {}
        Relation::One(member) => {
            let mut by_id = HashMap::new();
            for one in related {
                if let Some(id) = one.get("id").and_then(Value::as_str) {
                    by_id.insert(id.to_owned(), (size(&one)?, one));
                }
            }
            for object in objects {
                let found = text(object, member).and_then(|id| by_id.get(id));
                take(found.map_or(0, |(size, _)| *size))?;
                let one = found.map_or(Value::Null, |(_, one)| one.clone());
                object.insert(row.1.to_owned(), one);
            }
        }
        Relation::Many(member) => {
            let mut by_parent: HashMap<String, Vec<Value>> = HashMap::new();
            for one in related {
                take(size(&one)?)?;
                if let Some(parent) = one.get(member).and_then(Value::as_str) {
                    by_parent.entry(parent.to_owned()).or_default().push(one);
                }
            }
            for object in objects {
                let own = text(object, "id").and_then(|id| by_parent.remove(id));
                object.insert(row.1.to_owned(), Value::Array(own.unwrap_or_default()));
            }
        }
    }
    Ok(())
}

/// How many bytes it takes in an answer.
fn size(value: &Value) -> Result<usize, Error> {
    /// Counts what is written to it.
    struct Count(usize);

    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.saturating_add(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    serde_json::to_writer(&mut count, value).map_err(|error| Error::Internal(error.into()))?;
    Ok(count.0)
}

/// What is said of a relation that is too much, and what to ask for instead.
fn too_large(row: &Row) -> Error {
    let kind = if row.3 == Relation::Shown {
        row.0
    } else {
        row.2
    };
    let collection = match kind {
        "activity" => "activities".to_owned(),
        kind => format!("{kind}s"),
    };
    let narrower = match row.3 {
        Relation::Many(member) => format!("{collection}?{member}=…"),
        Relation::One(_) | Relation::Shown => format!("{collection}/{{id}}"),
    };
    Error::TooLargeToExpand {
        name: row.1,
        narrower,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(paths: &[&str]) -> Result<Expansion, String> {
        let paths: Vec<String> = paths.iter().map(|&path| path.to_owned()).collect();
        Expansion::parse("course", &paths)
    }

    #[test]
    fn paths_lead_somewhere_and_are_neither_deep_nor_many() {
        assert!(parse(&["cohorts", "units.lessons.activities"]).is_ok());
        assert_eq!(
            parse(&["units", "units.students"]),
            Err("units.students".to_owned())
        );
        assert_eq!(parse(&["secrets"]), Err("secrets".to_owned()));
        assert!(parse(&["units.course.units.course"]).is_ok());
        assert!(parse(&["units.course.units.course.units"]).is_err());
        assert!(parse(&["units"; 21]).is_err());
    }

    #[test]
    fn related_objects_find_their_place() {
        let mut courses = [
            serde_json::json!({"id": "a"}),
            serde_json::json!({"id": "b"}),
        ];
        let mut objects: Vec<_> = courses
            .iter_mut()
            .filter_map(Value::as_object_mut)
            .collect();
        let units = vec![serde_json::json!({"id": "u", "course_id": "b"})];
        let mut room = MOST_BYTES;
        put_in(
            row("course", "units").unwrap(),
            &mut objects,
            units,
            &mut room,
        )
        .unwrap();
        assert_eq!(courses[0]["units"], serde_json::json!([]));
        assert_eq!(courses[1]["units"][0]["id"], "u");
    }

    #[test]
    fn what_many_share_counts_as_often_as_it_is_put_in() {
        let mut units: Vec<Value> = (0..100)
            .map(|n| serde_json::json!({"id": format!("u{n}"), "course_id": "c"}))
            .collect();
        let course = serde_json::json!({"id": "c", "description": "x".repeat(30_000)});
        let mut put = |count: usize, room: &mut usize| {
            let objects = units.iter_mut().take(count);
            let mut objects: Vec<_> = objects.filter_map(Value::as_object_mut).collect();
            let row = row("unit", "course").unwrap();
            put_in(row, &mut objects, vec![course.clone()], room)
        };
        let mut room = MOST_BYTES;
        assert!(put(60, &mut room).is_ok());
        assert!((250_000..300_000).contains(&room), "{room}");
        let mut room = MOST_BYTES;
        let refused = put(100, &mut room);
        let Err(Error::TooLargeToExpand { name, narrower }) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!((name, narrower.as_str()), ("course", "courses/{id}"));
    }

    #[test]
    fn whoever_asks_for_too_much_is_told_where_less_is() {
        let told = TABLE.map(|row| {
            let refused = too_large(&row);
            let Error::TooLargeToExpand { narrower, .. } = refused else {
                return refused.to_string();
            };
            narrower
        });
        for path in [
            "units?course_id=…",
            "lessons?unit_id=…",
            "activities?lesson_id=…",
            "cohorts?course_id=…",
            "users/{id}",
        ] {
            assert!(told.iter().any(|it| it == path), "{path} {told:?}");
        }
    }
}
