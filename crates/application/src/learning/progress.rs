//! What callers do with progress: completing lessons, and seeing how far everybody has come.

mod goals;

use std::collections::{BTreeSet, HashMap};

use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::ids::{CohortId, CourseId, LessonId, UserId};
use lyceum_domain::learning::cohorts::{Cohort, CohortStatus};
use lyceum_domain::learning::enrollments::{Enrollment, EnrollmentStatus};
use lyceum_domain::learning::progress::{Learning, LessonCompletion, Progress};
use lyceum_wire::learning::progress::{CompletionRequest, LessonCompletionView, ProgressView};

use self::goals::Goals;
use crate::identity::visibility::course_is_visible;
use crate::identity::visibility::student_of;
use crate::learning::cohorts;
use crate::notifying::events;
use crate::prelude::*;

/// Notes that a student is done with a lesson, once, and says how far they have come.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Reference`] unless they are in a cohort of the course,
/// [`crate::error::Forbidden::NotOwn`]
pub fn complete(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: LessonId,
    request: CompletionRequest,
) -> Result<ProgressView, Error> {
    let lesson = lesson(tx, ctx, id)?;
    let user_id = student_of(tx, ctx, request.user_id)?;
    let enrollment = place_of(tx, ctx, lesson.course_id, user_id, request.cohort_id)?;
    let known = tx
        .progress()
        .completion(ctx.workspace_id(), user_id, lesson.id)?;
    if known.is_none() {
        let completion = LessonCompletion {
            workspace_id: ctx.workspace_id(),
            id: ctx.mint(),
            user_id,
            lesson_id: lesson.id,
            course_id: lesson.course_id,
            created_at: ctx.now,
        };
        tx.progress().complete(&completion)?;
        let view = LessonCompletionView::new(&completion, enrollment.cohort_id);
        events::record(tx, ctx, EventType::LessonCompleted, &view)?;
    }
    let place = (enrollment, lesson.course_id);
    let views = views(tx, ctx, vec![place])?;
    found(views.into_iter().next(), "enrollment")
}

/// Shows how far a page of a cohort's students have come.
///
/// # Errors
/// [`Error::NotFound`]
pub fn of_cohort(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CohortId,
    page: &PageRequest,
) -> Result<Page<ProgressView>, Error> {
    let cohort = cohorts::find(tx, ctx, id)?;
    let students = tx.enrollments().page(ctx.workspace_id(), id, page)?;
    let places = students.map(|(enrollment, _)| (enrollment, cohort.course_id));
    shown(tx, ctx, places)
}

/// Shows how far a user has come in every cohort that they are in.
///
/// # Errors
/// [`Error::NotFound`]
pub fn of_user(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: UserId,
    page: &PageRequest,
) -> Result<Page<ProgressView>, Error> {
    let user = found(tx.users().find(ctx.workspace_id(), id)?, "user")?;
    let mut enrolled = tx.enrollments().of_user(ctx.workspace_id(), user.id)?;
    let called = [
        user.name
            .as_ref()
            .map_or("", lyceum_domain::text::Name::as_str),
        user.email.as_str(),
    ];
    let is_wanted = page.narrowed.admits_texts(&called);
    enrolled
        .retain(|enrollment| is_wanted && page.narrowed.admits_made(enrollment.stamp.created_at));
    let page = Page::of_few(enrolled, page, |enrollment| enrollment.id.to_string());
    let cohorts = cohorts_of(tx, ctx, &page.items)?;
    let items = page.items.into_iter().filter_map(|enrollment| {
        let cohort = cohorts.get(&enrollment.cohort_id)?;
        Some((enrollment, cohort.course_id))
    });
    let places = Page {
        items: items.collect(),
        next: page.next,
    };
    shown(tx, ctx, places)
}

fn lesson(tx: &mut dyn Tx, ctx: &Context, id: LessonId) -> Result<Lesson, Error> {
    let lesson = found(tx.lessons().find(ctx.workspace_id(), id)?, "lesson")?;
    if ctx.learner().is_some() && !course_is_visible(tx, ctx, lesson.course_id)? {
        return Err(Error::NotFound("lesson"));
    }
    Ok(lesson)
}

