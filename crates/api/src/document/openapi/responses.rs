//! Answers that are not successes: one shared response per status, with an example per code.
//!
//! The examples are what the error table renders, so a code that is not here is not documented, and a code that
//! is here exists.

use lyceum_domain::Timestamp;
use lyceum_domain::identity::sso_connections::faults::{SsoFault, SsoProblem};
use std::collections::BTreeMap;

use lyceum_application::Error;
use lyceum_application::error::{
    AiError, Conflict, Forbidden, PlatformProblem, Quota, Unauthenticated,
};
use lyceum_domain::Invalid;
use lyceum_domain::authoring::media_uploads::Misplaced;
use lyceum_domain::grading::certificates::declaration::TooFewAtHand;
use lyceum_domain::grading::red_team::RedTeamNeeded;
use lyceum_domain::identity::keys::DeadKey;
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::running::in_use::Uses;
use lyceum_domain::transition::InvalidTransition;
use serde_json::{Map, Value, json};

use super::{headers, media};
use crate::http::error::{ErrorRow, Failure};
use crate::http::route::{Route, RouteDoc};

/// The id that examples show.
const REQUEST_ID: &str = "req_01kajxyz5v8e2m4q6r8t0w2y4a";

/// The name of the shared response of each status that is not a success.
const NAMES: [(u16, &str, &str); 17] = [
    (400, "BadRequest", "The request is not valid."),
    (401, "Unauthorized", "The caller is not known."),
    (403, "Forbidden", "The caller may not do this."),
    (404, "NotFound", "There is no such thing."),
    (409, "Conflict", "It cannot be done now."),
    (
        412,
        "PreconditionFailed",
        "It has changed since it was read.",
    ),
    (413, "PayloadTooLarge", "The body is too large."),
    (415, "UnsupportedMediaType", "The body is not JSON."),
    (
        429,
        "TooManyRequests",
        "Too many requests; wait before the next.",
    ),
    (500, "InternalError", "Something went wrong on our side."),
    (
        502,
        "BadGateway",
        "A provider, of AI or of identities, did not answer as it should.",
    ),
    (503, "Unavailable", "Not now; retry in a moment."),
    (
        206,
        "PartialContent",
        "The part of the file that was asked for.",
    ),
    (
        303,
        "SentOn",
        "The browser goes on to Studio, at `Location`: signed in, or told why not.",
    ),
    (304, "NotModified", "The caller has the current one."),
    (
        307,
        "Elsewhere",
        "The bucket that the file is kept in hands it out itself, at `Location`, where the operator decided so.",
    ),
    (
        405,
        "MethodNotAllowed",
        "The path does not take this method.",
    ),
];

