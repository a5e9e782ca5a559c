//! The published schemas, as validators: what the documentation says is what is checked.

use std::collections::BTreeMap;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use lyceum_domain::Invalid;
use lyceum_domain::json::JsonObject;
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

/// The validators of all request bodies.
#[derive(Debug, Default)]
pub struct Schemas(BTreeMap<String, Validator>);

impl Schemas {
    /// Compiles the validators of the named components.
    ///
    /// # Errors
    /// A sentence about the schema that does not compile.
    pub fn compile<'a>(
        components: &Components,
        bodies: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, String> {
        let all = serde_json::to_value(components).map_err(|error| error.to_string())?;
        let compile = |name: &str| {
            let root = json!({
                "$ref": format!("#/components/schemas/{name}"),
                "components": { "schemas": all },
            });
            jsonschema::validator_for(&root)
                .map(|validator| (name.to_owned(), validator))
                .map_err(|error| format!("schema {name}: {error}"))
        };
        bodies
            .into_iter()
            .map(compile)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Every problem of a body.
    pub fn problems(&self, name: &str, body: &Value) -> Vec<Invalid> {
        let Some(validator) = self.0.get(name) else {
            return Vec::new();
        };
        let mut problems = Vec::new();
        for error in validator.iter_errors(body) {
            describe(&error, "", &mut problems);
        }
        problems
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
        ValidationErrorKind::Pattern { pattern } if pattern == r"\S" => {
            "must not be blank".to_owned()
        }
        ValidationErrorKind::Pattern { pattern } => format!("must match {pattern}"),
        ValidationErrorKind::UniqueItems => "must not have the same entry twice".to_owned(),
        _ => "is not valid".to_owned(),
    }
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
