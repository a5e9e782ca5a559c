//! The objects that are put in, as the caller would read them by themselves: weighed first, and then one query a relation.

use std::collections::HashSet;

use lyceum_domain::Id;
use lyceum_domain::id::Identified;
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::ids::WorkspaceId;
use lyceum_ports::authoring::courses::COHORTS_SHOWN;
use lyceum_ports::store::Tx;
use lyceum_ports::weights::Heap;
use lyceum_wire::identity::users::UserView;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{MOST_BYTES, Relation, Row, text, too_large};
use crate::authoring::due_dates;
use crate::authoring::versions::pinning;
use crate::authoring::{activities, assignments, courses, lessons, units};
use crate::context::Context;
use crate::error::{Error, Forbidden};
use crate::identity::visibility;
use crate::learning::cohorts;

/// Refuses what is too large already as it is kept, before any of it is read.
fn weigh(tx: &mut dyn Tx, workspace: WorkspaceId, row: &Row, ids: &[&str]) -> Result<(), Error> {
    let heap = match (row.2, row.3) {
        ("course", Relation::One(_)) => Heap::Courses(parsed(ids)),
        ("unit", Relation::One(_)) => Heap::Units(parsed(ids)),
        ("unit", Relation::Many(_)) => Heap::UnitsOfCourses(parsed(ids)),
        ("lesson", Relation::One(_)) => Heap::Lessons(parsed(ids)),
        ("lesson", Relation::Many(_)) => Heap::LessonsOfUnits(parsed(ids)),
        ("activity", Relation::Many(_)) => Heap::ActivitiesOfLessons(parsed(ids)),
        ("assignment", Relation::One(_)) => Heap::Assignments(parsed(ids)),
        // People and cohorts: no more than a hundred each, of which none is large.
        _ => return Ok(()),
    };
    let most = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX);
    if tx.weights().weigh(workspace, &heap)? > most {
        return Err(too_large(row));
    }
    Ok(())
}

/// The related objects of all objects of a level, as the caller would read them.
pub(super) fn load(
    tx: &mut dyn Tx,
    ctx: &Context,
    row: &Row,
    objects: &[&mut Map<String, Value>],
) -> Result<Vec<Value>, Error> {
    require(ctx, row.2)?;
    let member = match row.3 {
        Relation::One(member) => member,
        Relation::Many(_) | Relation::Shown => "id",
    };
    let ids: HashSet<&str> = objects
        .iter()
        .filter_map(|object| text(object, member))
        .collect();
    let mut ids: Vec<&str> = ids.into_iter().collect();
    ids.sort_unstable();
    let workspace = ctx.workspace_id();
    weigh(tx, workspace, row, &ids)?;
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
    let sight = visibility::sight(tx, ctx)?;
    match (kind, relation) {
        ("unit", relation) => {
            let mut found = match relation {
                Relation::Many(_) => tx.units().of_courses(workspace, &parsed(ids))?,
                Relation::One(_) | Relation::Shown => {
                    tx.units().with_ids(workspace, &parsed(ids))?
                }
            };
            found.retain(|unit| sight.shows(unit.course_id));
            pinning::as_seen(tx, &sight, &mut found)?;
            values(units::views(tx, ctx, &found)?)
        }
        ("lesson", relation) => {
            let mut found = match relation {
                Relation::Many(_) => tx.lessons().of_units(workspace, &parsed(ids))?,
                Relation::One(_) | Relation::Shown => {
                    tx.lessons().with_ids(workspace, &parsed(ids))?
                }
            };
            found.retain(|lesson| sight.shows(lesson.course_id));
            pinning::as_seen(tx, &sight, &mut found)?;
            values(found.iter().map(|lesson| lessons::view(ctx, lesson)))
        }
        ("activity", _) => {
            let mut found = tx.activities().of_lessons(workspace, &parsed(ids))?;
            found.retain(|activity| sight.shows(activity.course_id));
            pinning::as_seen(tx, &sight, &mut found)?;
            values(activities::views(tx, ctx, &found)?)
        }
        _ => {
            let mut found = tx.assignments().with_ids(workspace, &parsed(ids))?;
            found.retain(|assignment| sight.shows(assignment.place.course_id));
            pinning::as_seen(tx, &sight, &mut found)?;
            due_dates::as_due_for_caller(tx, ctx, &mut found)?;
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