/// One failure of every code there is.
fn samples() -> Vec<Failure> {
    let app = |error: Error| Failure::App(error);
    let broken = || Error::Internal("a cause that is never shown".into());
    vec![
        app(Error::Invalid(vec![
            Invalid::missing("name"),
            Invalid::new("hours", "must be at most 1000"),
        ])),
        app(Error::Invalid(vec![Invalid::new(
            "rubric.criteria[0].name",
            "must not be blank",
        )])),
        Failure::UnknownFields(vec![("nmae".to_owned(), Some("name".to_owned()))]),
        Failure::InvalidJson("EOF while parsing an object at line 1 column 9".to_owned()),
        Failure::NotAnObject,
        Failure::InvalidParameter("limit".to_owned(), "must be 1 to 100".to_owned()),
        Failure::UnknownParameter("starting_after".to_owned(), Some("startingAfter")),
        app(Error::InvalidCursor),
        Failure::InvalidExpand("units.students".to_owned()),
        app(PlatformProblem::Missing.into()),
        app(PlatformProblem::MalformedCode.into()),
        app(PlatformProblem::MalformedUuid.into()),
        app(PlatformProblem::Mismatch.into()),
        Failure::InvalidIdempotencyKey,
        app(Error::IdempotencyKeyReused),
        app(Unauthenticated::MissingKey.into()),
        app(Unauthenticated::InvalidKey.into()),
        app(Error::TooLargeToExpand {
            name: "lessons",
            narrower: "lessons?unit_id=…".to_owned(),
        }),
        app(Unauthenticated::LegacyKey.into()),
        app(Unauthenticated::Dead(DeadKey::Revoked).into()),
        app(Unauthenticated::Dead(DeadKey::Expired).into()),
        app(Unauthenticated::InvalidToken.into()),
        app(Unauthenticated::AnotherBrowser.into()),
        app(Unauthenticated::InvalidPasskey.into()),
        app(Unauthenticated::SignInFirst.into()),
        app(Unauthenticated::CrossSite.into()),
        app(Unauthenticated::Insecure.into()),
        app(Forbidden::Scope(Scope::WriteCourses).into()),
        app(Forbidden::Role.into()),
        app(Forbidden::Escalation.into()),
        app(Forbidden::Bound.into()),
        app(Forbidden::Address.into()),
        app(Forbidden::NotOwn.into()),
        app(Forbidden::SignInAgain.into()),
        app(Forbidden::Link.into()),
        app(PlatformProblem::Denied.into()),
        app(Error::NotFound("course")),
        app(Error::Reference {
            field: "course_id",
            object: "course",
        }),
        Failure::UnknownRoute(Some("/v1/courses".to_owned())),
        Failure::MethodNotAllowed(vec!["GET", "POST"]),
        app(Conflict::Taken("email").into()),
        app(Conflict::LimitReached("no attempts are left".to_owned()).into()),
        app(InvalidTransition {
            object: "course",
            from: "archived",
            action: "be published",
        }
        .into()),
        app(Conflict::NotAccepted.into()),
        app(Conflict::ServiceAccount.into()),
        app(Conflict::GenerationInProgress.into()),
        app(Conflict::NotGraded.into()),
        app(Conflict::TooFewAnswers(TooFewAtHand {
            at_hand: 12,
            needed: Some(16),
        })
        .into()),
        app(Conflict::RedTeamNeeded(RedTeamNeeded::AskForMore {
            passes_from: 87,
            min_confidence: 0,
        })
        .into()),
        app(Conflict::AiBudgetExceeded {
            tokens: true,
            until: Timestamp::from_unix_millis(1_796_083_200_000),
        }
        .into()),
        app(Conflict::NotRestorable(vec![(
            "lesson_id".to_owned(),
            "is in the trash itself; restore trs_01kajxyz5v8e2m4q6r8t0w2y4a first".to_owned(),
        )])
        .into()),
        app(Conflict::ChangedMeanwhile(vec![(
            "les_01kazv9h8ye5x8q9c4t7m2n3p6".to_owned(),
            "lesson was changed meanwhile".to_owned(),
        )])
        .into()),
        app(Conflict::MediaInUse(vec![(
            "les_01kazv9h8ye5x8q9c4t7m2n3p6".to_owned(),
            "lesson \"The danger zone\" refers to it".to_owned(),
        )])
        .into()),
        app(Conflict::Misplaced(Misplaced::Elsewhere(16_777_216)).into()),
        app(Conflict::Misplaced(Misplaced::Direct).into()),
        app(Conflict::DirectUploadsOff.into()),
        app(Conflict::UploadIncomplete {
            declared: 48_211,
            there: Some(16_384),
        }
        .into()),
        app(Conflict::WorkInTrash(vec![(
            "trs_01kajxyz5v8e2m4q6r8t0w2y4a".to_owned(),
            "has work of theirs".to_owned(),
        )])
        .into()),
        app(Conflict::NotEditable("the submission was handed in".to_owned()).into()),
        app(Conflict::QuotaExceeded {
            quota: Quota::Learner,
            used: 268_435_000,
            limit: 268_435_456,
        }
        .into()),
        app(Conflict::CourseInUse.into()),
        app(Conflict::InUse {
            object: "course",
            uses: Uses {
                submissions: 3,
                attempts: 12,
                completions: 91,
                grades: 2,
            },
        }
        .into()),
        app(Error::PreconditionFailed),
        Failure::UnsupportedTusVersion,
        Failure::PayloadTooLarge,
        Failure::UnsupportedMediaType,
        Failure::RateLimited {
            ai: false,
            retry_after: 12,
        },
        Failure::RateLimited {
            ai: true,
            retry_after: 12,
        },
        app(broken()),
        app(SsoProblem::new(SsoFault::IssuerUnreachable, "a reason that is never shown").into()),
        app(AiError::Refused("a reason that is never shown".to_owned()).into()),
        app(Error::Unavailable("a cause that is never shown".into())),
        Failure::Timeout,
    ]
}

