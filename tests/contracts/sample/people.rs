//! People and what they are given, told and made to wait for, with defaults for what a test is not about.

use lyceum_domain::identity::actors::ActedBy;
use lyceum_domain::identity::addresses::AllowedAddresses;
use lyceum_domain::identity::keys::{ApiKey, KeyKind, KeyLookup, SecretHash};
use lyceum_domain::identity::scopes::ScopeSet;
use lyceum_domain::identity::sign_in::{IDLE, SignInMethod, SignedIn};
use lyceum_domain::identity::sign_in_links::{LINK_LIFETIME, SignInLink};
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::identity::tokens::{LOGIN_TOKEN_LIFETIME, LoginToken};
use lyceum_domain::identity::users::{NewUser, Person, Role, User};
use lyceum_domain::ids::{ApiKeyId, CohortId, CourseId, PersonId, UserId, WorkspaceId};
use lyceum_domain::json::Metadata;
use lyceum_domain::learning::cohorts::{Cohort, NewCohort};
use lyceum_domain::learning::enrollments::Enrollment;
use lyceum_domain::notifying::deliveries::{DeliveryState, WebhookDelivery};
use lyceum_domain::notifying::events::{Event, EventType};
use lyceum_domain::notifying::webhooks::{
    EndpointStatus, EventFilter, WebhookEndpoint, WebhookSecret,
};
use lyceum_domain::running::jobs::{Job, JobKind};
use lyceum_domain::text::{Email, LongText};
use lyceum_domain::web_address::WebAddress;
use lyceum_domain::{Id, Stamp};
use lyceum_ports::running::idempotency::{RememberedReply, ReplyKey};
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::traces::TraceParent;
use serde_json::json;

use crate::sample::id;
use crate::sample::{name, now};

/// The `n`-th address.
pub fn email(n: u64) -> Email {
    Email::parse(&format!("person-{n}@example.org")).unwrap()
}

/// The `n`-th person.
pub fn person(n: u64) -> Person {
    Person {
        id: id(n),
        email: email(n),
        created_at: now(),
    }
}

/// The membership of the `n`-th person, a student; its id has the same number.
pub fn user(workspace: WorkspaceId, n: u64) -> User {
    let new = NewUser {
        email: email(n),
        name: None,
        role: Role::Student,
        language: None,
        timezone: None,
        external_id: None,
        metadata: Metadata::default(),
    };
    User::new(workspace, id(n), id(n), new, now()).of_ones_own_will()
}

/// The `n`-th key, a standard one.
pub fn key(person: PersonId, n: u64) -> ApiKey {
    ApiKey {
        id: id(n),
        person_id: person,
        workspace_id: None,
        user_id: None,
        made_by: None,
        made_in: None,
        issued_by: None,
        package_id: None,
        kind: KeyKind::Standard,
        name: name(&format!("Key {n}")),
        lookup: KeyLookup::from_stored(format!("lyc_k{n:07}")),
        hash: SecretHash::of(&format!("key {n}")),
        scopes: ScopeSet::standard(),
        allowed_addresses: AllowedAddresses::default(),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        signed_in: None,
        last_used_from: None,
        stamp: Stamp::new(now()),
    }
}

/// The `n`-th key, a session on a platform, handed out by another key.
pub fn session_key(
    workspace: WorkspaceId,
    person: PersonId,
    issued_by: ApiKeyId,
    n: u64,
) -> ApiKey {
    ApiKey {
        workspace_id: Some(workspace),
        made_in: Some(workspace),
        issued_by: Some(issued_by),
        package_id: None,
        kind: KeyKind::Session,
        lookup: KeyLookup::from_stored(format!("lyc_s{n:07}")),
        scopes: ScopeSet::session(),
        ..key(person, n)
    }
}

/// The `n`-th key, a session in a browser that has just begun.
pub fn web_session(person: PersonId, n: u64) -> ApiKey {
    ApiKey {
        kind: KeyKind::Web,
        lookup: KeyLookup::from_stored(format!("lyc_w{n:07}")),
        scopes: ScopeSet::everything(),
        expires_at: Some(now().plus(IDLE)),
        signed_in: Some(SignedIn {
            method: SignInMethod::LocalLink,
            at: now(),
        }),
        ..key(person, n)
    }
}

/// The `n`-th link, for the browser that asked for it.
pub fn sign_in_link(person: PersonId, n: u64) -> SignInLink {
    SignInLink {
        hash: SecretHash::of(&format!("link {n}")),
        person_id: Some(person),
        email: email(n),
        browser: Some(SecretHash::of(&format!("browser {n}"))),
        method: SignInMethod::MailLink,
        invites: None,
        created_at: now(),
        expires_at: now().plus(LINK_LIFETIME),
    }
}

/// The `n`-th key, made for a member of a workspace by another.
pub fn member_key(workspace: WorkspaceId, member: u64, made_by: u64, n: u64) -> ApiKey {
    ApiKey {
        workspace_id: Some(workspace),
        user_id: Some(id(member)),
        made_by: Some(id(made_by)),
        made_in: Some(workspace),
        ..key(id(member), n)
    }
}

