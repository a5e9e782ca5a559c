//! Members, as SCIM tells of them and hears of them.

use lyceum_domain::identity::users::{Role, Suspension, User};
use lyceum_domain::text::{Email, LanguageTag, Name};
use serde_json::{Map, Value, json};

use super::attributes::{member, set};
use super::errors::{ScimError, ScimType};

/// The schema of a user.
pub const SCHEMA: &str = "urn:ietf:params:scim:schemas:core:2.0:User";

/// What SCIM may say of a member: what this workspace knows of them, and whether they are let in. Not who they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvisionedUser {
    /// Their address.
    pub email: Email,
    /// Their id there.
    pub external_id: Option<String>,
    /// Their name here.
    pub name: Option<Name>,
    /// The language they prefer.
    pub language: Option<LanguageTag>,
    /// Whether they are let in.
    pub active: bool,
}

/// A member; `base` is where SCIM is reached.
pub fn show(user: &User, base: &str) -> Value {
    let id = user.id.to_string();
    let mut shown = json!({
        "schemas": [SCHEMA],
        "id": id,
        "userName": user.email.as_str(),
        "active": user.suspension.is_none(),
        "emails": [{"value": user.email.as_str(), "type": "work", "primary": true}],
        "meta": {
            "resourceType": "User",
            "created": user.stamp.created_at.to_string(),
            "lastModified": user.stamp.updated_at.to_string(),
            "location": format!("{base}/Users/{id}"),
        },
    });
    let optional = [
        ("externalId", user.external_id.clone()),
        ("displayName", user.name.as_ref().map(ToString::to_string)),
        (
            "preferredLanguage",
            user.language.as_ref().map(ToString::to_string),
        ),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            set(&mut shown, name, value);
        }
    }
    if user.role != Role::Owner && user.suspension != Some(Suspension::Removed) {
        let role = user.role.as_str();
        let group =
            json!({"value": role, "display": role, "$ref": format!("{base}/Groups/{role}")});
        set(&mut shown, "groups", json!([group]));
    }
    shown
}

/// Reads a member as sent, or as changed from what they were before.
///
/// # Errors
/// [`ScimType::InvalidValue`]
pub fn read(
    sent: &Map<String, Value>,
    before: Option<&Map<String, Value>>,
) -> Result<ProvisionedUser, ScimError> {
    let email = text(sent, "userName")?.ok_or_else(|| invalid("userName is missing"))?;
    let email = Email::parse(&email).map_err(|_| invalid("userName is an e-mail address here"))?;
    let external_id = text(sent, "externalId")?.map(Name::parse).transpose();
    let external_id = external_id.map_err(|problem| invalid(&format!("externalId {problem}")))?;
    let language = text(sent, "preferredLanguage")?;
    Ok(ProvisionedUser {
        email,
        external_id: external_id.map(|id| id.to_string()),
        name: name(sent, before)?,
        // What browsers send of several languages is no tag of one.
        language: language.and_then(|tag| LanguageTag::parse(&tag).ok()),
        active: active(sent, before)?,
    })
}

fn invalid(why: &str) -> ScimError {
    ScimError::bad(ScimType::InvalidValue, format!("{why}."))
}

/// A text; none where it is empty.
fn text(of: &Map<String, Value>, name: &str) -> Result<Option<String>, ScimError> {
    match member(of, name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
        }
        Some(_) => Err(invalid(&format!("{name} is a text"))),
    }
}

/// Also as a word, which is how some write it. Who is shut out is not let in by a message that says nothing of it.
fn active(
    sent: &Map<String, Value>,
    before: Option<&Map<String, Value>>,
) -> Result<bool, ScimError> {
    let was = before.and_then(|before| member(before, "active"));
    match member(sent, "active") {
        None | Some(Value::Null) => Ok(was != Some(&Value::Bool(false))),
        Some(Value::Bool(active)) => Ok(*active),
        Some(Value::String(word)) if word.eq_ignore_ascii_case("true") => Ok(true),
        Some(Value::String(word)) if word.eq_ignore_ascii_case("false") => Ok(false),
        Some(_) => Err(invalid("active is true or false")),
    }
}

