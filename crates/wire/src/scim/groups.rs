//! Roles, as groups whose members are those who have the role. There are these and no others, and owners are in none.

use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::ids::UserId;
use serde_json::{Map, Value, json};

use super::attributes::member;
use super::errors::{ScimError, ScimType};

/// The schema of a group.
pub const SCHEMA: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";

/// The roles that can be provisioned: an owner is made and unmade by owners.
pub const ROLES: [Role; 3] = [Role::Admin, Role::Teacher, Role::Student];

/// The role that a group is.
pub fn role(id: &str) -> Option<Role> {
    ROLES.into_iter().find(|role| role.as_str() == id)
}

/// A group; `base` is where SCIM is reached.
pub fn show<'a>(role: Role, members: impl Iterator<Item = &'a User>, base: &str) -> Value {
    let member = |user: &User| {
        let id = user.id.to_string();
        let display = user
            .name
            .as_ref()
            .map_or(user.email.as_str(), |name| name.as_str());
        json!({"value": id, "display": display, "$ref": format!("{base}/Users/{id}"), "type": "User"})
    };
    json!({
        "schemas": [SCHEMA],
        "id": role.as_str(),
        "displayName": role.as_str(),
        "members": members.map(member).collect::<Vec<_>>(),
        "meta": {"resourceType": "Group", "location": format!("{base}/Groups/{role}")},
    })
}

/// Who is to be in a group.
///
/// # Errors
/// [`ScimType::InvalidValue`] for what is no member's id.
pub fn members(sent: &Map<String, Value>) -> Result<Vec<UserId>, ScimError> {
    let named = match member(sent, "members") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(named)) => named,
        Some(_) => return Err(no_members()),
    };
    let id = |one: &Value| {
        let value = one.as_object().and_then(|one| member(one, "value"));
        let id = value.and_then(Value::as_str);
        id.and_then(|id| id.parse::<UserId>().ok())
            .ok_or_else(no_members)
    };
    named.iter().map(id).collect()
}

fn no_members() -> ScimError {
    ScimError::bad(
        ScimType::InvalidValue,
        "members are [{\"value\": \"usr_…\"}], of this platform.",
    )
}
