//! The assignment of a submission, as whoever handed it in sees it: whoever judges work reads the task that it answers.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use lyceum_domain::ids::{AssignmentId, CohortId, CourseId, UserId};
use lyceum_ports::store::Tx;
use serde_json::{Map, Value};

use super::{Expansion, Row, level, size, take, text};
use crate::authoring::assignments;
use crate::authoring::versions::pinning;
use crate::context::Context;
use crate::error::Error;
use crate::identity::visibility;
use crate::lookup::found;

/// What of the table this is about.
pub(super) fn is_about(row: &Row) -> bool {
    (row.0, row.1) == ("submission", "assignment")
}

/// Puts the assignments of those submissions in anew whose learners see another one than is there now. Learners have been shown theirs
/// already.
pub(super) fn show(
    tx: &mut dyn Tx,
    ctx: &Context,
    row: &Row,
    objects: &mut [&mut Map<String, Value>],
    below: &Expansion,
    room: &mut usize,
) -> Result<(), Error> {
    if visibility::is_restricted(ctx) {
        return Ok(());
    }
    let pinning = courses_that_pin(tx, ctx, objects)?;
    let mut shown: HashMap<(AssignmentId, CohortId), Value> = HashMap::new();
    for object in objects {
        let Some((assignment, course)) = assignment_of(object) else {
            continue;
        };
        let user = text(object, "user_id").and_then(|id| id.parse::<UserId>().ok());
        let Some(user) = user.filter(|_| pinning.contains(&course)) else {
            continue;
        };
        let named = text(object, "cohort_id").and_then(|id| id.parse().ok());
        let whose = (user, course);
        let Some(cohort) = visibility::cohort_of(tx, ctx.workspace_id(), whose, named)? else {
            continue;
        };
        let key = (assignment, cohort);
        let one = match shown.entry(key) {
            Entry::Occupied(there) => there.into_mut(),
            Entry::Vacant(place) => place.insert(as_seen(tx, ctx, key, below)?),
        };
        take(row, room, size(one)?)?;
        object.insert(row.1.to_owned(), one.clone());
    }
    Ok(())
}

/// The courses of assignments that were put in of which any cohort sees something as it was.
fn courses_that_pin(
    tx: &mut dyn Tx,
    ctx: &Context,
    objects: &[&mut Map<String, Value>],
) -> Result<HashSet<CourseId>, Error> {
    let courses = objects.iter().filter_map(|object| assignment_of(object));
    let courses: HashSet<CourseId> = courses.map(|(_, course)| course).collect();
    let mut pinning = HashSet::new();
    for course in courses {
        let cohorts = tx.pinned_contents().pinning(ctx.workspace_id(), course)?;
        pinning.extend((!cohorts.is_empty()).then_some(course));
    }
    Ok(pinning)
}

fn assignment_of(object: &Map<String, Value>) -> Option<(AssignmentId, CourseId)> {
    let assignment = object.get("assignment")?.as_object()?;
    let id = text(assignment, "id")?.parse().ok()?;
    Some((id, text(assignment, "course_id")?.parse().ok()?))
}

fn as_seen(
    tx: &mut dyn Tx,
    ctx: &Context,
    (id, cohort): (AssignmentId, CohortId),
    below: &Expansion,
) -> Result<Value, Error> {
    let there = tx.assignments().find(ctx.workspace_id(), id)?;
    let mut assignment = found(there, "assignment")?;
    pinning::as_cohort_sees(tx, cohort, std::slice::from_mut(&mut assignment))?;
    let view = assignments::view(ctx, &assignment);
    let mut shown = serde_json::to_value(view).map_err(|error| Error::Internal(error.into()))?;
    level(tx, ctx, vec![&mut shown], below)?;
    Ok(shown)
}
