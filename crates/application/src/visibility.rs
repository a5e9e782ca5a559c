//! What learners see of the courses: the published ones of active cohorts that they are active members of.
//!
//! Everything else is not there for them, so that nobody learns of it by asking.

use std::collections::HashSet;

use lyceum_domain::cohorts::CohortStatus;
use lyceum_domain::courses::{CourseId, CourseStatus};
use lyceum_domain::enrollments::EnrollmentStatus;
use lyceum_domain::scopes::Scope;
use lyceum_ports::page::Page;
use lyceum_ports::store::Tx;

use crate::context::Context;
use crate::error::Error;

/// Whether the caller gets the learner's view: learners, and keys that may read lessons but not courses.
pub fn is_restricted(ctx: &Context) -> bool {
    ctx.learner().is_some() || !ctx.may(Scope::ReadCourses)
}

/// The courses that the caller sees; `None` when they see all.
///
/// # Errors
/// Those of storage.
pub fn visible_courses(
    tx: &mut dyn Tx,
    ctx: &Context,
) -> Result<Option<HashSet<CourseId>>, Error> {
    if !is_restricted(ctx) {
        return Ok(None);
    }
    let user = ctx.member()?.user.id;
    let mut taught: HashSet<CourseId> = HashSet::new();
    for enrollment in tx.enrollments().of_user(ctx.workspace_id(), user)? {
        if enrollment.status != EnrollmentStatus::Active {
            continue;
        }
        let cohort = tx
            .cohorts()
            .find(ctx.workspace_id(), enrollment.cohort_id)?;
        taught.extend(
            cohort
                .filter(|cohort| cohort.status == CohortStatus::Active)
                .map(|cohort| cohort.course_id),
        );
    }
    let taught: Vec<CourseId> = taught.into_iter().collect();
    let courses = tx.courses().with_ids(ctx.workspace_id(), &taught)?;
    let published = courses
        .into_iter()
        .filter(|course| course.status == CourseStatus::Published);
    Ok(Some(published.map(|course| course.id).collect()))
}

/// Whether the caller sees what belongs to this course.
///
/// # Errors
/// Those of storage.
pub fn course_is_visible(
    tx: &mut dyn Tx,
    ctx: &Context,
    course_id: CourseId,
) -> Result<bool, Error> {
    let visible = visible_courses(tx, ctx)?;
    Ok(visible.is_none_or(|courses| courses.contains(&course_id)))
}

/// Says that a thing of a course is not there, unless the caller sees the course.
///
/// # Errors
/// [`Error::NotFound`]
pub fn refuse_hidden(
    tx: &mut dyn Tx,
    ctx: &Context,
    course_id: CourseId,
    object: &'static str,
) -> Result<(), Error> {
    if course_is_visible(tx, ctx, course_id)? {
        Ok(())
    } else {
        Err(Error::NotFound(object))
    }
}

/// Takes away from a page what the caller does not see.
///
/// Such a page may be shorter than asked for, even empty, and still have one after it; filtered by a course that
/// the caller sees, or by anything in it, no page is.
///
/// # Errors
/// Those of storage.
pub fn keep_visible<T>(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut page: Page<T>,
    course_of: impl Fn(&T) -> CourseId,
) -> Result<Page<T>, Error> {
    if let Some(courses) = visible_courses(tx, ctx)? {
        page.items.retain(|item| courses.contains(&course_of(item)));
        // The place where the next page starts is the id of a thing, which is not to be told either.
        if page.items.is_empty() && courses.is_empty() {
            page.next = None;
        }
    }
    Ok(page)
}
