//! Changes by PATCH (RFC 7644, 3.5.2), applied to the resource as JSON; what comes of it is read as if it had been sent whole.

use serde_json::{Map, Value};

use super::attributes::{AttributePath, called, member};
use super::errors::{ScimError, ScimType};
use super::filters::Filter;

/// How many changes one request may ask for.
const MOST: usize = 1_000;

/// What is done at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    Add,
    Replace,
    Remove,
}

/// Where something is done.
#[derive(Debug, Clone, PartialEq)]
struct Target {
    name: String,
    which: Option<Filter>,
    sub: Option<String>,
}

/// Applies the changes of a request to a resource, in their order.
///
/// # Errors
/// [`ScimError`]; then nothing is to be kept of it.
pub fn apply(
    body: &Map<String, Value>,
    resource: &mut Map<String, Value>,
) -> Result<(), ScimError> {
    let changes = member(body, "Operations").and_then(Value::as_array);
    let changes = changes
        .filter(|changes| !changes.is_empty())
        .ok_or_else(|| ScimError::bad(ScimType::InvalidSyntax, "Operations are missing."))?;
    if changes.len() > MOST {
        let detail = format!("A request takes at most {MOST} operations.");
        return Err(ScimError::bad(ScimType::TooMany, detail));
    }
    for change in changes {
        let change = change
            .as_object()
            .ok_or_else(|| ScimError::bad(ScimType::InvalidSyntax, "An operation is no object."))?;
        apply_one(change, resource)?;
    }
    Ok(())
}

fn apply_one(
    change: &Map<String, Value>,
    resource: &mut Map<String, Value>,
) -> Result<(), ScimError> {
    let word = member(change, "op")
        .and_then(Value::as_str)
        .unwrap_or_default();
    // Some write it with a capital.
    let doing = match word.to_ascii_lowercase().as_str() {
        "add" => Doing::Add,
        "replace" => Doing::Replace,
        "remove" => Doing::Remove,
        _ => {
            let detail = "op is add, replace or remove.";
            return Err(ScimError::bad(ScimType::InvalidSyntax, detail));
        }
    };
    let value = member(change, "value").cloned();
    let path = member(change, "path").and_then(Value::as_str);
    match path.filter(|path| !path.is_empty()) {
        Some(path) => at(resource, &Target::parse(path)?, doing, value),
        None if doing == Doing::Remove => {
            Err(ScimError::bad(ScimType::NoTarget, "remove takes a path."))
        }
        None => {
            let Some(Value::Object(members)) = value else {
                let detail = "Without a path the value is an object.";
                return Err(ScimError::bad(ScimType::InvalidValue, detail));
            };
            members.into_iter().try_for_each(|(name, value)| {
                at(resource, &Target::parse(&name)?, doing, Some(value))
            })
        }
    }
}

impl Target {
    fn parse(path: &str) -> Result<Self, ScimError> {
        let invalid = || {
            let detail = "A path is an attribute, a part of one, or a filter of its values.";
            ScimError::bad(ScimType::InvalidPath, detail)
        };
        let Some((name, rest)) = path.split_once('[') else {
            let path = AttributePath::parse(path).ok_or_else(invalid)?;
            return Ok(Self {
                name: path.name,
                which: None,
                sub: path.sub,
            });
        };
        let (filter, rest) = rest.rsplit_once(']').ok_or_else(invalid)?;
        let filter = Filter::parse(filter).map_err(|refused| ScimError {
            scim_type: Some(ScimType::InvalidPath),
            ..refused
        })?;
        let sub = match rest.strip_prefix('.') {
            Some(sub) => Some(sub.to_owned()),
            None if rest.is_empty() => None,
            None => return Err(invalid()),
        };
        Ok(Self {
            name: AttributePath::parse(name).ok_or_else(invalid)?.name,
            which: Some(filter),
            sub,
        })
    }
}

