//! Request bodies, before anybody knows what they mean.

use std::fmt;

use lyceum_domain::Invalid;
use lyceum_domain::json::JsonObject;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Number, Value};

use crate::http::error::Failure;

/// How deep a body may be nested.
const MAX_DEPTH: usize = 64;

/// Reads a body: an object, not too deep, without NUL, with every member once; an empty one is `{}`.
///
/// Whole numbers written with a fraction (`8.0`) become whole numbers, which JSON does not tell apart.
pub fn object(bytes: &[u8]) -> Result<JsonObject, Failure> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(JsonObject::new());
    }
    let Unambiguous(value) =
        serde_json::from_slice(bytes).map_err(|error| Failure::InvalidJson(error.to_string()))?;
    let Value::Object(mut object) = value else {
        return Err(Failure::NotAnObject);
    };
    let mut path = String::new();
    for (name, value) in &mut object {
        path.clear();
        path.push_str(name);
        refuse_nul(name, &path)?;
        tidy(value, &mut path, 2)?;
    }
    Ok(object)
}

/// Takes a member out of a body of ours, and answers with its text.
pub fn take_text(body: &mut String, member: &str) -> Option<String> {
    let mut object: JsonObject = serde_json::from_str(body).ok()?;
    let taken = object.remove(member)?;
    *body = Value::Object(object).to_string();
    taken.as_str().map(str::to_owned)
}

/// A value whose objects name every member once.
///
/// Of a name that stands twice, readers disagree which one counts; a proxy that checked the first would let through
/// what we do with the last.
struct Unambiguous(Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OnceEach).map(Self)
    }
}

struct OnceEach;

impl<'de> Visitor<'de> for OnceEach {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Unambiguous(entry)) = entries.next_element()? {
            array.push(entry);
        }
        Ok(array.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = JsonObject::new();
        while let Some(name) = members.next_key::<String>()? {
            match object.entry(name) {
                Entry::Occupied(first) => {
                    let name: String = first.key().chars().take(100).collect();
                    return Err(A::Error::custom(format_args!(
                        "the member {name:?} stands twice"
                    )));
                }
                Entry::Vacant(place) => {
                    let Unambiguous(value) = members.next_value()?;
                    place.insert(value);
                }
            }
        }
        Ok(object.into())
    }
}

fn tidy(value: &mut Value, path: &mut String, depth: usize) -> Result<(), Failure> {
    if depth > MAX_DEPTH + 1 {
        return Err(Failure::InvalidJson(format!(
            "nested deeper than {MAX_DEPTH}"
        )));
    }
    let length = path.len();
    match value {
        Value::String(text) => refuse_nul(text, path)?,
        Value::Number(number) => {
            if let Some(whole) = whole(number) {
                *number = whole;
            }
        }
        Value::Array(entries) => {
            for (index, entry) in entries.iter_mut().enumerate() {
                path.extend(["[", &index.to_string(), "]"]);
                tidy(entry, path, depth + 1)?;
                path.truncate(length);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                path.push('.');
                path.push_str(name);
                refuse_nul(name, path)?;
                tidy(member, path, depth + 1)?;
                path.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
    Ok(())
}

/// The number, `true`, `false` or `null` that a text is how to write; numbers as bodies have them.
pub fn scalar(text: &str) -> Option<Value> {
    if text.contains(char::is_whitespace) {
        return None;
    }
    match serde_json::from_str(text) {
        Ok(Value::Number(number)) => Some(Value::Number(whole(&number).unwrap_or(number))),
        Ok(scalar @ (Value::Bool(_) | Value::Null)) => Some(scalar),
        Ok(Value::String(_) | Value::Array(_) | Value::Object(_)) | Err(_) => None,
    }
}

fn refuse_nul(text: &str, path: &str) -> Result<(), Failure> {
    if text.contains('\0') {
        let path = path.replace('\0', "\u{fffd}");
        return Err(Invalid::new(path, "must not contain the character U+0000").into());
    }
    Ok(())
}

fn whole(number: &Number) -> Option<Number> {
    let value = number.as_f64().filter(|_| number.is_f64())?;
    // Beyond 2^53 a float no longer names one whole number.
    if value.fract() != 0.0 || value.abs() > 9_007_199_254_740_992.0 {
        return None;
    }
    format!("{value:.0}").parse::<i64>().ok().map(Number::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whole_numbers_are_whole_however_they_are_written() {
        let object = object(br#"{"a": 8.0, "b": 8.5, "c": [-0.0, 1e3]}"#).unwrap();
        assert_eq!(
            Value::Object(object),
            json!({"a": 8, "b": 8.5, "c": [0, 1000]})
        );
    }

    #[test]
    fn what_is_not_an_object_is_told_apart() {
        assert!(matches!(object(b"{"), Err(Failure::InvalidJson(_))));
        assert!(matches!(object(b"[]"), Err(Failure::NotAnObject)));
        assert!(matches!(object(b"\xff"), Err(Failure::InvalidJson(_))));
        assert!(object(b" \n").unwrap().is_empty());
    }

    #[test]
    fn every_member_is_named_once_at_every_depth() {
        for twice in [r#"{"a": 1, "a": 1}"#, r#"{"b": [{"a": 1, "\u0061": 2}]}"#] {
            let Err(Failure::InvalidJson(problem)) = object(twice.as_bytes()) else {
                panic!("{twice} was taken");
            };
            assert!(
                problem.contains("the member \"a\" stands twice"),
                "{problem}"
            );
        }
        let apart = br#"{"a": {"a": [{"a": 1}, {"a": 2}]}, "A": null}"#;
        assert!(object(apart).is_ok());
    }

    #[test]
    fn numbers_beyond_measure_and_halves_of_characters_are_refused() {
        for wrong in [
            &br#"{"a": 1e400}"#[..],
            br#"{"a": NaN}"#,
            br#"{"a": "\ud800"}"#,
            b"\xef\xbb\xbf{}",
            b"\xff\xfe{\0}\0",
        ] {
            assert!(matches!(object(wrong), Err(Failure::InvalidJson(_))));
        }
    }

    #[test]
    fn a_body_of_200_000_members_is_read() {
        let members: Vec<String> = (0..200_000).map(|n| format!("\"k{n}\":0")).collect();
        let body = format!("{{{}}}", members.join(","));
        assert_eq!(object(body.as_bytes()).unwrap().len(), 200_000);
    }

    #[test]
    fn depth_and_nul_are_refused_where_they_stand() {
        let nested = |depth: usize| {
            format!(
                "{{\"a\":{}1{}}}",
                "[".repeat(depth - 1),
                "]".repeat(depth - 1)
            )
        };
        assert!(object(nested(64).as_bytes()).is_ok());
        assert!(matches!(
            object(nested(65).as_bytes()),
            Err(Failure::InvalidJson(_))
        ));
        let Err(Failure::App(lyceum_application::Error::Invalid(problems))) =
            object(br#"{"a": {"b": ["ok", "n\u0000ul"]}}"#)
        else {
            panic!("refused");
        };
        assert_eq!(problems[0].field, "a.b[1]");
    }
}