/// The place of a student in a cohort of the course: the one named, else the newest active one, and rather one in
/// a cohort that runs.
fn place_of(
    tx: &mut dyn Tx,
    ctx: &Context,
    course: CourseId,
    user: UserId,
    named: Option<CohortId>,
) -> Result<Enrollment, Error> {
    let enrolled = tx.enrollments().of_user(ctx.workspace_id(), user)?;
    let cohorts = cohorts_of(tx, ctx, &enrolled)?;
    let of_course = |cohort: &&Cohort| cohort.course_id == course;
    let mut places: Vec<(&Cohort, Enrollment)> = enrolled
        .into_iter()
        .filter_map(|place| Some((cohorts.get(&place.cohort_id).filter(of_course)?, place)))
        .collect();
    let (field, object) = if let Some(named) = named {
        places.retain(|(cohort, _)| cohort.id == named);
        ("cohort_id", "cohort")
    } else {
        places.retain(|(_, place)| place.status == EnrollmentStatus::Active);
        ("user_id", "enrollment")
    };
    let runs = places
        .iter()
        .position(|(cohort, _)| cohort.status == CohortStatus::Active);
    let place = places.into_iter().nth(runs.unwrap_or_default());
    referenced(place.map(|(_, place)| place), field, object)
}

fn cohorts_of(
    tx: &mut dyn Tx,
    ctx: &Context,
    enrolled: &[Enrollment],
) -> Result<HashMap<CohortId, Cohort>, Error> {
    let ids: Vec<CohortId> = enrolled.iter().map(|place| place.cohort_id).collect();
    let cohorts = tx.cohorts().with_ids(ctx.workspace_id(), &ids)?;
    Ok(cohorts
        .into_iter()
        .map(|cohort| (cohort.id, cohort))
        .collect())
}

fn shown(
    tx: &mut dyn Tx,
    ctx: &Context,
    places: Page<(Enrollment, CourseId)>,
) -> Result<Page<ProgressView>, Error> {
    Ok(Page {
        items: views(tx, ctx, places.items)?,
        next: places.next,
    })
}

fn views(
    tx: &mut dyn Tx,
    ctx: &Context,
    places: Vec<(Enrollment, CourseId)>,
) -> Result<Vec<ProgressView>, Error> {
    let found = of_places(tx, ctx, places)?;
    Ok(found.iter().map(ProgressView::new).collect())
}

/// How far everybody has come in the course of their cohort, in the order of `places`, with a few queries however many they are.
///
/// # Errors
/// Those of storage.
pub fn of_places(
    tx: &mut dyn Tx,
    ctx: &Context,
    places: Vec<(Enrollment, CourseId)>,
) -> Result<Vec<Progress>, Error> {
    let workspace = ctx.workspace_id();
    let users = distinct(places.iter().map(|(place, _)| place.user_id));
    let courses = distinct(places.iter().map(|(_, course)| *course));
    let totals = tx.progress().lesson_totals(workspace, &courses)?;
    let totals: HashMap<CourseId, u32> = totals.into_iter().collect();
    let mut done: HashMap<(UserId, CourseId), Learning> = HashMap::new();
    for one in tx.progress().completed(workspace, &users, &courses)? {
        let learning = done.entry((one.user_id, one.course_id)).or_default();
        learning.lessons_completed = one.lessons;
        learning.last_activity_at = learning.last_activity_at.max(Some(one.last_at));
    }
    let best = tx.attempts().best(workspace, &users, &courses)?;
    for one in &best {
        let learning = done.entry((one.user_id, one.course_id)).or_default();
        learning.best_percents.extend(one.percent);
        learning.last_activity_at = learning.last_activity_at.max(Some(one.last_at));
    }
    let goals = Goals::of(tx, ctx, &users, &courses, &best)?;
    let found = places.into_iter().map(|(enrollment, course)| {
        let learning = done.get(&(enrollment.user_id, course)).cloned();
        Progress {
            lessons_total: totals.get(&course).copied().unwrap_or_default(),
            learning: learning.unwrap_or_default(),
            rule: goals.rule(course),
            towards: goals.towards(course, enrollment.user_id),
            enrollment,
        }
    });
    Ok(found.collect())
}

fn distinct<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.collect::<BTreeSet<T>>().into_iter().collect()
}

#[cfg(test)]
mod tests;
