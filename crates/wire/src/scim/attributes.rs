//! Names of attributes: whatever their case, with or without the schema before them.

use serde_json::{Map, Value};

/// What stands before the name of an attribute that is written out in full.
const CORE: &str = "urn:ietf:params:scim:schemas:core:2.0:";

/// The name of an attribute, and of a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributePath {
    /// The attribute.
    pub name: String,
    /// A part of it.
    pub sub: Option<String>,
}

impl AttributePath {
    /// Reads one; `None` for what is no name.
    pub fn parse(text: &str) -> Option<Self> {
        let bare = without_schema(text);
        let (name, sub) = bare
            .split_once('.')
            .map_or((bare, None), |(name, sub)| (name, Some(sub)));
        let is_name = |name: &str| {
            let mut letters = name.chars();
            letters
                .next()
                .is_some_and(|first| first.is_ascii_alphabetic() || first == '$')
                && letters.all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
        };
        // Of an extension that we do not have only that it is one is known.
        let is_foreign = bare.starts_with("urn:");
        if is_foreign || is_name(name) && sub.is_none_or(is_name) {
            return Some(Self {
                name: if is_foreign { bare } else { name }.to_owned(),
                sub: sub.filter(|_| !is_foreign).map(str::to_owned),
            });
        }
        None
    }
}

fn without_schema(text: &str) -> &str {
    let is_core = text
        .get(..CORE.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(CORE));
    if !is_core {
        return text;
    }
    let rest = text.get(CORE.len()..).unwrap_or_default();
    rest.split_once(':').map_or(text, |(_, name)| name)
}

/// The member of this name, whatever its case.
pub fn member<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.get(name).or_else(|| {
        let mut members = object.iter();
        members
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    })
}

/// Sets a member of what is an object.
pub fn set(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(members) = object.as_object_mut() {
        members.insert(name.to_owned(), value.into());
    }
}

/// As the object calls the member already, or as it is called here.
pub fn called(object: &Map<String, Value>, name: &str) -> String {
    let mut names = object.keys();
    names
        .find(|known| known.eq_ignore_ascii_case(name))
        .map_or_else(|| name.to_owned(), Clone::clone)
}

/// Which attributes an answer is to have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    only: Vec<String>,
    without: Vec<String>,
}

impl Selection {
    /// By the parameters `attributes` and `excludedAttributes`.
    pub fn parse(attributes: Option<&str>, excluded: Option<&str>) -> Self {
        let names = |text: Option<&str>| -> Vec<String> {
            let names = text.into_iter().flat_map(|text| text.split(','));
            names
                .filter_map(|name| AttributePath::parse(name.trim()))
                .map(|path| path.name.to_ascii_lowercase())
                .collect()
        };
        Self {
            only: names(attributes),
            without: names(excluded),
        }
    }

    /// Whether an attribute is wanted.
    pub fn wants(&self, name: &str) -> bool {
        if matches!(name, "schemas" | "id" | "meta") {
            return true;
        }
        let has = |names: &[String]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        if self.only.is_empty() {
            return !has(&self.without);
        }
        has(&self.only)
    }

    /// The same resource with what is wanted of it.
    #[must_use]
    pub fn of(&self, mut resource: Value) -> Value {
        if let Some(members) = resource.as_object_mut() {
            members.retain(|name, _| self.wants(name));
        }
        resource
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_is_read_with_and_without_its_schema() {
        let path = |name: &str, sub: Option<&str>| {
            Some(AttributePath {
                name: name.to_owned(),
                sub: sub.map(str::to_owned),
            })
        };
        let full = "urn:ietf:params:scim:schemas:core:2.0:User:name.givenName";
        assert_eq!(AttributePath::parse(full), path("name", Some("givenName")));
        assert_eq!(AttributePath::parse("userName"), path("userName", None));
        let foreign = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department";
        assert_eq!(AttributePath::parse(foreign), path(foreign, None));
        for text in ["", "1a", "a b", "a.", ".b", "a.b.c"] {
            assert_eq!(AttributePath::parse(text), None, "{text}");
        }
    }

    #[test]
    fn an_answer_has_what_is_wanted_and_always_its_id() {
        let resource = json!({"schemas": [], "id": "1", "userName": "a", "displayName": "b"});
        let only = Selection::parse(Some("USERNAME"), None);
        assert_eq!(
            only.of(resource.clone()),
            json!({"schemas": [], "id": "1", "userName": "a"})
        );
        let without = Selection::parse(None, Some("displayName,id"));
        assert_eq!(
            without.of(resource),
            json!({"schemas": [], "id": "1", "userName": "a"})
        );
    }
}
