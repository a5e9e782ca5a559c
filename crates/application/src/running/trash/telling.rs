//! Telling of every thing that goes or comes back, some at a time: there may be ten thousand of them.

use lyceum_domain::Id;
use lyceum_domain::id::Identified;
use lyceum_domain::running::trash::{TrashItem, TrashPart};
use lyceum_wire::grading::submissions::SubmissionView;
use lyceum_wire::identity::users::UserView;
use lyceum_wire::learning::enrollments::EnrollmentView;

use super::AT_ONCE;
use crate::authoring::{activities, assignments, courses, lessons, media, units};
use crate::learning::cohorts;
use crate::notifying::events;
use crate::prelude::*;

/// What is told of a part that goes, and of one that comes back; of some nothing is.
const fn events_of(part: TrashPart) -> Option<(EventType, EventType)> {
    use EventType as Type;
    Some(match part {
        TrashPart::Courses => (Type::CourseDeleted, Type::CourseRestored),
        TrashPart::Units => (Type::UnitDeleted, Type::UnitRestored),
        TrashPart::Lessons => (Type::LessonDeleted, Type::LessonRestored),
        TrashPart::Activities => (Type::ActivityDeleted, Type::ActivityRestored),
        TrashPart::Cohorts => (Type::CohortDeleted, Type::CohortRestored),
        TrashPart::Users => (Type::UserDeleted, Type::UserRestored),
        TrashPart::Assignments => (Type::AssignmentDeleted, Type::AssignmentRestored),
        TrashPart::Enrollments => (Type::EnrollmentDeleted, Type::EnrollmentRestored),
        TrashPart::Submissions => (Type::SubmissionDeleted, Type::SubmissionRestored),
        TrashPart::MediaFiles => (Type::MediaFileDeleted, Type::MediaFileRestored),
        TrashPart::Versions
        | TrashPart::GenerationPieces
        | TrashPart::WaitingChanges
        | TrashPart::PinnedContents
        | TrashPart::DueOverrides
        | TrashPart::ScormPackages
        | TrashPart::ScormLearners
        | TrashPart::Grades
        | TrashPart::Certificates
        | TrashPart::CertificateAnswers
        | TrashPart::CertificateRecords
        | TrashPart::Batches
        | TrashPart::BatchItems
        | TrashPart::Attempts
        | TrashPart::LessonCompletions
        | TrashPart::TutorTurns
        | TrashPart::Jobs => return None,
    })
}

/// Tells that everything in the item goes, from below, while it is still there to be shown.
pub fn deleted(tx: &mut dyn Tx, ctx: &Context, item: &TrashItem) -> Result<(), Error> {
    for part in TrashPart::ALL.iter().rev() {
        if let Some((kind, _)) = events_of(*part) {
            tell_all(tx, ctx, item, *part, kind)?;
        }
    }
    Ok(())
}

/// Tells that everything in the item is there again, from above.
pub fn restored(tx: &mut dyn Tx, ctx: &Context, item: &TrashItem) -> Result<(), Error> {
    for part in TrashPart::ALL {
        if let Some((_, kind)) = events_of(*part) {
            tell_all(tx, ctx, item, *part, kind)?;
        }
    }
    Ok(())
}

fn tell_all(
    tx: &mut dyn Tx,
    ctx: &Context,
    item: &TrashItem,
    part: TrashPart,
    kind: EventType,
) -> Result<(), Error> {
    let mut after = None;
    while let Some(ids) = next(tx, item, part, after.take())? {
        tell(tx, ctx, part, kind, &ids)?;
        after = ids.last().cloned();
    }
    Ok(())
}

/// The next ids of a part behind `after`; none after the last.
pub fn next(
    tx: &mut dyn Tx,
    item: &TrashItem,
    part: TrashPart,
    after: Option<String>,
) -> Result<Option<Vec<String>>, Error> {
    if item.count(part) == 0 {
        return Ok(None);
    }
    let ids = tx.trash().ids(item, part, after, AT_ONCE)?;
    Ok(Some(ids).filter(|ids| !ids.is_empty()))
}

