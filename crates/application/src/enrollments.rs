//! What callers do with the students of a cohort.

use lyceum_domain::cohorts::{CohortFull, CohortId};
use lyceum_domain::enrollments::{Enrollment, EnrollmentId};
use lyceum_domain::events::EventType;
use lyceum_domain::json::Metadata;
use lyceum_domain::text::{Email, Name};
use lyceum_domain::users::{NewUser, Role, User, UserId};
use lyceum_ports::page::{Page, PageRequest};
use lyceum_ports::store::Tx;
use lyceum_wire::enrollments::{Enrollee, EnrollmentView};

use crate::context::Context;
use crate::error::{Conflict, Error};
use crate::lookup::{found, referenced};
use crate::{cohorts, events, users};

impl From<CohortFull> for Error {
    fn from(full: CohortFull) -> Self {
        Self::Conflict(Conflict::LimitReached(full.to_string()))
    }
}

/// Gives a student a place.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Reference`], [`Conflict::Taken`], [`Conflict::LimitReached`]
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    cohort_id: CohortId,
    enrollee: Enrollee,
) -> Result<EnrollmentView, Error> {
    let mut cohort = cohorts::find(tx, ctx, cohort_id)?;
    let user = student(tx, ctx, enrollee)?;
    if tx
        .enrollments()
        .find(ctx.workspace_id(), cohort_id, user.id)?
        .is_some()
    {
        return Err(Conflict::Taken("user_id").into());
    }
    cohort.admit(ctx.now)?;
    // Two who take the last place at once change the same row: only one of them gets through.
    tx.cohorts().update(&cohort)?;
    let enrollment = Enrollment::new(ctx.workspace_id(), ctx.mint(), cohort_id, user.id, ctx.now);
    tx.enrollments().insert(&enrollment)?;
    let view = EnrollmentView::new(&enrollment, &user);
    events::record(tx, ctx, EventType::EnrollmentCreated, &view)?;
    Ok(view)
}

/// Shows a page of a cohort's students.
///
/// # Errors
/// [`Error::NotFound`]
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    cohort_id: CohortId,
    page: &PageRequest,
) -> Result<Page<EnrollmentView>, Error> {
    cohorts::find(tx, ctx, cohort_id)?;
    let page = tx.enrollments().page(ctx.workspace_id(), cohort_id, page)?;
    Ok(page.map(|(enrollment, user)| EnrollmentView::new(&enrollment, &user)))
}

/// Takes a student out and gives their place back.
///
/// # Errors
/// [`Error::NotFound`]
pub fn delete(
    tx: &mut dyn Tx,
    ctx: &Context,
    cohort_id: CohortId,
    user_id: UserId,
) -> Result<EnrollmentId, Error> {
    let workspace = ctx.workspace_id();
    let mut cohort = cohorts::find(tx, ctx, cohort_id)?;
    let enrollment = tx.enrollments().find(workspace, cohort_id, user_id)?;
    let enrollment = found(enrollment, "enrollment")?;
    let user = found(tx.users().find(workspace, user_id)?, "user")?;
    tx.enrollments().delete(workspace, cohort_id, user_id)?;
    cohort.release(ctx.now);
    tx.cohorts().update(&cohort)?;
    let last = EnrollmentView::new(&enrollment, &user);
    events::record(tx, ctx, EventType::EnrollmentDeleted, &last)?;
    Ok(enrollment.id)
}

fn student(tx: &mut dyn Tx, ctx: &Context, enrollee: Enrollee) -> Result<User, Error> {
    match enrollee {
        Enrollee::User(id) => {
            let user = tx.users().find(ctx.workspace_id(), id)?;
            referenced(user, "user_id", "user")
        }
        Enrollee::Address { email, name } => by_address(tx, ctx, email, name),
    }
}

/// People are enrolled by address before anybody has told the platform of them.
fn by_address(
    tx: &mut dyn Tx,
    ctx: &Context,
    email: Email,
    name: Option<Name>,
) -> Result<User, Error> {
    if let Some(user) = users::with_email(tx, ctx, &email)? {
        return Ok(user);
    }
    let new = NewUser {
        email,
        name,
        role: Role::Student,
        language: None,
        external_id: None,
        metadata: Metadata::default(),
    };
    users::join(tx, ctx, new)
}
