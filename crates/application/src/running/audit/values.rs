//! What the audit trail shows of things.
//!
//! Names, descriptions, instructions, feedback and metadata are people's words and may name somebody: of these it
//! shows a hash, or which of them changed, so that an entry never has to be changed again. Of addresses of webhooks it
//! shows the origin and a hash, because their paths often are secrets.

use lyceum_domain::authoring::assignments::{Assignment, MaxAttempts};
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::due_dates::DueOverride;
use lyceum_domain::authoring::late_policy::LatePolicy;
use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::authoring::rubric::{Rubric, canonical};
use lyceum_domain::grading::grades::{Grade, Grader};
use lyceum_domain::grading::receipts::hash_of;
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::identity::keys::ApiKey;
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::identity::sso_connections::{ProviderWord, SsoConnection};
use lyceum_domain::identity::users::{Suspension, User};
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::ids::UserId;
use lyceum_domain::json::JsonObject;
use lyceum_domain::notifying::webhooks::WebhookEndpoint;
use lyceum_domain::points::Points;
use lyceum_wire::identity::workspaces::WorkspaceAiView;
use lyceum_wire::points::PointsNumber;
use serde_json::{Value, json};

/// The grade that stands.
pub fn standing(submission: &Submission) -> Value {
    let grade = submission.grade.as_ref();
    let mut standing = json!({
        "status": submission.status.as_str(),
        "score": grade.map(|grade| points(grade.score)),
        "by": grade.map(|grade| grade.by.as_str()),
        "review_status": submission.review.map(lyceum_domain::grading::submissions::ReviewStatus::as_str),
    });
    let off = submission.late_deduction();
    if off > Points::ZERO
        && let Value::Object(told) = &mut standing
    {
        told.insert("late_deduction".to_owned(), points(off));
    }
    standing
}

/// Another due date, and whose.
pub fn due_override(due: &DueOverride) -> Value {
    json!({
        "due_override_id": due.id.to_string(),
        "cohort_id": due.target.cohort().map(|id| id.to_string()),
        "user_id": due.target.user().map(|id| id.to_string()),
        "due_at": due.due_at.map(|at| at.to_string()),
    })
}

/// A record of a grade history: what was proposed or given, and by what.
pub fn record(grade: &Grade) -> JsonObject {
    let mut members = JsonObject::new();
    let mut say = |name: &str, value: Value| members.insert(name.to_owned(), value);
    say("grade_id", grade.id.to_string().into());
    say("grade_status", grade.status.as_str().into());
    say("grade_score", points(grade.score));
    say("max_score", points(grade.max_score));
    say("rubric_hash", grade.rubric_hash.clone().into());
    match &grade.grader {
        Grader::Ai {
            model,
            prompt_version,
            ..
        } => {
            say("model", model.clone().into());
            say("prompt_version", prompt_version.clone().into());
            say("run", grade.run.into());
        }
        Grader::Human { user_id, blind } => {
            say("graded_by", user_id.to_string().into());
            if *blind {
                say("blind", true.into());
            }
        }
        Grader::Service { user_id } => {
            say("graded_by", user_id.to_string().into());
        }
    }
    members
}

/// The same without what it says of the work.
pub fn record_unseen(grade: &Grade) -> JsonObject {
    let mut members = record(grade);
    members.remove("grade_score");
    members
}

/// How an assignment is graded.
pub fn grading(assignment: &Assignment) -> Value {
    let grading = &assignment.grading;
    json!({
        "max_score": points(assignment.max_score),
        "due_at": assignment.due_at.map(|at| at.to_string()),
        "late_policy": assignment.late_policy.map(late_policy),
        "max_attempts": assignment.max_attempts.map(MaxAttempts::get),
        "instructions_hash": hash_of(assignment.instructions.as_str()),
        "rubric_hash": grading.rubric.as_ref().map(Rubric::hash),
        "ai_enabled": grading.ai_evaluator.enabled,
        "ai_model": grading.ai_evaluator.model,
        "human_review": grading.human_review.as_str(),
        "release": grading.release.map(release),
        "tone": grading.feedback.tone.as_str(),
        "verbosity": grading.feedback.verbosity.as_str(),
        "feedback_language": grading.feedback.language.as_str(),
    })
}

fn late_policy(policy: LatePolicy) -> Value {
    json!({
        "percent_per_day": policy.percent_per_day(),
        "floor_percent": policy.floor_percent(),
        "grace_minutes": policy.grace_minutes(),
    })
}

fn release(terms: ReleaseTerms) -> Value {
    json!({
        "max_disagreement": terms.max_disagreement(),
        "points_share": terms.points_share(),
        "min_confidence": terms.min_confidence(),
        "scope": terms.scope().as_str(),
        "audit_share": terms.audit_share(),
    })
}

