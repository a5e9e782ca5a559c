//! Holds answers against the OpenAPI document: what is not documented there must not be answered.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::app::Answer;

/// The document, and the schemas of it that were needed so far.
pub struct Contract {
    document: Value,
    validators: Mutex<HashMap<String, Validator>>,
}

/// What only our own code, its libraries and its databases say; no error may pass it on.
const OURS: [&str; 12] = [
    "src/",
    ".rs:",
    "diesel",
    "SQLITE_",
    "libpq",
    "thread '",
    "panicked",
    "UNIQUE constraint",
    "FOREIGN KEY",
    "violates",
    "relation \"",
    "stack backtrace",
];

/// Panics when an error says how the service is made inside.
fn check_discretion(method: &str, path: &str, answer: &Answer) {
    if answer.status < 400 {
        return;
    }
    let text = answer.body["error"]["message"].as_str().unwrap_or_default();
    for word in OURS {
        assert!(!text.contains(word), "{method} {path} tells {text}");
    }
    let members = answer.body["error"].as_object();
    let members: Vec<&str> = members
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect();
    let known = ["code", "fields", "message", "request_id", "type"];
    // Who was faster, where that is in the way.
    let is_overtaken = ["invalid_state_transition", "precondition_failed"].contains(&answer.code());
    let may = |name: &str| known.contains(&name) || is_overtaken && ["actor", "at"].contains(&name);
    assert!(
        members.iter().all(|name| may(name)),
        "{method} {path} tells more than an error: {members:?}"
    );
}

/// What keeps members that nobody knows, as its makers sent them: the handbook says so.
const KEEPS_ALL: [&str; 3] = ["RubricView", "RubricCriterion", "RubricLevel"];

/// Closes objects to members that are not documented. To clients the document leaves them open, because answers may
/// grow; but what grows here by accident is a leak.
fn close(components: &mut Map<String, Value>) {
    let parts = components
        .values()
        .filter_map(|one| one["allOf"].as_array());
    // What others are built on is closed where they are.
    let bases: BTreeSet<String> = parts
        .flatten()
        .filter_map(|part| Some(part["$ref"].as_str()?.rsplit('/').next()?.to_owned()))
        .collect();
    for (name, component) in components {
        let Some(members) = component.as_object_mut() else {
            continue;
        };
        if members.contains_key("allOf") {
            members.insert("unevaluatedProperties".to_owned(), json!(false));
        } else if members.contains_key("properties")
            && !bases.contains(name)
            && !KEEPS_ALL.contains(&name.as_str())
        {
            let closed = members.entry("additionalProperties");
            closed.or_insert(json!(false));
        }
    }
}

impl Contract {
    /// Reads a document.
    pub fn new(document: &[u8]) -> Self {
        Self {
            document: serde_json::from_slice(document).unwrap(),
            validators: Mutex::default(),
        }
    }

    /// Panics when the answer is not as documented; paths and methods that are not there pass, as every client
    /// may ask for them.
    pub fn check(&self, method: &str, path: &str, answer: &Answer) {
        check_discretion(method, path, answer);
        let Some((template, operation)) = self.operation(method, path) else {
            return;
        };
        let place = format!(
            "{method} {template} answered {} {}",
            answer.status, answer.body
        );
        let response = &operation["responses"][answer.status.to_string()];
        assert!(
            response.is_object(),
            "{place}: this status is not documented"
        );
        let response = self.resolved(response);
        for name in response["headers"]
            .as_object()
            .into_iter()
            .flat_map(|headers| headers.keys())
        {
            let always = matches!(
                name.as_str(),
                "Request-Id" | "ETag" | "Location" | "WWW-Authenticate"
            );
            let there = answer.header(&name.to_lowercase()).is_some();
            assert!(there || !always, "{place}: without the header {name}");
        }
        let Some(content) = response["content"].as_object() else {
            assert!(
                answer.body.is_null(),
                "{place}: a body that is not documented"
            );
            return;
        };
        let given = answer.header("content-type").unwrap_or_default();
        let kind = given.split(';').next().unwrap_or_default();
        let documented = content.get(kind).or_else(|| content.get("*/*"));
        let Some(documented) = documented else {
            panic!("{place}: {kind} is not documented");
        };
        if kind == "application/json" {
            self.check_body(&documented["schema"], &answer.body, &place);
        }
    }

    fn check_body(&self, schema: &Value, body: &Value, place: &str) {
        let mut validators = self.validators.lock().unwrap();
        let validator = validators.entry(schema.to_string()).or_insert_with(|| {
            let mut root = schema.clone();
            let mut needed = Map::new();
            self.gather(schema, &mut needed);
            close(&mut needed);
            root["components"] = json!({ "schemas": needed });
            jsonschema::validator_for(&root).unwrap()
        });
        let problems: Vec<String> = validator
            .iter_errors(body)
            .map(|error| format!("{} at {}", error, error.instance_path()))
            .collect();
        assert!(problems.is_empty(), "{place}: {problems:#?}");
    }

    /// Every component that a schema refers to; compiling them all for each answer would take seconds.
    fn gather(&self, value: &Value, needed: &mut Map<String, Value>) {
        match value {
            Value::Object(members) => {
                let reference = members.get("$ref").and_then(Value::as_str);
                let name =
                    reference.and_then(|reference| reference.strip_prefix("#/components/schemas/"));
                if let Some(name) = name.filter(|name| !needed.contains_key(*name)) {
                    let component = &self.document["components"]["schemas"][name];
                    needed.insert(name.to_owned(), component.clone());
                    self.gather(component, needed);
                }
                members
                    .values()
                    .for_each(|member| self.gather(member, needed));
            }
            Value::Array(entries) => entries.iter().for_each(|entry| self.gather(entry, needed)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn resolved<'v>(&'v self, value: &'v Value) -> &'v Value {
        let reference = value["$ref"]
            .as_str()
            .and_then(|reference| reference.strip_prefix('#'));
        reference.map_or(value, |pointer| self.document.pointer(pointer).unwrap())
    }

    fn operation(&self, method: &str, path: &str) -> Option<(&str, &Value)> {
        let asked: Vec<&str> = path.split('?').next()?.split('/').collect();
        let paths = self.document["paths"].as_object()?;
        let fits = |template: &str| {
            let parts: Vec<&str> = template.split('/').collect();
            let same = |(part, asked): (&&str, &&str)| {
                part == asked || (part.starts_with('{') && !asked.is_empty())
            };
            parts.len() == asked.len() && parts.iter().zip(&asked).all(same)
        };
        let fixed = |template: &str| !template.contains('{');
        let mut fitting: Vec<&String> = paths.keys().filter(|template| fits(template)).collect();
        fitting.sort_by_key(|template| !fixed(template));
        let template = fitting.first()?;
        let operation = paths.get(*template)?.get(method.to_lowercase())?;
        Some((template.as_str(), operation))
    }
}
