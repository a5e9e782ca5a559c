//! Values as languages write them.

use serde_json::{Map, Value};

use crate::document::Document;
use crate::shapes::Shape;

/// How deep a value is made up.
const DEEPEST: usize = 4;

/// A value in place of an example: what must be there, and no more.
pub fn placeholder(document: &Document, name: &str, schema: &Value) -> Value {
    made(document, name, schema, 0)
}

fn made(document: &Document, name: &str, schema: &Value, depth: usize) -> Value {
    let shape = Shape::of(document, schema);
    let said = ["example", "default"].map(|word| shape.schema.get(word));
    if let Some(value) = said.into_iter().flatten().next() {
        return value.clone();
    }
    if let Some(first) = shape.schema["enum"].get(0) {
        return first.clone();
    }
    if let (Some(variant), true) = (shape.variants().first(), depth < DEEPEST) {
        return made(document, name, variant.schema, depth + 1);
    }
    match shape.kind() {
        "integer" | "number" => shape
            .schema
            .get("minimum")
            .cloned()
            .unwrap_or(Value::from(1)),
        "boolean" => Value::from(true),
        "array" => Value::Array(Vec::new()),
        "object" => {
            let members = shape
                .members(document)
                .into_iter()
                .filter(|it| it.is_required);
            let value = |name: &str, schema| made(document, name, schema, depth + 1);
            let pairs = members.map(|it| (it.name.to_owned(), value(it.name, it.schema)));
            let pairs = if depth < DEEPEST {
                pairs.collect()
            } else {
                Map::new()
            };
            Value::Object(pairs)
        }
        _ => Value::from(name.to_uppercase()),
    }
}

/// An example with what its schema has defaults for: types that are made of the document ask for it.
pub fn completed(document: &Document, schema: &Value, example: &Value) -> Value {
    let Value::Object(given) = example else {
        return example.clone();
    };
    let shape = Shape::of(document, schema);
    let mut whole = given.clone();
    for member in shape.members(document) {
        let default = member.schema.get("default");
        if let Some(value) = given.get(member.name).or(default) {
            let value = completed(document, member.schema, value);
            whole.insert(member.name.to_owned(), value);
        }
    }
    Value::Object(whole)
}

/// Names of values that JSON has and a language spells otherwise.
pub struct Spelling {
    pub null: &'static str,
    pub yes: &'static str,
    pub no: &'static str,
    /// Whether names that are plain words stand without quotes.
    pub has_bare_names: bool,
}

pub const JSON: Spelling = Spelling {
    null: "null",
    yes: "true",
    no: "false",
    has_bare_names: false,
};

/// A value over several lines, whose first stands where it is put and the rest behind so many blanks. What is short stays in one.
pub fn written(value: &Value, spelling: &Spelling, indent: usize) -> String {
    let line = in_one_line(value, spelling);
    if line.len() + indent <= 80 && !line.contains(": {") && !line.contains(": [{") {
        return line;
    }
    let blanks = " ".repeat(indent + 2);
    let end = " ".repeat(indent);
    match value {
        Value::Object(members) => {
            let lines = members.iter().map(|(name, value)| {
                let value = written(value, spelling, indent + 2);
                format!("{blanks}{}: {value},\n", named(name, spelling))
            });
            format!("{{\n{}{end}}}", without_last_comma(lines.collect()))
        }
        Value::Array(entries) => {
            let lines = entries.iter().map(|entry| {
                let entry = written(entry, spelling, indent + 2);
                format!("{blanks}{entry},\n")
            });
            format!("[\n{}{end}]", without_last_comma(lines.collect()))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => line,
    }
}

fn without_last_comma(lines: String) -> String {
    match lines.strip_suffix(",\n") {
        Some(rest) => format!("{rest}\n"),
        None => lines,
    }
}

pub fn in_one_line(value: &Value, spelling: &Spelling) -> String {
    match value {
        Value::Null => spelling.null.to_owned(),
        Value::Bool(true) => spelling.yes.to_owned(),
        Value::Bool(false) => spelling.no.to_owned(),
        Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(entries) => {
            let entries: Vec<String> = entries.iter().map(|it| in_one_line(it, spelling)).collect();
            format!("[{}]", entries.join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let pair = |(name, value): (&String, &Value)| {
                format!(
                    "{}: {}",
                    named(name, spelling),
                    in_one_line(value, spelling)
                )
            };
            let pairs: Vec<String> = members.iter().map(pair).collect();
            let (open, close) = if spelling.has_bare_names {
                ("{ ", " }")
            } else {
                ("{", "}")
            };
            format!("{open}{}{close}", pairs.join(", "))
        }
    }
}

pub fn named(name: &str, spelling: &Spelling) -> String {
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if spelling.has_bare_names && is_plain {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A text between double quotes, as JSON and with it each of the languages has it.
pub fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
