//! A scheme as a document: its groups read and written.

use serde_json::{Value, json};

use super::{CountingAttempt, GradeGroup, GradebookScheme, GradedItem, member_of, wrong};
use crate::json::JsonObject;
use crate::text::Name;
use crate::{At, Invalid, InvalidValue};

/// Reads the group at a place of the list.
///
/// # Errors
/// [`Invalid`] naming the member that is missing or is not what it should be.
pub(super) fn parse_group(place: usize, entry: &Value) -> Result<GradeGroup, Invalid> {
    let Value::Object(object) = entry else {
        return Err(wrong(&format!("groups[{place}]"), "must be an object"));
    };
    let path = |name: &str| member_of(place, name);
    let text = |name: &str| match member(object, name) {
        None => Err(Invalid::missing(format!("gradebook.{}", path(name)))),
        Some(text) => text
            .as_str()
            .ok_or_else(|| wrong(&path(name), "must be a string")),
    };
    let number = |name: &str, most: u8| match member(object, name) {
        None => Ok(None),
        Some(number) => integer(number, most).at(&format!("gradebook.{}", path(name))),
    };
    let weight = number("weight", GradebookScheme::MAX_WEIGHT)?;
    let attempt = match member(object, "attempt") {
        None => CountingAttempt::Best,
        Some(word) => word_at(word, &path("attempt"), CountingAttempt::parse)?,
    };
    let items = array(object, "items", &path("items"))?.iter().enumerate();
    let items =
        items.map(|(at, item)| word_at(item, &path(&format!("items[{at}]")), GradedItem::parse));
    Ok(GradeGroup {
        id: text("id")?.to_owned(),
        name: Name::parse(text("name")?).at(&format!("gradebook.{}", path("name")))?,
        weight: weight.ok_or_else(|| Invalid::missing(format!("gradebook.{}", path("weight"))))?,
        drop_lowest: number("drop_lowest", GradebookScheme::MAX_DROPPED)?.unwrap_or_default(),
        attempt,
        items: items.collect::<Result<_, _>>()?,
    })
}

/// The same as an object, with every member.
pub(super) fn group_to_json(group: &GradeGroup) -> Value {
    let items: Vec<String> = group.items.iter().map(ToString::to_string).collect();
    json!({
        "id": group.id,
        "name": group.name.as_str(),
        "weight": group.weight,
        "drop_lowest": group.drop_lowest,
        "attempt": group.attempt.as_str(),
        "items": items,
    })
}

/// A member that is there and not `null`.
pub(super) fn member<'a>(object: &'a JsonObject, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

/// The entries of a list that may be absent.
pub(super) fn array<'a>(
    object: &'a JsonObject,
    name: &str,
    path: &str,
) -> Result<&'a [Value], Invalid> {
    match member(object, name) {
        None => Ok(&[]),
        Some(Value::Array(entries)) => Ok(entries),
        Some(_) => Err(wrong(path, "must be an array")),
    }
}

/// A string that stands for something.
pub(super) fn word_at<T>(
    value: &Value,
    path: &str,
    parse: impl Fn(&str) -> Result<T, InvalidValue>,
) -> Result<T, Invalid> {
    let text = value
        .as_str()
        .ok_or_else(|| wrong(path, "must be a string"))?;
    parse(text).map_err(|problem| wrong(path, &problem.to_string()))
}

/// A whole number from 0 to `most`.
fn integer(value: &Value, most: u8) -> Result<Option<u8>, InvalidValue> {
    let number = value.as_u64().and_then(|number| u8::try_from(number).ok());
    let number = number.filter(|number| *number <= most);
    let problem = || InvalidValue::new(format!("must be an integer between 0 and {most}"));
    number.map(Some).ok_or_else(problem)
}