/// What AI may do in a course, and how.
pub fn course_ai(course: &Course) -> Value {
    let hash = |document: &JsonObject| hash_of(&canonical(&Value::Object(document.clone())));
    json!({
        "instructions_hash": hash_of(course.ai.instructions.as_str()),
        "evaluator_hash": hash(&course.ai.evaluator),
        "model": crate::models::of_course(course),
        "tutor_hash": hash(&course.tutor),
    })
}

/// A key, and whose it is where it was made for a member.
pub fn key(key: &ApiKey) -> Value {
    let scopes: Vec<&str> = key.scopes.iter().map(Scope::as_str).collect();
    let mut told = json!({
        "kind": key.kind.as_str(),
        "prefix": key.lookup.as_str(),
        "name_hash": hash_of(key.name.as_str()),
        "scopes": scopes,
        "expires_at": key.expires_at.map(|at| at.to_string()),
        "revoked_at": key.revoked_at.map(|at| at.to_string()),
    });
    let networks: Vec<String> = key
        .allowed_addresses
        .iter()
        .map(|network| network.to_string())
        .collect();
    if let Value::Object(told) = &mut told {
        if let Some(member) = key.user_id {
            told.insert("user_id".to_owned(), member.to_string().into());
        }
        if !networks.is_empty() {
            told.insert("allowed_addresses".to_owned(), networks.into());
        }
    }
    told
}

/// A session key, and whose it is.
pub fn session(key: &ApiKey, user: UserId) -> Value {
    json!({
        "user_id": user.to_string(),
        "expires_at": key.expires_at.map(|at| at.to_string()),
        "issued_by": key.issued_by.map(|id| id.to_string()),
        "package_id": key.package_id.map(|id| id.to_string()),
    })
}

/// A passkey of a member.
pub fn passkey(user: UserId) -> Value {
    json!({ "user_id": user.to_string() })
}

/// A membership.
pub fn member(user: &User) -> Value {
    json!({ "role": user.role.as_str() })
}

/// How a membership ended that a directory ended; null where none did.
pub fn standing_here(user: &User) -> Value {
    json!({ "suspension": user.suspension.map(Suspension::as_str) })
}

/// Until when sessions of a member began that open nothing here any more.
pub fn sessions_end(user: &User) -> Value {
    json!({ "sessions_ended_at": user.sessions_ended_at.map(|at| at.to_string()) })
}

/// What is known of a member, of which the trail keeps only whether it changed.
pub fn profile(before: &User, after: &User) -> Vec<&'static str> {
    let differing = [
        ("email", before.email != after.email),
        ("name", before.name != after.name),
        ("language", before.language != after.language),
        ("timezone", before.timezone != after.timezone),
        ("external_id", before.external_id != after.external_id),
        ("metadata", before.metadata != after.metadata),
    ];
    let changed = differing.iter().filter(|(_, differs)| *differs);
    changed.map(|(name, _)| *name).collect()
}

/// A workspace.
pub fn workspace(workspace: &Workspace) -> Value {
    let metadata = Value::Object(workspace.metadata.as_map().clone());
    json!({
        "name": workspace.name.as_str(),
        "domain": workspace.domain,
        "ai": WorkspaceAiView::new(workspace.ai),
        "metadata_hash": hash_of(&canonical(&metadata)),
    })
}

/// A connection to an identity provider: its secret not even by a hash, because people choose some of them.
pub fn sso_connection(connection: &SsoConnection, domains: &[String]) -> Value {
    let roles = connection.roles.as_slice().iter();
    let roles: Vec<Value> = roles
        .map(|one| json!({ "value_hash": hash_of(one.value.as_str()), "role": one.role.as_str() }))
        .collect();
    json!({
        "issuer": connection.issuer.as_str(),
        "client_id_hash": hash_of(connection.client_id.as_str()),
        "domains": domains,
        "role_claim": connection.role_claim.as_ref().map(ProviderWord::as_str),
        "roles": roles,
        "default_role": connection.default_role.as_str(),
        "greatest_role": connection.greatest_role.as_str(),
        "just_in_time": connection.just_in_time,
        "trusts_addresses": connection.trusts_addresses,
        "enabled": connection.enabled,
    })
}

/// A webhook endpoint.
pub fn endpoint(endpoint: &WebhookEndpoint) -> Value {
    let kinds = endpoint.enabled_events.kinds();
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    json!({
        "origin": endpoint.url.origin(),
        "url_hash": hash_of(endpoint.url.as_str()),
        "enabled_events": kinds,
        "status": endpoint.status.as_str(),
    })
}

fn points(points: Points) -> Value {
    serde_json::to_value(PointsNumber(points)).unwrap_or_default()
}