/// The `n`-th one-time token.
pub fn token(workspace: WorkspaceId, user: UserId, issued_by: ApiKeyId, n: u64) -> LoginToken {
    LoginToken {
        hash: SecretHash::of(&format!("token {n}")),
        workspace_id: workspace,
        user_id: user,
        email: email(n),
        issued_by,
        created_at: now(),
        expires_at: now().plus(LOGIN_TOKEN_LIFETIME),
    }
}

/// The `n`-th cohort, a draft without dates.
pub fn cohort(workspace: WorkspaceId, course: CourseId, n: u64) -> Cohort {
    let new = NewCohort {
        course_id: course,
        name: name(&format!("Cohort {n}")),
        starts_at: None,
        ends_at: None,
        timezone: "UTC".to_owned(),
        capacity: None,
        updates: lyceum_domain::learning::cohorts::CohortUpdates::Automatic,
        metadata: Metadata::default(),
    };
    Cohort::draft(workspace, id(n), new, now()).unwrap()
}

/// The `n`-th enrolment.
pub fn enrollment(workspace: WorkspaceId, cohort: CohortId, user: UserId, n: u64) -> Enrollment {
    Enrollment::new(workspace, id(n), cohort, user, now())
}

/// The `n`-th event, about the course with the same number.
pub fn event(workspace: WorkspaceId, n: u64) -> Event {
    let course: CourseId = id(n);
    Event {
        actor: Some(ActedBy::System),
        workspace_id: workspace,
        id: id(n),
        kind: EventType::CourseCreated,
        object_id: course.to_string(),
        body: json!({"n": n}).to_string(),
        created_at: now(),
    }
}

/// The `n`-th endpoint, switched on for everything.
pub fn endpoint(workspace: WorkspaceId, n: u64) -> WebhookEndpoint {
    WebhookEndpoint {
        workspace_id: workspace,
        id: id(n),
        url: WebAddress::accepted(format!("https://example.org/hooks/{n}")),
        enabled_events: EventFilter::everything(),
        description: LongText::default(),
        status: EndpointStatus::Enabled,
        secret: WebhookSecret::from_text(format!("whsec_{n:032}")),
        previous_secret: None,
        failing_since: None,
        stamp: Stamp::new(now()),
    }
}

/// The `n`-th delivery, due now, of the event and to the endpoint with these numbers.
pub fn delivery(workspace: WorkspaceId, event: u64, endpoint: u64, n: u64) -> WebhookDelivery {
    WebhookDelivery {
        workspace_id: workspace,
        id: id(n),
        event_id: id(event),
        endpoint_id: id(endpoint),
        attempts: 0,
        state: DeliveryState::due(now()),
        last_status: None,
        last_error: None,
        history: Vec::new(),
        stamp: Stamp::new(now()),
    }
}

/// The `n`-th place of a trace that is kept.
pub fn trace(n: u64) -> TraceParent {
    let text = format!("00-{:032x}-{n:016x}-01", n + 1);
    TraceParent::parse(&text).expect("numbers of samples are not zero")
}

/// The `n`-th thing to be done of a kind.
pub fn task(kind: JobKind, n: u64) -> Job {
    match kind {
        JobKind::GradeSubmission => Job::GradeSubmission {
            submission: id(n),
            run: 7,
            spender: Spender::Package(id(n)),
        },
        JobKind::ExplainGrade => Job::ExplainGrade {
            submission: id(n),
            name: n.to_string(),
        },
        JobKind::GenerateSyllabus => Job::GenerateSyllabus { generation: id(n) },
        JobKind::GenerateContent => Job::GenerateContent { generation: id(n) },
        JobKind::ExportScorm => Job::ExportScorm { package: id(n) },
        JobKind::RemoveArchive => Job::RemoveArchive { origin: id(n) },
        JobKind::MendArchive => Job::MendArchive { origin: id(n) },
        JobKind::TendCertificate => Job::TendCertificate { certificate: id(n) },
        JobKind::TendBatch => Job::TendBatch { batch: id(n) },
        JobKind::InspectMedia => Job::InspectMedia { media: id(n) },
        JobKind::EaseDueDates => Job::EaseDueDates { assignment: id(n) },
        JobKind::WriteRows => Job::WriteRows { bulk: id(n) },
        JobKind::GradeBatchItem => Job::GradeBatchItem {
            batch: id(n),
            place: 3,
        },
    }
}

/// The `n`-th job, due now and never tried.
pub fn job(workspace: WorkspaceId, n: u64) -> QueuedJob {
    let any: Id<Person> = id(n);
    QueuedJob {
        id: any.uuid(),
        workspace_id: workspace,
        task: task(JobKind::GradeSubmission, n),
        attempt: 0,
        tries: 0,
        max_attempts: 5,
        run_at: now(),
        begun_at: None,
        trace: None,
    }
}

/// An idempotency key of a person in a workspace.
pub fn reply_key(person: PersonId, workspace: Option<WorkspaceId>) -> ReplyKey {
    ReplyKey {
        person_id: person,
        workspace_id: workspace,
        key: "the-key".to_owned(),
    }
}

/// A reply remembered now.
pub fn reply(text: &str) -> RememberedReply {
    RememberedReply {
        fingerprint: "0123abcd".to_owned(),
        reply: text.to_owned(),
        created_at: now(),
    }
}