fn at(
    resource: &mut Map<String, Value>,
    target: &Target,
    doing: Doing,
    value: Option<Value>,
) -> Result<(), ScimError> {
    let name = called(resource, &target.name);
    if doing != Doing::Remove && value.is_none() {
        return Err(ScimError::bad(ScimType::InvalidValue, "value is missing."));
    }
    match (&target.which, &target.sub) {
        (None, None) => whole(resource, name, doing, value),
        (None, Some(sub)) => {
            let members = resource.entry(name).or_insert_with(|| Map::new().into());
            if let Some(members) = members.as_object_mut() {
                let sub = called(members, sub);
                whole(members, sub, doing, value);
            }
        }
        (Some(which), sub) => {
            return some(
                resource,
                &name,
                (which, sub.as_ref()),
                doing,
                value.as_ref(),
            );
        }
    }
    Ok(())
}

/// An attribute as a whole. Of several values those that are added come to them, and those that are named go.
fn whole(members: &mut Map<String, Value>, name: String, doing: Doing, value: Option<Value>) {
    match (doing, members.get_mut(&name), value) {
        (Doing::Remove, Some(Value::Array(there)), Some(Value::Array(named))) => {
            there.retain(|one| !named.iter().any(|named| is_same(one, named)));
        }
        (Doing::Remove, _, _) => drop(members.remove(&name)),
        (Doing::Add, Some(Value::Array(there)), Some(Value::Array(more))) => {
            for one in more {
                if !there.iter().any(|known| is_same(known, &one)) {
                    there.push(one);
                }
            }
        }
        (Doing::Add, Some(Value::Array(there)), Some(one @ Value::Object(_))) => {
            if !there.iter().any(|known| is_same(known, &one)) {
                there.push(one);
            }
        }
        (_, Some(Value::Object(there)), Some(Value::Object(more))) => {
            for (part, value) in more {
                let part = called(there, &part);
                there.insert(part, value);
            }
        }
        (_, _, Some(value)) => drop(members.insert(name, value)),
        (_, _, None) => {}
    }
}

fn is_same(one: &Value, other: &Value) -> bool {
    let value = |of: &Value| of.as_object().and_then(|of| member(of, "value")).cloned();
    one == other || value(one).is_some() && value(one) == value(other)
}

