//! The published schemas, as validators: what the documentation says is what is checked.

use std::any::TypeId;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Keyword, ValidationError, Validator};
use lyceum_application::Error;
use lyceum_domain::Invalid;
use lyceum_domain::json::JsonObject;
use lyceum_domain::points::Points;
use lyceum_wire::points::DECIMALS;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// Every component schema by name.
pub type Components = BTreeMap<String, RefOr<Schema>>;

/// Adds a type and everything it refers to.
pub fn collect<T: ToSchema>(components: &mut Components) -> String {
    let name = T::name().into_owned();
    let mut referred = Vec::new();
    T::schemas(&mut referred);
    components.extend(referred);
    components.insert(name.clone(), T::schema());
    name
}

/// The validators of request bodies, each compiled when the first such body comes: most of a start would go into
/// validators that nobody may ask for.
#[derive(Default)]
pub struct Schemas(RwLock<HashMap<TypeId, Arc<Validator>>>);

impl Schemas {
    /// Every problem of a body.
    ///
    /// # Errors
    /// [`Error::Internal`] if the schema does not compile, a fault of this build; a test compiles all of them.
    pub fn problems<B: ToSchema + 'static>(&self, body: &Value) -> Result<Vec<Invalid>, Error> {
        let validator = self.validator(TypeId::of::<B>(), collect::<B>)?;
        let mut problems = Vec::new();
        for error in validator.iter_errors(body) {
            describe(&error, "", &mut problems);
        }
        Ok(problems)
    }

    fn validator(
        &self,
        of: TypeId,
        collect: fn(&mut Components) -> String,
    ) -> Result<Arc<Validator>, Error> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(validator) = known.get(&of) {
            return Ok(Arc::clone(validator));
        }
        drop(known);
        let mut components = Components::new();
        let name = collect(&mut components);
        let compiled =
            compile(&components, &name).map_err(|error| Error::Internal(error.into()))?;
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        // Of two requests that compiled it, one was first.
        Ok(Arc::clone(
            known.entry(of).or_insert_with(|| Arc::new(compiled)),
        ))
    }
}

/// The validator of the named component.
///
/// # Errors
/// A sentence about the schema that does not compile.
fn compile(components: &Components, name: &str) -> Result<Validator, String> {
    let all = serde_json::to_value(components).map_err(|error| error.to_string())?;
    let root = json!({
        "$ref": format!("#/components/schemas/{name}"),
        "components": { "schemas": all },
    });
    jsonschema::options()
        .with_keyword(DECIMALS, |_, _, _| Ok(Box::new(Hundredths)))
        .build(&root)
        .map_err(|error| format!("schema {name}: {error}"))
}

/// Numbers of at most two decimals: no other is asked for anywhere.
struct Hundredths;

impl<'i> Keyword<'i> for Hundredths {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) {
            return Ok(());
        }
        Err(ValidationError::custom("must have at most two decimals"))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        Points::is_exact(instance)
    }
}

/// Takes away the members that are `null` and need not be there: absent and `null` are the same on create.
pub fn drop_nulls(body: JsonObject) -> JsonObject {
    body.into_iter()
        .filter(|(_, value)| !value.is_null())
        .collect()
}

#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the library may learn new kinds of problems"
)]
fn describe(error: &ValidationError<'_>, above: &str, problems: &mut Vec<Invalid>) {
    let path = join(above, &dotted(error.instance_path().as_str()));
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            problems.push(Invalid::missing(join(&path, name)));
        }
        // "null or this": what is wrong with "this" is what the caller wants to hear.
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            match context
                .iter()
                .find(|branch| !branch.iter().any(is_about_null))
            {
                Some(branch) => branch
                    .iter()
                    .for_each(|inner| describe(inner, "", problems)),
                None => problems.push(Invalid::new(path, "has the wrong type")),
            }
        }
        // A member that may be absent may be null as well, so this one may not.
        ValidationErrorKind::Type { .. } if error.instance().is_null() && !path.ends_with(']') => {
            problems.push(Invalid::missing(path));
        }
        kind => problems.push(Invalid::new(path, sentence(kind, error))),
    }
}

/// The branch that only wants `null`.
fn is_about_null(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), ValidationErrorKind::Type { kind } if type_name(kind).is_empty())
}

#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the library may learn new kinds of problems"
)]
fn sentence(kind: &ValidationErrorKind, error: &ValidationError<'_>) -> String {
    match kind {
        ValidationErrorKind::Type { .. } if error.instance().is_null() => {
            "must not be null".to_owned()
        }
        ValidationErrorKind::Type { kind } => format!("must be of type {}", type_name(kind)),
        ValidationErrorKind::MinLength { limit: 1 } => "must not be empty".to_owned(),
        ValidationErrorKind::MinLength { limit } => {
            format!("must have at least {limit} characters")
        }
        ValidationErrorKind::MaxLength { limit } => format!("must have at most {limit} characters"),
        ValidationErrorKind::Minimum { limit } => format!("must be at least {limit}"),
        ValidationErrorKind::Maximum { limit } => format!("must be at most {limit}"),
        ValidationErrorKind::ExclusiveMinimum { limit } => format!("must be more than {limit}"),
        ValidationErrorKind::MinItems { limit } => format!("must have at least {limit} entries"),
        ValidationErrorKind::MaxItems { limit } => format!("must have at most {limit} entries"),
        ValidationErrorKind::Enum { options } => format!("must be one of {}", words(options)),
        ValidationErrorKind::Pattern { pattern } => in_words(pattern).to_owned(),
        ValidationErrorKind::Custom { message, .. } => message.clone(),
        ValidationErrorKind::UniqueItems => "must not have the same entry twice".to_owned(),
        _ => "is not valid".to_owned(),
    }
}

