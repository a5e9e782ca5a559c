//! Every schema keeps to what all servers that hold answers to schemas understand.
//!
//! The strict subset of `OpenAI`, the limits of Azure and the keywords of Anthropic: every property required and no
//! other allowed, what may be absent a union with null, limits told in descriptions and checked after the call.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot be set up has failed"
)]

use std::fs;
use std::path::Path;

use rstest::rstest;
use serde_json::{Value, json};

/// Azure's limits.
const MOST_PROPERTIES: usize = 100;
const DEEPEST: usize = 5;
const MOST_CHARS: usize = 15_000;

const KEYWORDS: [&str; 8] = [
    "type",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "anyOf",
];

/// What is found on the way through a schema.
#[derive(Default)]
struct Lint {
    problems: Vec<String>,
    properties: usize,
    chars: usize,
    depth: usize,
}

impl Lint {
    fn of(schema: &Value) -> Vec<String> {
        let mut lint = Self::default();
        if schema["type"] != "object" {
            lint.problems.push("the root is no object".to_owned());
        }
        lint.node(schema, "", 0);
        if lint.properties > MOST_PROPERTIES {
            lint.problems.push("too many properties".to_owned());
        }
        if lint.depth > DEEPEST {
            lint.problems.push("too deep".to_owned());
        }
        if lint.chars > MOST_CHARS {
            lint.problems
                .push("too many characters in names".to_owned());
        }
        lint.problems
    }

    fn node(&mut self, node: &Value, path: &str, depth: usize) {
        let Some(members) = node.as_object() else {
            return self.problems.push(format!("{path}: no object"));
        };
        for keyword in members
            .keys()
            .filter(|name| !KEYWORDS.contains(&name.as_str()))
        {
            self.problems
                .push(format!("{path}: {keyword} is not understood everywhere"));
        }
        for word in node["enum"].as_array().into_iter().flatten() {
            self.chars += word.as_str().map_or(0, str::len);
        }
        match (node.get("anyOf"), node["type"].as_str()) {
            (Some(union), None) => self.union(union, path, depth),
            (None, Some("object")) => self.object(node, path, depth + 1),
            (None, Some("array")) => self.node(&node["items"], &format!("{path}[]"), depth),
            (None, Some("string" | "number" | "integer" | "boolean")) => {}
            _ => self
                .problems
                .push(format!("{path}: neither one type nor a union")),
        }
    }

    fn union(&mut self, union: &Value, path: &str, depth: usize) {
        let null = json!({"type": "null"});
        match union.as_array().map(Vec::as_slice) {
            Some([one, other]) if *other == null => self.node(one, path, depth),
            _ => self.problems.push(format!(
                "{path}: a union is of one thing and null, in this order"
            )),
        }
    }

    fn object(&mut self, node: &Value, path: &str, depth: usize) {
        self.depth = self.depth.max(depth);
        if node["additionalProperties"] != false {
            self.problems
                .push(format!("{path}: other properties are allowed"));
        }
        let Some(properties) = node["properties"].as_object() else {
            return self.problems.push(format!("{path}: no properties"));
        };
        let required = node["required"].as_array();
        let mut required: Vec<&str> = required
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        required.sort_unstable();
        let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
        names.sort_unstable();
        if required != names {
            self.problems
                .push(format!("{path}: not every property is required, once"));
        }
        for (name, property) in properties {
            self.properties += 1;
            self.chars += name.len();
            self.node(property, &format!("{path}.{name}"), depth);
        }
    }
}

#[test]
fn every_schema_is_understood_everywhere() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let mut seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let schema: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(
            Lint::of(&schema),
            Vec::<String>::new(),
            "{}",
            path.display()
        );
        assert!(
            jsonschema::draft202012::meta::is_valid(&schema),
            "{}",
            path.display()
        );
        seen += 1;
    }
    assert!(seen >= 14, "{seen} schemas");
}

#[rstest]
#[case("/properties/a/maxLength", json!(5), "maxLength")]
#[case("/properties/a/type", json!(["string", "null"]), "neither one type")]
#[case("/properties/a", json!({"anyOf": [{"type": "null"}, {"type": "string"}]}), "a union")]
#[case("/properties/a", json!({"type": "object", "properties": {}, "required": []}), "other properties")]
#[case("/properties/b", json!({"type": "string"}), "not every property")]
#[case("/type", json!("array"), "the root")]
fn what_is_not_understood_is_found(#[case] at: &str, #[case] value: Value, #[case] said: &str) {
    let mut schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"],
        "additionalProperties": false});
    assert_eq!(Lint::of(&schema), Vec::<String>::new());
    let (parent, name) = at.rsplit_once('/').unwrap();
    let parent = schema.pointer_mut(parent).unwrap();
    parent
        .as_object_mut()
        .unwrap()
        .insert(name.to_owned(), value);
    let problems = Lint::of(&schema);
    assert!(
        problems.iter().any(|problem| problem.contains(said)),
        "{problems:?}"
    );
}
