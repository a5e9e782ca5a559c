//! What learners see of the courses: the published ones of active cohorts that they are active members of.
//!
//! Everything else is not there for them, so that nobody learns of it by asking.

use std::collections::{HashMap, HashSet};

use lyceum_domain::authoring::courses::CourseStatus;
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::ids::{CohortId, CourseId, UserId, WorkspaceId};
use lyceum_domain::learning::cohorts::{Cohort, CohortStatus};
use lyceum_domain::learning::enrollments::EnrollmentStatus;

use crate::prelude::*;

/// Whether the caller gets the learner's view: learners, and keys that may read lessons but not courses.
pub fn is_restricted(ctx: &Context) -> bool {
    ctx.learner().is_some() || !ctx.may(Scope::ReadCourses)
}

/// What the caller sees of the courses, and as which cohort.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sight {
    /// Which courses; `None` when all.
    visible: Option<HashSet<CourseId>>,
    /// As which cohort they see a course that they do not see as it is now.
    pinned: HashMap<CourseId, CohortId>,
}

impl Sight {
    /// Whether the caller sees what belongs to this course.
    pub fn shows(&self, course: CourseId) -> bool {
        self.visible
            .as_ref()
            .is_none_or(|courses| courses.contains(&course))
    }

    /// Says that a thing of a course is not there, unless the caller sees the course.
    ///
    /// # Errors
    /// [`Error::NotFound`]
    pub fn refuse_hidden(&self, course: CourseId, object: &'static str) -> Result<(), Error> {
        if self.shows(course) {
            Ok(())
        } else {
            Err(Error::NotFound(object))
        }
    }

    /// The courses that a page of their parts is limited to for the caller; `None` for all.
    ///
    /// Whoever sees no metadata cannot find anything by it either, so that nothing is guessed from what is found.
    pub fn limits(&self, page: &PageRequest) -> Option<Vec<CourseId>> {
        let visible = self.visible.as_ref()?;
        if page.narrowed.metadata.is_empty() {
            Some(visible.iter().copied().collect())
        } else {
            Some(Vec::new())
        }
    }

    /// As which cohorts the caller sees courses that they do not see as they are now.
    pub const fn pinned(&self) -> &HashMap<CourseId, CohortId> {
        &self.pinned
    }
}

/// What the caller sees: learners as the cohorts do that they are in, all others what is there, or what the cohort sees that they ask for.
///
/// # Errors
/// [`Error::Invalid`] for a cohort that is not there for the caller.
pub fn sight(tx: &mut dyn Tx, ctx: &Context) -> Result<Sight, Error> {
    if !is_restricted(ctx) {
        let Some(cohort) = ctx.read_as else {
            return Ok(Sight::default());
        };
        let cohort = tx.cohorts().find(ctx.workspace_id(), cohort)?;
        let cohort = cohort.ok_or_else(no_cohort)?;
        return Ok(Sight {
            visible: None,
            pinned: pinned(std::slice::from_ref(&cohort)),
        });
    }
    let user = ctx.member()?.user.id;
    let mut joined = active_cohorts(tx, ctx.workspace_id(), user)?;
    if let Some(cohort) = ctx.read_as {
        joined.retain(|one| one.id == cohort);
        joined.first().ok_or_else(no_cohort)?;
    }
    let taught: HashSet<CourseId> = joined.iter().map(|cohort| cohort.course_id).collect();
    let taught: Vec<CourseId> = taught.into_iter().collect();
    let courses = tx.courses().with_ids(ctx.workspace_id(), &taught)?;
    let published = courses
        .into_iter()
        .filter(|course| course.status == CourseStatus::Published);
    Ok(Sight {
        visible: Some(published.map(|course| course.id).collect()),
        pinned: pinned(&joined),
    })
}

/// As which cohort a learner sees a course that they do not see as it is now: the one that is named, if they have a place in it, else by
/// those that they are in. Nobody chooses by naming a cohort of others what they are judged by.
///
/// # Errors
/// Those of storage.
pub(crate) fn cohort_of(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    (user, course): (UserId, CourseId),
    named: Option<CohortId>,
) -> Result<Option<CohortId>, Error> {
    let places = tx.enrollments().of_user(workspace, user)?;
    let named = named.filter(|named| places.iter().any(|one| one.cohort_id == *named));
    if let Some(named) = named {
        let cohort = tx.cohorts().find(workspace, named)?;
        return Ok(cohort.filter(Cohort::pins).map(|cohort| cohort.id));
    }
    let mut joined = active_cohorts(tx, workspace, user)?;
    joined.retain(|cohort| cohort.course_id == course);
    Ok(pinned(&joined).remove(&course))
}