/// Ids of a kind.
pub fn parsed<K: Identified>(ids: &[String]) -> Result<Vec<Id<K>>, Error> {
    let read = |id: &String| {
        id.parse()
            .map_err(|_| Error::Internal(format!("no id: {id:?}").into()))
    };
    ids.iter().map(read).collect()
}

fn tell(
    tx: &mut dyn Tx,
    ctx: &Context,
    part: TrashPart,
    kind: EventType,
    ids: &[String],
) -> Result<(), Error> {
    let workspace = ctx.workspace_id();
    match part {
        TrashPart::Courses => {
            let found = tx.courses().shown(workspace, &parsed(ids)?)?;
            let views: Vec<_> = found.iter().map(courses::view).collect();
            events::record_all(tx, ctx, kind, &views)
        }
        TrashPart::Units => {
            let found = tx.units().with_ids(workspace, &parsed(ids)?)?;
            let views = units::views(tx, ctx, &found)?;
            events::record_all(tx, ctx, kind, &views)
        }
        TrashPart::Lessons => {
            let found = tx.lessons().with_ids(workspace, &parsed(ids)?)?;
            let views: Vec<_> = found.iter().map(|one| lessons::view(ctx, one)).collect();
            events::record_all(tx, ctx, kind, &views)
        }
        TrashPart::Activities => {
            let found = tx.activities().with_ids(workspace, &parsed(ids)?)?;
            let views: Vec<_> = found.iter().map(|one| activities::view(ctx, one)).collect();
            events::record_all(tx, ctx, kind, &views)
        }
        TrashPart::Cohorts => {
            let found = tx.cohorts().with_ids(workspace, &parsed(ids)?)?;
            let views = cohorts::views(tx, ctx, &found)?;
            events::record_all(tx, ctx, kind, &views)
        }
        TrashPart::Users => {
            let found = tx.users().with_ids(workspace, &parsed(ids)?)?;
            let views: Vec<_> = found.iter().map(UserView::new).collect();
            events::record_all(tx, ctx, kind, &views)
        }
        TrashPart::Assignments => {
            let found = tx.assignments().with_ids(workspace, &parsed(ids)?)?;
            let views: Vec<_> = found
                .iter()
                .map(|one| assignments::view(ctx, one))
                .collect();
            events::record_all(tx, ctx, kind, &views)
        }
        TrashPart::Enrollments => {
            let found = tx.enrollments().with_ids(workspace, &parsed(ids)?)?;
            let views: Vec<_> = found
                .iter()
                .map(|(enrollment, user)| EnrollmentView::new(enrollment, user))
                .collect();
            events::record_all(tx, ctx, kind, &views)
        }
        TrashPart::Submissions => {
            let found = tx.submissions().with_ids(workspace, &parsed(ids)?)?;
            let views: Vec<_> = found.iter().map(SubmissionView::new).collect();
            events::record_all(tx, ctx, kind, &views)
        }
        TrashPart::MediaFiles => {
            let found = tx.media_files().with_ids(workspace, &parsed(ids)?)?;
            let views: Vec<_> = found.iter().map(|one| media::view(ctx, one)).collect();
            events::record_all(tx, ctx, kind, &views)
        }
        TrashPart::Versions
        | TrashPart::GenerationPieces
        | TrashPart::WaitingChanges
        | TrashPart::PinnedContents
        | TrashPart::DueOverrides
        | TrashPart::ScormPackages
        | TrashPart::ScormLearners
        | TrashPart::Grades
        | TrashPart::Certificates
        | TrashPart::CertificateAnswers
        | TrashPart::CertificateRecords
        | TrashPart::Batches
        | TrashPart::BatchItems
        | TrashPart::Attempts
        | TrashPart::LessonCompletions
        | TrashPart::TutorTurns
        | TrashPart::Jobs => Ok(()),
    }
}