/// Those of several values that fit.
fn some(
    resource: &mut Map<String, Value>,
    name: &str,
    (which, sub): (&Filter, Option<&String>),
    doing: Doing,
    value: Option<&Value>,
) -> Result<(), ScimError> {
    let none = || {
        let detail = format!("No value of {name} fits the filter.");
        ScimError::bad(ScimType::NoTarget, detail)
    };
    let fits = |one: &Value| one.as_object().is_some_and(|one| which.fits(one));
    let Some(Value::Array(there)) = resource.get_mut(name) else {
        return if doing == Doing::Remove {
            Ok(())
        } else {
            Err(none())
        };
    };
    if doing == Doing::Remove && sub.is_none() {
        there.retain(|one| !fits(one));
        return Ok(());
    }
    let mut found = false;
    for one in there.iter_mut().filter(|one| fits(one)) {
        found = true;
        let Some(members) = one.as_object_mut() else {
            continue;
        };
        match (sub, value) {
            (Some(sub), value) => {
                let sub = called(members, sub);
                whole(members, sub, doing, value.cloned());
            }
            (None, Some(Value::Object(more))) => members.extend(more.clone()),
            (None, _) => {
                let detail = "The value is an object.";
                return Err(ScimError::bad(ScimType::InvalidValue, detail));
            }
        }
    }
    if found || doing == Doing::Remove {
        return Ok(());
    }
    Err(none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn changed(operations: &Value) -> Result<Value, ScimError> {
        let mut resource = json!({
            "userName": "ada@x.example", "displayName": "Ada", "active": true,
            "members": [{"value": "usr_1"}, {"value": "usr_2"}],
            "emails": [{"type": "work", "value": "ada@x.example"}],
        });
        let body = json!({ "Operations": operations });
        apply(body.as_object().unwrap(), resource.as_object_mut().unwrap())?;
        Ok(resource)
    }

    #[test]
    fn attributes_are_set_and_taken_away_with_a_path_and_without() {
        let entra = changed(&json!([{"op": "Replace", "path": "active", "value": "False"}]));
        assert_eq!(entra.unwrap()["active"], "False");
        let okta =
            changed(&json!([{"op": "replace", "value": {"active": false, "DISPLAYNAME": "A"}}]));
        let okta = okta.unwrap();
        assert_eq!(
            (&okta["active"], &okta["displayName"]),
            (&json!(false), &json!("A"))
        );
        let gone = changed(&json!([{"op": "remove", "path": "displayName"}])).unwrap();
        assert!(gone.get("displayName").is_none());
        let part =
            json!([{"op": "add", "value": {"name.givenName": "Ada", "name.familyName": "L"}}]);
        let part = changed(&part).unwrap();
        assert_eq!(part["name"], json!({"givenName": "Ada", "familyName": "L"}));
        let full = "urn:ietf:params:scim:schemas:core:2.0:User:displayName";
        let full = changed(&json!([{"op": "add", "path": full, "value": "B"}])).unwrap();
        assert_eq!(full["displayName"], "B");
    }

    #[test]
    fn members_come_and_go() {
        let of = |operations| {
            let found = changed(&operations).unwrap();
            let members = found["members"].as_array().cloned().unwrap_or_default();
            let ids = members
                .iter()
                .map(|one| one["value"].as_str().unwrap().to_owned());
            ids.collect::<Vec<_>>().join(" ")
        };
        let three = json!([{"value": "usr_2"}, {"value": "usr_3"}]);
        assert_eq!(
            of(json!([{"op": "Add", "path": "members", "value": three}])),
            "usr_1 usr_2 usr_3"
        );
        assert_eq!(
            of(json!([{"op": "replace", "path": "members", "value": three}])),
            "usr_2 usr_3"
        );
        let one = json!([{"op": "remove", "path": "members[value eq \"usr_1\"]"}]);
        assert_eq!(of(one), "usr_2");
        // As Entra takes members out.
        let named = json!([{"op": "Remove", "path": "members", "value": [{"value": "usr_2"}]}]);
        assert_eq!(of(named), "usr_1");
        assert_eq!(of(json!([{"op": "remove", "path": "members"}])), "");
    }

    #[test]
    fn a_value_is_changed_by_a_filter() {
        let path = "emails[type eq \"work\"].value";
        let found =
            changed(&json!([{"op": "replace", "path": path, "value": "b@x.example"}])).unwrap();
        assert_eq!(found["emails"][0]["value"], "b@x.example");
        let none =
            json!([{"op": "replace", "path": "emails[type eq \"home\"].value", "value": "b"}]);
        assert_eq!(
            changed(&none).unwrap_err().scim_type,
            Some(ScimType::NoTarget)
        );
    }

    #[test]
    fn what_is_no_change_is_refused() {
        for (operations, expected) in [
            (json!([]), ScimType::InvalidSyntax),
            (json!(["x"]), ScimType::InvalidSyntax),
            (
                json!([{"op": "move", "path": "a", "value": 1}]),
                ScimType::InvalidSyntax,
            ),
            (json!([{"op": "remove"}]), ScimType::NoTarget),
            (json!([{"op": "add", "value": "x"}]), ScimType::InvalidValue),
            (
                json!([{"op": "add", "path": "active"}]),
                ScimType::InvalidValue,
            ),
            (
                json!([{"op": "add", "path": "a b", "value": 1}]),
                ScimType::InvalidPath,
            ),
            (
                json!([{"op": "add", "path": "a[b gt 1]", "value": 1}]),
                ScimType::InvalidPath,
            ),
            (
                json!(vec![json!({"op": "remove", "path": "a"}); MOST + 1]),
                ScimType::TooMany,
            ),
        ] {
            let refused = changed(&operations).unwrap_err();
            assert_eq!(refused.scim_type, Some(expected), "{operations}");
        }
    }
}
