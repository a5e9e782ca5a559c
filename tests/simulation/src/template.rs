//! The database that every seed starts with, made once per process: a workspace, a course with a graded assignment,
//! a student, and two endpoints that want to hear everything.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use lyceum_application::authoring::{assignments, courses};
use lyceum_application::identity::bootstrap::{self, Bootstrap};
use lyceum_application::identity::users;
use lyceum_application::notifying::webhooks;
use lyceum_application::{App, Error, Tx};
use lyceum_domain::authoring::assignments::{AssignmentParent, GradingChanges, NewAssignment};
use lyceum_domain::authoring::completion::Completion;
use lyceum_domain::authoring::courses::gradebook::GradebookScheme;
use lyceum_domain::authoring::courses::{CourseAi, Hours, NewCourse};
use lyceum_domain::identity::users::{NewUser, Role};
use lyceum_domain::identity::workspaces::{PlatformCode, Workspace};
use lyceum_domain::ids::{AssignmentId, PersonId, UserId};
use lyceum_domain::json::{JsonObject, Metadata};
use lyceum_domain::notifying::deliveries::DeliveryOutcome;
use lyceum_domain::notifying::webhooks::{EventFilter, NewWebhookEndpoint};
use lyceum_domain::points::Points;
use lyceum_domain::text::{Email, LanguageTag, LongText, Name};
use lyceum_domain::web_address::WebAddress;
use lyceum_ports::notifying::webhook_sink::{AddressRefused, WebhookMessage, WebhookSink};
use lyceum_store::{MasterKey, open_in_line};
use tempfile::TempDir;

use crate::machine::{Machine, SeededEntropy, SharedIds};
use crate::peers::RemoteAi;
use crate::world::app_over;

/// The first number that the ids of a run may have.
pub const FIRST_ID: u64 = 1_000_000;

/// What is in it.
#[derive(Clone)]
pub struct School {
    /// The tenant.
    pub workspace: Workspace,
    /// Who uses idempotency keys.
    pub person: PersonId,
    /// What is handed in to.
    pub assignment: AssignmentId,
    /// Who hands in.
    pub student: UserId,
}

struct Template {
    folder: TempDir,
    school: School,
}

static TEMPLATE: LazyLock<Template> = LazyLock::new(|| {
    let folder = folder();
    let school = furnish(&folder.path().join("school.db"));
    Template { folder, school }
});

/// A folder in memory, where there is such a thing.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    };
    TempDir::with_prefix_in("lyceum-simulation-", place).unwrap()
}

pub fn master_key() -> MasterKey {
    MasterKey::from_bytes([7; 32])
}

/// A school of one's own: its folder, which is gone when dropped, its file, and what is in it.
pub fn school() -> (TempDir, PathBuf, School) {
    let own = folder();
    let file = own.path().join("school.db");
    std::fs::copy(TEMPLATE.folder.path().join("school.db"), &file).unwrap();
    (own, file, TEMPLATE.school.clone())
}

/// Runs what never waits.
pub fn now_or_never<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(done) => done,
        std::task::Poll::Pending => panic!("nothing here waits"),
    }
}

fn furnish(file: &Path) -> School {
    let store = open_in_line(file, &master_key()).unwrap();
    let app = app_over(
        Arc::clone(&store),
        Arc::new(Machine::default()),
        SharedIds::from(1),
        SeededEntropy::of(fastrand::Rng::with_seed(0)),
        Arc::new(RemoteAi::nowhere()),
        Arc::new(Anywhere),
    );
    let writing = app.clone();
    let made = now_or_never(store.write(move |tx| make_school(tx, &writing)));
    made.unwrap()
}

fn make_school(tx: &mut dyn Tx, app: &App) -> Result<School, Error> {
    let wanted = Bootstrap {
        email: Email::parse("owner@simulation.example").unwrap(),
        workspace: Name::parse("Simulation").unwrap(),
        code: PlatformCode::parse("simulation").unwrap(),
        key: None,
    };
    let made = bootstrap::run(tx, &app.service_visit(), &wanted)?;
    let ctx = app.service_context(made.workspace.clone());
    let student = users::join(
        tx,
        &ctx,
        NewUser {
            email: Email::parse("student@simulation.example").unwrap(),
            name: None,
            role: Role::Student,
            language: None,
            timezone: None,
            external_id: None,
            metadata: Metadata::default(),
        },
    )?;
    let course = courses::create(tx, &ctx, new_course("Simulation"))?;
    let assignment = assignments::create(tx, &ctx, new_assignment(&course.id))?;
    for n in 0..2 {
        let new = NewWebhookEndpoint {
            url: WebAddress::accepted(format!("https://receiver-{n}/hook")),
            enabled_events: EventFilter::everything(),
            description: LongText::default(),
        };
        webhooks::create(tx, &ctx, new)?;
    }
    Ok(School {
        workspace: made.workspace,
        person: made.user.person_id,
        assignment: assignment.id.parse().unwrap(),
        student: student.id,
    })
}

/// A course of this name.
pub fn new_course(name: &str) -> NewCourse {
    NewCourse {
        name: Name::parse(name).unwrap(),
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

fn new_assignment(course: &str) -> NewAssignment {
    NewAssignment {
        parent: AssignmentParent::Course(course.parse().unwrap()),
        name: Name::parse("Essay").unwrap(),
        instructions: LongText::default(),
        max_score: Points::HUNDRED,
        due_at: None,
        late_policy: None,
        max_attempts: None,
        grading: GradingChanges {
            ai_enabled: Some(true),
            ..GradingChanges::default()
        },
        metadata: Metadata::default(),
    }
}

/// Lets every address be registered.
struct Anywhere;

#[async_trait]
impl WebhookSink for Anywhere {
    fn vet(&self, _: &str) -> Result<(), AddressRefused> {
        Ok(())
    }

    async fn deliver(&self, _: WebhookMessage) -> DeliveryOutcome {
        panic!("nothing is delivered while the school is furnished")
    }
}
