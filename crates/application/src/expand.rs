//! Expanding: putting related objects into an answer, level by level.
//!
//! What can be expanded is one table. Each level costs one query per relation, however many objects there are.
//! What is put in is what the caller could have read by itself: the same workspace, the same learner's view,
//! the same scopes.

use std::collections::{BTreeMap, HashMap, HashSet};

use lyceum_domain::Id;
use lyceum_domain::id::Identified;
use lyceum_domain::scopes::Scope;
use lyceum_ports::courses::COHORTS_SHOWN;
use lyceum_ports::store::Tx;
use lyceum_wire::users::UserView;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::context::Context;
use crate::error::{Error, Forbidden};
use crate::visibility::visible_courses;
use crate::{activities, assignments, cohorts, courses, lessons, units};

/// Most names in a path.
const MAX_DEPTH: usize = 4;
/// Most paths in a request.
const MAX_PATHS: usize = 20;

/// How an object is related to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// One other, whose id stands in this member.
    One(&'static str),
    /// Many others, each of which carries this object's id in this member.
    Many(&'static str),
}

/// One row of the table: object, name, what is there, how it is related.
struct Row(&'static str, &'static str, &'static str, Relation);

/// Everything that can be expanded.
const TABLE: [Row; 13] = [
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

/// Everything that can be expanded.
pub fn expandables() -> impl Iterator<Item = Expandable> {
    TABLE.iter().map(|row| Expandable {
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
/// [`Forbidden::Scope`] if the caller could not read it by itself.
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
    for (name, below) in &wanted.0 {
        let Some(row) = row(&kind, name) else {
            continue;
        };
        let mut related = load(tx, ctx, row, &objects)?;
        level(tx, ctx, related.iter_mut().collect(), below)?;
        put_in(row, &mut objects, related);
    }
    Ok(())
}

fn text<'v>(object: &'v Map<String, Value>, member: &str) -> Option<&'v str> {
    object.get(member).and_then(Value::as_str)
}

fn put_in(row: &Row, objects: &mut [&mut Map<String, Value>], related: Vec<Value>) {
    match row.3 {
        Relation::One(member) => {
            let by_id: HashMap<String, Value> = related
                .into_iter()
                .filter_map(|one| Some((one.get("id")?.as_str()?.to_owned(), one)))
                .collect();
            for object in objects {
                let one = text(object, member).and_then(|id| by_id.get(id)).cloned();
                object.insert(row.1.to_owned(), one.unwrap_or(Value::Null));
            }
        }
        Relation::Many(member) => {
            for object in objects {
                let id = text(object, "id").map(str::to_owned);
                let own = related
                    .iter()
                    .filter(|one| one.get(member).and_then(Value::as_str) == id.as_deref());
                let own: Vec<Value> = own.cloned().collect();
                object.insert(row.1.to_owned(), Value::Array(own));
            }
        }
    }
}

/// The related objects of all objects of a level, as the caller would read them.
fn load(
    tx: &mut dyn Tx,
    ctx: &Context,
    row: &Row,
    objects: &[&mut Map<String, Value>],
) -> Result<Vec<Value>, Error> {
    require(ctx, row.2)?;
    let member = match row.3 {
        Relation::One(member) => member,
        Relation::Many(_) => "id",
    };
    let ids: HashSet<&str> = objects
        .iter()
        .filter_map(|object| text(object, member))
        .collect();
    let mut ids: Vec<&str> = ids.into_iter().collect();
    ids.sort_unstable();
    let workspace = ctx.workspace_id();
    match (row.2, row.3) {
        ("cohort", Relation::Many(_)) => {
            let found = tx
                .cohorts()
                .newest_of_courses(workspace, &parsed(&ids), COHORTS_SHOWN)?;
            values(cohorts::views(tx, ctx, &found)?)
        }
        ("cohort", Relation::One(_)) => {
            let found = tx.cohorts().with_ids(workspace, &parsed(&ids))?;
            values(cohorts::views(tx, ctx, &found)?)
        }
        ("course", _) => {
            let found = tx.courses().shown(workspace, &parsed(&ids))?;
            values(found.iter().map(courses::view))
        }
        ("user", _) => values(
            tx.users()
                .with_ids(workspace, &parsed(&ids))?
                .iter()
                .map(UserView::new),
        ),
        (kind, relation) => content(tx, ctx, kind, relation, &ids),
    }
}

/// Units, lessons, activities and assignments: of which a learner sees those of visible courses.
fn content(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: &str,
    relation: Relation,
    ids: &[&str],
) -> Result<Vec<Value>, Error> {
    let workspace = ctx.workspace_id();
    let visible = visible_courses(tx, ctx)?;
    let is_visible = |course| {
        visible
            .as_ref()
            .is_none_or(|visible| visible.contains(&course))
    };
    match (kind, relation) {
        ("unit", relation) => {
            let mut found = match relation {
                Relation::Many(_) => tx.units().of_courses(workspace, &parsed(ids))?,
                Relation::One(_) => tx.units().with_ids(workspace, &parsed(ids))?,
            };
            found.retain(|unit| is_visible(unit.course_id));
            values(units::views(tx, ctx, &found)?)
        }
        ("lesson", relation) => {
            let mut found = match relation {
                Relation::Many(_) => tx.lessons().of_units(workspace, &parsed(ids))?,
                Relation::One(_) => tx.lessons().with_ids(workspace, &parsed(ids))?,
            };
            found.retain(|lesson| is_visible(lesson.course_id));
            values(found.iter().map(|lesson| lessons::view(ctx, lesson)))
        }
        ("activity", _) => {
            let mut found = tx.activities().of_lessons(workspace, &parsed(ids))?;
            found.retain(|activity| is_visible(activity.course_id));
            values(found.iter().map(|activity| activities::view(ctx, activity)))
        }
        _ => {
            let mut found = tx.assignments().with_ids(workspace, &parsed(ids))?;
            found.retain(|assignment| is_visible(assignment.place.course_id));
            values(
                found
                    .iter()
                    .map(|assignment| assignments::view(ctx, assignment)),
            )
        }
    }
}

fn require(ctx: &Context, kind: &str) -> Result<(), Error> {
    let scope = match kind {
        "course" | "cohort" => Scope::ReadCourses,
        "user" => Scope::ReadStudents,
        _ => Scope::ReadLessons,
    };
    if ctx.may(scope) {
        Ok(())
    } else {
        Err(Forbidden::Scope(scope).into())
    }
}

fn parsed<K: Identified>(ids: &[&str]) -> Vec<Id<K>> {
    ids.iter().filter_map(|id| id.parse().ok()).collect()
}

fn values<V: Serialize>(views: impl IntoIterator<Item = V>) -> Result<Vec<Value>, Error> {
    views
        .into_iter()
        .map(|view| serde_json::to_value(view).map_err(|error| Error::Internal(error.into())))
        .collect()
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
        put_in(row("course", "units").unwrap(), &mut objects, units);
        assert_eq!(courses[0]["units"], serde_json::json!([]));
        assert_eq!(courses[1]["units"][0]["id"], "u");
    }
}