/// Refuses a cohort that is not there for the caller, where nothing is read that could differ for it.
///
/// # Errors
/// [`Error::Invalid`]
pub fn refuse_unknown_cohort(tx: &mut dyn Tx, ctx: &Context) -> Result<(), Error> {
    match ctx.read_as {
        Some(_) => sight(tx, ctx).map(drop),
        None => Ok(()),
    }
}

fn no_cohort() -> Error {
    Invalid::new("as_cohort", "names no cohort that is there").into()
}

/// The active cohorts that somebody is an active member of, by when they came to each.
fn active_cohorts(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    user: UserId,
) -> Result<Vec<Cohort>, Error> {
    let mut enrollments = tx.enrollments().of_user(workspace, user)?;
    enrollments.retain(|enrollment| enrollment.status == EnrollmentStatus::Active);
    enrollments.sort_by_key(|enrollment| enrollment.id);
    let joined: Vec<CohortId> = enrollments.iter().map(|one| one.cohort_id).collect();
    let mut cohorts = tx.cohorts().with_ids(workspace, &joined)?;
    cohorts.retain(|cohort| cohort.status == CohortStatus::Active);
    cohorts.sort_by_key(|cohort| joined.iter().position(|id| *id == cohort.id));
    Ok(cohorts)
}

/// Whoever is in a cohort that sees a course as it is now sees it so; of several that do not, the one counts that they came to last.
fn pinned(joined: &[Cohort]) -> HashMap<CourseId, CohortId> {
    let pins = joined.iter().filter(|cohort| cohort.pins());
    let mut pinned: HashMap<CourseId, CohortId> =
        pins.map(|cohort| (cohort.course_id, cohort.id)).collect();
    for cohort in joined.iter().filter(|cohort| !cohort.pins()) {
        pinned.remove(&cohort.course_id);
    }
    pinned
}

/// Whether the caller sees what belongs to this course.
pub fn course_is_visible(
    tx: &mut dyn Tx,
    ctx: &Context,
    course_id: CourseId,
) -> Result<bool, Error> {
    Ok(sight(tx, ctx)?.shows(course_id))
}

/// Whose submission, attempt or progress it is to be: a learner's own, else the one named.
pub(crate) fn student_of(
    tx: &mut dyn Tx,
    ctx: &Context,
    named: Option<UserId>,
) -> Result<UserId, Error> {
    if let Some(own) = ctx.learner() {
        return match named {
            Some(named) if named != own => Err(Forbidden::NotOwn.into()),
            _ => Ok(own),
        };
    }
    let named = named.ok_or_else(|| Invalid::missing("user_id"))?;
    let user = tx.users().find(ctx.workspace_id(), named)?;
    let user = referenced(user, "user_id", "user")?;
    if user.is_service() {
        return Err(Conflict::ServiceAccount.into());
    }
    Ok(user.id)
}