/// What the patterns of bodies ask for, for people.
const PATTERNS: [(&str, &str); 7] = [
    (
        "^(/([A-Za-z0-9_.-][A-Za-z0-9/_.-]*)?)?$",
        "must be a place in Studio, such as /courses",
    ),
    (r"\S", "must not be blank"),
    (
        "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$",
        "must be a language tag (BCP 47), such as en or pt-BR",
    ),
    (
        "^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$",
        "must be the name of a time zone, such as Europe/Berlin or UTC",
    ),
    (
        "^[A-Za-z0-9_-]{16,128}$",
        "must be 16 to 128 letters, digits, hyphens and underscores",
    ),
    ("^ai_usage$", "must be ai_usage"),
    (r"^[^@\s]+@[^@\s]+$", "must be an email address"),
];

/// A pattern is for programs: people are told what it means.
fn in_words(pattern: &str) -> &'static str {
    let known = PATTERNS.iter().find(|(known, _)| *known == pattern);
    known.map_or("is not written as it must be", |(_, words)| words)
}

fn type_name(kind: &jsonschema::error::TypeKind) -> String {
    let names = match kind {
        jsonschema::error::TypeKind::Single(one) => vec![one.to_string()],
        jsonschema::error::TypeKind::Multiple(many) => {
            many.iter().map(|one| one.to_string()).collect()
        }
    };
    let visible: Vec<&str> = names
        .iter()
        .map(|name| name.trim_matches('"'))
        .filter(|name| *name != "null")
        .collect();
    visible.join(" or ")
}

fn words(options: &Value) -> String {
    let words: Vec<String> = options
        .as_array()
        .into_iter()
        .flatten()
        .map(|option| {
            option
                .as_str()
                .map_or_else(|| option.to_string(), str::to_owned)
        })
        .collect();
    words.join(", ")
}

/// `/rubric/criteria/0/name` as `rubric.criteria[0].name`.
fn dotted(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        if part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty() {
            path.extend(["[", part, "]"]);
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&part.replace("~1", "/").replace("~0", "~"));
        }
    }
    path
}

fn join(above: &str, below: &str) -> String {
    match (above.is_empty(), below.is_empty()) {
        (true, _) => below.to_owned(),
        (_, true) => above.to_owned(),
        _ if below.starts_with('[') => format!("{above}{below}"),
        _ => format!("{above}.{below}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use lyceum_wire::authoring::courses::{CreateCourse, UpdateCourse};

    use super::*;
    use crate::routes;

    #[test]
    fn the_schema_of_every_body_compiles() {
        let mut seen = BTreeSet::new();
        for route in routes::all() {
            let mut components = Components::new();
            let Some((name, _)) = (route.describe)(&mut components).input.body else {
                continue;
            };
            assert_eq!(compile(&components, &name).err(), None);
            seen.insert(name);
        }
        assert!(seen.len() > 40, "{seen:?}");
    }

    #[test]
    fn every_pattern_of_a_body_is_said_in_words() {
        fn patterns(schema: &Value, found: &mut BTreeSet<String>) {
            if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
                found.insert(pattern.to_owned());
            }
            match schema {
                Value::Object(members) => members.values().for_each(|one| patterns(one, found)),
                Value::Array(entries) => entries.iter().for_each(|one| patterns(one, found)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        let mut found = BTreeSet::new();
        for route in routes::all() {
            let mut components = Components::new();
            let body = (route.describe)(&mut components).input.body;
            if let Some((name, _)) = body {
                // Only what is asked for is checked by its pattern.
                let all = serde_json::to_value(&components).unwrap();
                let mut asked = vec![name];
                let mut seen = BTreeSet::new();
                while let Some(name) = asked.pop() {
                    if !seen.insert(name.clone()) {
                        continue;
                    }
                    let text = all[&name].to_string();
                    let refers = text.match_indices("#/components/schemas/");
                    asked.extend(refers.filter_map(|(at, start)| {
                        let rest = text.split_at(at + start.len()).1;
                        rest.split('"').next().map(str::to_owned)
                    }));
                    patterns(&all[&name], &mut found);
                }
            }
        }
        assert!(found.len() > 3, "{found:?}");
        for pattern in found {
            assert_ne!(
                in_words(&pattern),
                "is not written as it must be",
                "{pattern}"
            );
        }
    }

    #[test]
    fn each_body_is_held_against_its_own_schema_also_the_second_time() {
        let schemas = Schemas::default();
        let nothing = json!({});
        for _ in 0..2 {
            let missing = schemas.problems::<CreateCourse>(&nothing).unwrap();
            assert_eq!(missing, ["name", "language"].map(Invalid::missing));
            let changes = schemas.problems::<UpdateCourse>(&nothing).unwrap();
            assert_eq!(changes, []);
        }
    }
}