/// We keep one name. It is `displayName`; else what `name` says, if that is all that is said, or all that changed.
fn name(
    sent: &Map<String, Value>,
    before: Option<&Map<String, Value>>,
) -> Result<Option<Name>, ScimError> {
    let shown = text(sent, "displayName")?;
    let was = before.and_then(|before| member(before, "displayName"));
    let is_new = shown.is_some() && was.and_then(Value::as_str) != shown.as_deref();
    let parts = member(sent, "name").and_then(Value::as_object);
    let composed = match parts {
        Some(parts) if !is_new => {
            let [given, family] = ["givenName", "familyName"].map(|part| text(parts, part));
            let both = [given?, family?].into_iter().flatten().collect::<Vec<_>>();
            let both = Some(both.join(" ")).filter(|both| !both.is_empty());
            text(parts, "formatted")?.or(both)
        }
        _ => None,
    };
    let name = composed.or(shown).map(Name::parse).transpose();
    name.map_err(|problem| invalid(&format!("displayName {problem}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sent: &Value) -> Result<ProvisionedUser, ScimError> {
        super::read(sent.as_object().unwrap(), None)
    }

    #[test]
    fn a_member_is_read_as_providers_send_them() {
        let entra = read(&json!({
            "userName": "Ada@School.example", "externalId": "A-1", "active": "True", "displayName": "Ada Lovelace",
            "name": {"givenName": "Augusta", "familyName": "King"}, "title": "Countess", "preferredLanguage": "de-AT",
        }))
        .unwrap();
        assert_eq!(entra.email.as_str(), "ada@school.example");
        assert_eq!(entra.name.unwrap().as_str(), "Ada Lovelace");
        assert_eq!(entra.external_id.as_deref(), Some("A-1"));
        assert_eq!(entra.language.unwrap().as_str(), "de-AT");
        assert!(entra.active);
        let okta = json!({"userName": "a@b.example", "name": {"givenName": "Ada", "familyName": "L"}, "active": false});
        let okta = read(&okta).unwrap();
        assert_eq!((okta.name.unwrap().as_str(), okta.active), ("Ada L", false));
    }

    #[test]
    fn a_name_that_changed_counts_before_one_that_did_not() {
        let before = json!({"displayName": "Ada"});
        let named = |sent: &Value| {
            let found = super::read(sent.as_object().unwrap(), before.as_object()).unwrap();
            found.name.map(|name| name.to_string())
        };
        let by_parts =
            json!({"userName": "a@b.example", "displayName": "Ada", "name": {"familyName": "L"}});
        assert_eq!(named(&by_parts).as_deref(), Some("L"));
        let by_both =
            json!({"userName": "a@b.example", "displayName": "B", "name": {"familyName": "L"}});
        assert_eq!(named(&by_both).as_deref(), Some("B"));
        assert_eq!(named(&json!({"userName": "a@b.example"})), None);
    }

    #[test]
    fn nobody_is_let_in_by_a_message_that_says_nothing_of_it() {
        let sent = json!({"userName": "a@b.example"});
        for (before, expected) in [(json!({"active": false}), false), (json!({}), true)] {
            let found = super::read(sent.as_object().unwrap(), before.as_object()).unwrap();
            assert_eq!(found.active, expected, "{before}");
        }
    }

    #[test]
    fn what_breaks_a_rule_is_refused() {
        for sent in [
            json!({}),
            json!({"userName": "ada"}),
            json!({"userName": 1}),
            json!({"userName": "a@b.example", "active": "perhaps"}),
            json!({"userName": "a@b.example", "displayName": ["x"]}),
            json!({"userName": "a@b.example", "externalId": "x".repeat(300)}),
        ] {
            let refused = read(&sent).unwrap_err();
            assert_eq!(refused.scim_type, Some(ScimType::InvalidValue), "{sent}");
        }
    }
}