/// The user whose submissions alone the caller may see; `None` when everybody's.
pub(crate) fn only_own(ctx: &Context) -> Result<Option<UserId>, Error> {
    if ctx.learner().is_none() && ctx.may(Scope::ReadSubmissions) {
        return Ok(None);
    }
    Ok(Some(ctx.member()?.user.id))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::context::Visitor;
    use std::sync::Arc;

    use lyceum_domain::authoring::completion::Completion;
    use lyceum_domain::authoring::courses::gradebook::GradebookScheme;
    use lyceum_domain::authoring::courses::{Course, CourseAi, Hours, NewCourse};
    use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
    use lyceum_domain::id::Identified;
    use lyceum_domain::identity::ai_settings::WorkspaceAi;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::scopes::ScopeSet;
    use lyceum_domain::identity::users::{NewUser, Role, User};
    use lyceum_domain::identity::workspaces::{NewWorkspace, Platform, PlatformUuid, Workspace};
    use lyceum_domain::json::{JsonObject, Metadata};
    use lyceum_domain::learning::cohorts::{CohortUpdates, NewCohort};
    use lyceum_domain::learning::enrollments::Enrollment;
    use lyceum_domain::notifying::deliveries::DeliverySchedule;
    use lyceum_domain::text::{Email, LanguageTag, LongText, Name};
    use lyceum_domain::{Id, Timestamp};
    use lyceum_ports::drafting::ai::MockAiProvider;
    use lyceum_ports::environment::{MockEntropy, MockIds};
    use lyceum_ports::mocks::MockTx;
    use lyceum_ports::notifying::webhook_sink::MockWebhookSink;
    use lyceum_ports::page::MetadataMember;

    use crate::context::{Actor, Identity, Member};
    use crate::settings::Settings;

    pub(crate) fn now() -> Timestamp {
        Timestamp::parse("2026-11-21T06:55:00Z").unwrap()
    }

    /// The id with this number.
    pub(crate) fn id<K: Identified>(number: u8) -> Id<K> {
        format!("{}_{:0>26}", K::PREFIX, number).parse().unwrap()
    }

    fn name(text: &str) -> Name {
        Name::parse(text).unwrap()
    }

    /// Somebody in this role, with a key of this kind and all that comes with it.
    pub(crate) fn context(role: Role, key_kind: KeyKind) -> Context {
        let workspace = Workspace::new(
            id(1),
            Platform {
                number: 1,
                uuid: PlatformUuid::from_bytes([7; 12]),
                code: None,
            },
            NewWorkspace {
                name: name("School"),
                domain: None,
                ai: WorkspaceAi::default(),
                metadata: Metadata::default(),
            },
            now(),
        );
        let new = NewUser {
            email: Email::parse("ada@example.org").unwrap(),
            name: None,
            role,
            language: None,
            timezone: None,
            external_id: None,
            metadata: Metadata::default(),
        };
        let scopes = match key_kind {
            KeyKind::Session => ScopeSet::session(),
            KeyKind::Standard => ScopeSet::standard(),
            KeyKind::Web => ScopeSet::everything(),
        };
        let member = Member {
            identity: Arc::new(Identity {
                person_id: id(2),
                email: new.email.clone(),
                key_id: id(3),
                key_kind,
                scopes,
                bound_to: None,
                package: None,
                made_in: None,
                use_unnoted: false,
                signed_in: None,
                began_at: now(),
                renewal: None,
            }),
            user: Arc::new(User::new(id(1), id(4), id(2), new, now()).of_ones_own_will()),
        };
        let mut ids = MockIds::new();
        ids.expect_next()
            .returning(|| id::<lyceum_domain::ids::Course>(9).uuid());
        Context {
            workspace: Arc::new(workspace),
            actor: Actor::Member(member),
            read_as: None,
            visit: Visitor {
                now: now(),
                request_id: None,
                trace: None,
                ids: Arc::new(ids),
                entropy: Arc::new(MockEntropy::new()),
                settings: Arc::new(Settings {
                    public_url: RuntimeBaseUrl::parse("http://127.0.0.1:8080/").unwrap(),
                    addresses: Arc::new(lyceum_ports::addresses::MockAddresses::new()),
                    download_key: [0; 32],
                    draw_key: [5; 32],
                    launch_key: [1; 32],
                    workspaces: crate::settings::WorkspaceCreation::default(),
                    webhook_schedule: DeliverySchedule::default(),
                    mail_is_configured: false,
                    trash_kept: std::time::Duration::from_hours(30 * 24),
                    scratch: std::path::PathBuf::new(),
                    spending: crate::settings::Spending::default(),
                }),
                sink: Arc::new(MockWebhookSink::new()),
                passkeys: None,
                ai: Arc::new(MockAiProvider::new()),
                queued: Arc::default(),
            },
        }
    }

    /// A course of which nothing is said but its name.
    pub(crate) fn new_course() -> NewCourse {
        NewCourse {
            name: name("Food safety"),
            language: LanguageTag::english(),
            description: LongText::default(),
            hours: Hours::DEFAULT,
            ai: CourseAi::default(),
            tutor: JsonObject::new(),
            completion: Completion::default(),
            gradebook: GradebookScheme::default(),
            metadata: Metadata::default(),
        }
    }

    /// A draft with this number.
    pub(crate) fn course(number: u8) -> Course {
        Course::draft(id(1), id(number), new_course(), now())
    }

    fn cohort(number: u8, course: u8, status: CohortStatus) -> Cohort {
        let new = NewCohort {
            course_id: id(course),
            name: name("Autumn"),
            starts_at: None,
            ends_at: None,
            timezone: "UTC".to_owned(),
            capacity: None,
            updates: CohortUpdates::Automatic,
            metadata: Metadata::default(),
        };
        let draft = Cohort::draft(id(1), id(number), new, now()).unwrap();
        Cohort { status, ..draft }
    }

    fn enrollment(cohort: u8, status: EnrollmentStatus) -> Enrollment {
        let new = Enrollment::new(id(1), id(cohort), id(cohort), id(4), now());
        Enrollment { status, ..new }
    }

    #[test]
    fn authors_see_every_course() {
        let ctx = context(Role::Teacher, KeyKind::Standard);
        assert_eq!(
            sight(&mut MockTx::default(), &ctx).unwrap(),
            Sight::default()
        );
    }

    #[test]
    fn learners_see_published_courses_of_active_cohorts_they_are_active_in() {
        let mut tx = MockTx::default();
        tx.enrollments.expect_of_user().returning(|_, _| {
            Ok(vec![
                enrollment(1, EnrollmentStatus::Active),
                enrollment(2, EnrollmentStatus::Active),
                enrollment(3, EnrollmentStatus::Withdrawn),
                enrollment(4, EnrollmentStatus::Active),
            ])
        });
        tx.cohorts.expect_with_ids().returning(|_, ids| {
            let status = |number: u8| match number {
                2 => CohortStatus::Completed,
                _ => CohortStatus::Active,
            };
            let found = (1..=4).filter(|n| ids.contains(&id(*n)));
            Ok(found.map(|n| cohort(n, n, status(n))).collect())
        });
        tx.courses.expect_with_ids().returning(|_, ids| {
            let found = (1..=4).filter(|n| ids.contains(&id(*n))).map(|number| {
                let status = match number {
                    4 => CourseStatus::Draft,
                    _ => CourseStatus::Published,
                };
                Course {
                    status,
                    ..course(number)
                }
            });
            Ok(found.collect())
        });
        let ctx = context(Role::Student, KeyKind::Session);
        let sight = sight(&mut tx, &ctx).unwrap();
        assert_eq!(sight.visible, Some(HashSet::from([id(1)])));
        assert!(course_is_visible(&mut tx, &ctx, id(1)).unwrap());
        let hidden = sight.refuse_hidden(id(2), "unit");
        assert!(matches!(hidden, Err(Error::NotFound("unit"))));
        let mut page = PageRequest::first(20);
        assert_eq!(sight.limits(&page), Some(vec![id(1)]));
        page.narrowed.metadata = vec![MetadataMember {
            key: "internal".to_owned(),
            text: "yes".to_owned(),
            scalar: None,
        }];
        assert_eq!(sight.limits(&page), Some(vec![]));
    }

    #[test]
    fn of_several_cohorts_the_one_that_sees_what_is_there_counts_then_the_last() {
        let by_choice = |number: u8| Cohort {
            updates: CohortUpdates::Manual,
            ..cohort(number, 7, CohortStatus::Active)
        };
        let at_once = cohort(3, 7, CohortStatus::Active);
        let elsewhere = Cohort {
            course_id: id(8),
            ..by_choice(4)
        };
        let both = pinned(&[by_choice(1), by_choice(2), elsewhere.clone()]);
        assert_eq!(both, HashMap::from([(id(7), id(2)), (id(8), id(4))]));
        for joined in [[at_once.clone(), by_choice(1)], [by_choice(1), at_once]] {
            assert_eq!(pinned(&joined), HashMap::new());
        }
    }

    #[test]
    fn whoever_is_in_no_cohort_sees_nothing() {
        let mut tx = MockTx::default();
        tx.enrollments.expect_of_user().returning(|_, _| Ok(vec![]));
        tx.cohorts.expect_with_ids().returning(|_, _| Ok(vec![]));
        tx.courses.expect_with_ids().returning(|_, _| Ok(vec![]));
        // A session key sees what learners see, whatever its owner's role.
        let ctx = context(Role::Owner, KeyKind::Session);
        assert_eq!(sight(&mut tx, &ctx).unwrap().visible, Some(HashSet::new()));
    }
}