/// Every error: its status, type and code.
pub fn codes() -> Vec<(u16, &'static str, &'static str)> {
    let rows = samples().into_iter().map(|failure| failure.row());
    rows.map(|row| (row.status.as_u16(), row.kind, row.code))
        .collect()
}

fn body(row: &ErrorRow) -> Value {
    json!({ "error": {
        "type": row.kind, "code": row.code, "message": row.message, "fields": row.fields,
        "request_id": REQUEST_ID,
    }})
}

/// The shared responses.
pub fn components() -> Value {
    let mut by_status: BTreeMap<u16, Map<String, Value>> = BTreeMap::new();
    for failure in samples() {
        let row = failure.row();
        let examples = by_status.entry(row.status.as_u16()).or_default();
        examples.insert(row.code.to_owned(), json!({ "value": body(&row) }));
    }
    let shared = NAMES.iter().map(|(status, name, description)| {
        let mut response =
            json!({ "description": description, "headers": answer_headers(*status) });
        if let (Some(examples), Some(members)) =
            (by_status.remove(status), response.as_object_mut())
        {
            let schema = json!({ "$ref": "#/components/schemas/ErrorBody" });
            let content = json!({ "application/json": { "schema": schema, "examples": examples } });
            members.insert("content".to_owned(), content);
        }
        // Archives and recordings are the only files that are given in parts.
        if let (206, Some(members)) = (status, response.as_object_mut()) {
            let kinds = ["application/zip", "audio/wav"];
            let content = kinds.map(|kind| (kind.to_owned(), media::of_file(kind)));
            let content = Value::Object(content.into_iter().collect());
            members.insert("content".to_owned(), content);
        }
        ((*name).to_owned(), response)
    });
    Value::Object(shared.collect())
}

fn answer_headers(status: u16) -> Value {
    let mut names = vec!["Request-Id"];
    match status {
        206 | 304 => names.push("ETag"),
        303 | 307 => names.push("Location"),
        401 => names.push("WWW-Authenticate"),
        429 => names.extend(["Retry-After", "RateLimit", "RateLimit-Policy"]),
        503 => names.push("Retry-After"),
        _ => {}
    }
    let headers = names
        .into_iter()
        .map(|name| (name.to_owned(), headers::of_answer(name)));
    Value::Object(headers.collect())
}

/// The statuses other than success that a route may answer with.
fn statuses(route: &Route, doc: &RouteDoc) -> Vec<u16> {
    let writes = route.method != "GET";
    let needs_key = doc.identity.needs_key();
    let conditions = [
        (304, !writes && doc.has_tag()),
        (400, needs_key || writes),
        (401, needs_key),
        (403, needs_key),
        (404, route.path.contains('{') || doc.input.refers),
        (409, writes && needs_key),
        (412, route.is_conditional || route.is_tus),
        (413, writes),
        (415, writes),
        (429, route.is_limited()),
        (500, true),
        (503, true),
    ];
    let applying = conditions
        .iter()
        .filter(|(_, applies)| *applies)
        .map(|(status, _)| *status);
    let mut statuses: Vec<u16> = applying.chain(route.also.iter().copied()).collect();
    statuses.sort_unstable();
    statuses.dedup();
    statuses
}

/// The responses of a route, by status.
pub fn of_route(route: &Route, doc: &RouteDoc, good: Value) -> Value {
    let mut responses = Map::new();
    responses.insert(doc.status.to_string(), good);
    for status in statuses(route, doc) {
        if let Some((_, name, _)) = NAMES.iter().find(|(known, _, _)| *known == status) {
            let shared = json!({ "$ref": format!("#/components/responses/{name}") });
            responses.insert(status.to_string(), shared);
        }
    }
    Value::Object(responses)
}
