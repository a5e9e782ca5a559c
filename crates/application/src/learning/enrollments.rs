//! What callers do with the students of a cohort.

use lyceum_domain::identity::users::{NewUser, Role, User};
use lyceum_domain::ids::{CohortId, EnrollmentId, UserId};
use lyceum_domain::json::Metadata;
use lyceum_domain::learning::cohorts::CohortFull;
use lyceum_domain::learning::enrollments::Enrollment;
use lyceum_domain::running::trash::TrashKind;
use lyceum_domain::text::{Email, Name};
use lyceum_wire::learning::enrollments::{Enrollee, EnrollmentView};

use crate::identity::users;
use crate::learning::cohorts;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::trash::{self, Going};

impl From<CohortFull> for Error {
    fn from(full: CohortFull) -> Self {
        Self::Conflict(Conflict::LimitReached(full.to_string()))
    }
}

/// Gives a student a place.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Reference`], [`Conflict::Taken`], [`Conflict::LimitReached`], [`Conflict::ServiceAccount`]
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    cohort_id: CohortId,
    enrollee: Enrollee,
) -> Result<EnrollmentView, Error> {
    let cohort = cohorts::find(tx, ctx, cohort_id)?;
    cohorts::stand_for_place(tx, &cohort)?;
    let user = student(tx, ctx, enrollee)?;
    if user.is_service() {
        return Err(Conflict::ServiceAccount.into());
    }
    if tx
        .enrollments()
        .find(ctx.workspace_id(), cohort_id, user.id)?
        .is_some()
    {
        return Err(Conflict::Taken("user_id").into());
    }
    cohorts::make_room(tx, ctx, &cohort)?;
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

/// Takes a student out and gives their place back; what they handed in stays.
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
    cohorts::find(tx, ctx, cohort_id)?;
    let enrollment = tx.enrollments().find(workspace, cohort_id, user_id)?;
    let enrollment = found(enrollment, "enrollment")?;
    let user = found(tx.users().find(workspace, user_id)?, "user")?;
    let going = Going::new(TrashKind::Enrollment, &enrollment.id, &trash::called(&user));
    trash::put(tx, ctx, going)?;
    Ok(enrollment.id)
}

fn student(tx: &mut dyn Tx, ctx: &Context, enrollee: Enrollee) -> Result<User, Error> {
    match enrollee {
        Enrollee::User(id) => {
            let user = tx.users().find(ctx.workspace_id(), id)?;
            let user = user.filter(|user| !user.is_erased());
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
        timezone: None,
        external_id: None,
        metadata: Metadata::default(),
    };
    users::join(tx, ctx, new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::learning::cohorts::{Capacity, Cohort, NewCohort};
    use lyceum_ports::mocks::MockTx;

    use crate::identity::visibility::tests::{context, id, now};

    fn teacher() -> Context {
        context(Role::Teacher, KeyKind::Standard)
    }

    fn student() -> User {
        let new = NewUser {
            email: Email::parse("bob@example.org").unwrap(),
            name: None,
            role: Role::Student,
            language: None,
            timezone: None,
            external_id: None,
            metadata: Metadata::default(),
        };
        User::new(id(1), id(6), id(7), new, now())
    }

    /// A transaction with a cohort for one, and so many in it; any write panics.
    fn with(students: u32) -> MockTx {
        let mut tx = MockTx::default();
        tx.enrollments
            .expect_counts()
            .returning(move |_, cohorts| Ok(cohorts.iter().map(|id| (*id, students)).collect()));
        tx.cohorts.expect_find().returning(move |_, cohort_id| {
            let new = NewCohort {
                course_id: id(5),
                name: Name::parse("Spring").unwrap(),
                starts_at: None,
                ends_at: None,
                timezone: "UTC".to_owned(),
                capacity: Some(Capacity::parse(1).unwrap()),
                updates: lyceum_domain::learning::cohorts::CohortUpdates::Automatic,
                metadata: Metadata::default(),
            };
            Ok(Some(Cohort::draft(id(1), cohort_id, new, now()).unwrap()))
        });
        tx
    }

    fn knowing_the_student(mut tx: MockTx) -> MockTx {
        tx.users.expect_find().returning(|_, _| Ok(Some(student())));
        tx
    }

    #[test]
    fn a_full_cohort_refuses() {
        let mut tx = knowing_the_student(with(1));
        tx.enrollments.expect_find().returning(|_, _, _| Ok(None));
        let refused = create(&mut tx, &teacher(), id(8), Enrollee::User(id(6))).unwrap_err();
        assert!(matches!(
            refused,
            Error::Conflict(Conflict::LimitReached(reason)) if reason == "the cohort is full"
        ));
    }

    #[test]
    fn nobody_is_in_a_cohort_twice() {
        let mut tx = knowing_the_student(with(0));
        tx.enrollments.expect_find().returning(|_, cohort, user| {
            Ok(Some(Enrollment::new(id(1), id(9), cohort, user, now())))
        });
        let refused = create(&mut tx, &teacher(), id(8), Enrollee::User(id(6))).unwrap_err();
        assert!(matches!(
            refused,
            Error::Conflict(Conflict::Taken("user_id"))
        ));
    }

    #[test]
    fn a_user_who_is_not_here_is_not_enrolled() {
        let mut tx = with(0);
        tx.users.expect_find().returning(|_, _| Ok(None));
        let refused = create(&mut tx, &teacher(), id(8), Enrollee::User(id(6))).unwrap_err();
        assert!(matches!(
            refused,
            Error::Reference {
                field: "user_id",
                object: "user"
            }
        ));
    }

    #[test]
    fn an_unknown_address_becomes_a_student_with_a_place() {
        let mut tx = with(0);
        tx.users.expect_with_email().returning(|_, _| Ok(None));
        tx.users
            .expect_known_or_new()
            .times(1)
            .returning(|person| Ok(person.clone()));
        tx.users
            .expect_insert()
            .withf(|user| user.role == Role::Student && user.email.as_str() == "eve@example.org")
            .times(1)
            .returning(|_| Ok(()));
        tx.enrollments.expect_find().returning(|_, _, _| Ok(None));
        tx.enrollments
            .expect_insert()
            .times(1)
            .returning(|_| Ok(()));
        tx.events.expect_append().times(2).returning(|_| Ok(()));
        tx.webhooks.expect_enabled().returning(|_| Ok(vec![]));
        let email = Email::parse("eve@example.org").unwrap();
        let enrollee = Enrollee::Address { email, name: None };
        let view = create(&mut tx, &teacher(), id(8), enrollee).unwrap();
        assert_eq!(view.user.email, "eve@example.org");
    }
}
