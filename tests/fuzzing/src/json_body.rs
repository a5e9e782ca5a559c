//! Request bodies: what is read can be written and read again, and every schema takes or refuses it.

use lyceum_api::http::json::object;
use lyceum_wire::common::Command;
use serde_json::Value;

/// How deep a body may be, with some room for what the reader calls a level.
const DEEPEST: usize = 70;

fn depth(value: &Value) -> usize {
    1 + match value {
        Value::Array(entries) => entries.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => members.values().map(depth).max().unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

fn holds_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(entries) => entries.iter().any(holds_nul),
        Value::Object(members) => members
            .iter()
            .any(|(name, member)| name.contains('\0') || holds_nul(member)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Reads the body as a command, if it has its shape; whether it is one.
fn command<C: Command + serde::de::DeserializeOwned>(body: &Value) -> bool {
    let shape = serde_json::from_value::<C>(body.clone());
    shape.is_ok_and(|shape| shape.command().is_ok())
}

pub fn fuzz(data: &[u8]) -> bool {
    let Ok(body) = object(data) else {
        return false;
    };
    let body = Value::Object(body);
    let written = serde_json::to_vec(&body).unwrap();
    assert_eq!(Value::Object(object(&written).unwrap()), body);
    assert!(depth(&body) <= DEEPEST, "{} levels", depth(&body));
    assert!(!holds_nul(&body), "NUL is let in");
    let commands = [
        command::<lyceum_wire::authoring::courses::CreateCourse>(&body),
        command::<lyceum_wire::authoring::assignments::CreateAssignment>(&body),
        command::<lyceum_wire::grading::submissions::CreateSubmission>(&body),
        command::<lyceum_wire::grading::submissions::GradeSubmission>(&body),
        command::<lyceum_wire::notifying::webhooks::CreateWebhookEndpoint>(&body),
        command::<lyceum_wire::identity::users::CreateUser>(&body),
        command::<lyceum_wire::authoring::activities::CreateActivity>(&body),
        command::<lyceum_wire::identity::keys::CreateApiKey>(&body),
    ];
    commands.contains(&true)
}
