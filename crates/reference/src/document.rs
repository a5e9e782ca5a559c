//! The OpenAPI document as the pages ask it: groups, operations, messages and schemas, with what is referred to put in.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// In the order in which they are listed.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

pub struct Document {
    value: Value,
    /// Where each operation and message is, by its id.
    places: BTreeMap<String, Address>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Address {
    /// `paths`, or `webhooks` for what the service sends.
    section: &'static str,
    path: String,
    method: &'static str,
}

/// What can be asked of the service, or a message that it sends.
#[derive(Clone, Copy)]
pub struct Operation<'d> {
    pub id: &'d str,
    /// In capital letters.
    pub method: &'d str,
    /// Of a message its type.
    pub path: &'d str,
    pub is_message: bool,
    pub value: &'d Value,
}

/// Where a parameter goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Within {
    Path,
    Query,
    Header,
}

pub struct Parameter<'d> {
    pub name: &'d str,
    pub within: Within,
    pub is_required: bool,
    pub description: &'d str,
    pub schema: &'d Value,
    pub example: Option<&'d Value>,
    /// An object whose members are asked for by `name[key]`.
    pub is_deep: bool,
}

/// What is sent or answered: a media type with its schema and an example.
#[derive(Clone, Copy)]
pub struct Content<'d> {
    pub kind: &'d str,
    pub schema: &'d Value,
    pub example: Option<&'d Value>,
}

pub struct Answer<'d> {
    pub status: &'d str,
    pub description: &'d str,
    pub contents: Vec<Content<'d>>,
    pub headers: Vec<(&'d str, &'d str)>,
    /// The codes that an error of this status has, each with an example.
    pub codes: Vec<(&'d str, &'d Value)>,
}

impl Document {
    pub fn of(value: Value) -> Self {
        let mut places = BTreeMap::new();
        for section in ["paths", "webhooks"] {
            for (path, item) in members(&value[section]) {
                for method in METHODS {
                    let Some(id) = item[method]["operationId"].as_str() else {
                        continue;
                    };
                    let path = path.clone();
                    let address = Address {
                        section,
                        path,
                        method,
                    };
                    places.insert(id.to_owned(), address);
                }
            }
        }
        Self { value, places }
    }

    pub fn title(&self) -> &str {
        self.value["info"]["title"].as_str().unwrap_or_default()
    }

    pub fn version(&self) -> &str {
        self.value["info"]["version"].as_str().unwrap_or_default()
    }

    pub fn description(&self) -> &str {
        text(&self.value["info"]["description"])
    }

    /// Names of the groups, in the order of the document.
    pub fn groups(&self) -> impl Iterator<Item = &str> {
        let tags = self.value["tags"].as_array().into_iter().flatten();
        tags.filter_map(|tag| tag["name"].as_str())
    }

    pub fn operation(&self, id: &str) -> Option<Operation<'_>> {
        let (id, address) = self.places.get_key_value(id)?;
        Some(Operation {
            id,
            method: capital(address.method),
            path: &address.path,
            is_message: address.section == "webhooks",
            value: &self.value[address.section][&address.path][address.method],
        })
    }

    /// All of them, by path and in the order of the methods.
    pub fn operations(&self) -> Vec<Operation<'_>> {
        let mut found: Vec<(&Address, Operation<'_>)> = self
            .places
            .iter()
            .filter_map(|(id, address)| Some((address, self.operation(id)?)))
            .collect();
        let order = |address: &Address| METHODS.iter().position(|it| *it == address.method);
        found.sort_by_key(|(address, _)| (address.section, address.path.clone(), order(address)));
        found.into_iter().map(|(_, operation)| operation).collect()
    }

    /// Those of a group.
    pub fn of_group(&self, group: &str) -> Vec<Operation<'_>> {
        let mut operations = self.operations();
        operations.retain(|operation| operation.group() == group);
        operations
    }

    /// What the service sends by itself.
    pub fn messages(&self) -> Vec<Operation<'_>> {
        let mut operations = self.operations();
        operations.retain(|operation| operation.is_message);
        operations
    }

    pub fn schema(&self, name: &str) -> Option<&Value> {
        self.value["components"]["schemas"].get(name)
    }

    pub fn schemas(&self) -> impl Iterator<Item = &str> {
        members(&self.value["components"]["schemas"]).map(|(name, _)| name.as_str())
    }

    /// A value, or what it refers to.
    pub fn resolved<'d>(&'d self, value: &'d Value) -> &'d Value {
        let pointer = value["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
        let target = pointer.and_then(|pointer| self.value.pointer(pointer));
        target.unwrap_or(value)
    }

    pub fn parameters<'d>(&'d self, operation: Operation<'d>) -> Vec<Parameter<'d>> {
        let list = operation.value["parameters"].as_array();
        let all = list.into_iter().flatten().map(|it| self.resolved(it));
        all.filter_map(parameter).collect()
    }

    pub fn answers<'d>(&'d self, operation: Operation<'d>) -> Vec<Answer<'d>> {
        let answer = |(status, answer): (&'d String, &'d Value)| {
            let answer = self.resolved(answer);
            let headers = members(&answer["headers"])
                .map(|(name, header)| (name.as_str(), text(&self.resolved(header)["description"])));
            Answer {
                status,
                description: text(&answer["description"]),
                contents: contents(&answer["content"]),
                headers: headers.collect(),
                codes: codes(&answer["content"]["application/json"]["examples"]),
            }
        };
        members(&operation.value["responses"]).map(answer).collect()
    }
}

impl<'d> Operation<'d> {
    pub fn group(&self) -> &'d str {
        self.value["tags"][0].as_str().unwrap_or_default()
    }

    pub fn summary(&self) -> &'d str {
        text(&self.value["summary"])
    }

    pub fn description(&self) -> &'d str {
        text(&self.value["description"])
    }

    /// What it takes, the plainest kind first.
    pub fn bodies(&self) -> Vec<Content<'d>> {
        contents(&self.value["requestBody"]["content"])
    }

    pub fn is_body_required(&self) -> bool {
        self.value["requestBody"]["required"] == true
    }

    /// Whether nobody has to say who they are.
    pub fn is_open(&self) -> bool {
        self.requirements().any(|it| it.get("apiKey").is_none())
            || self.requirements().next().is_none()
    }

    /// Whether a platform has to be chosen.
    pub fn is_on_a_platform(&self) -> bool {
        self.requirements()
            .any(|it| it.get("platformCode").is_some())
    }

    /// Sets of scopes, one of which a key needs.
    pub fn scopes(&self) -> Vec<Vec<&'d str>> {
        let mut sets: Vec<Vec<&str>> = Vec::new();
        for requirement in self.requirements() {
            let scopes = requirement["apiKey"].as_array().into_iter().flatten();
            let scopes: Vec<&str> = scopes.filter_map(Value::as_str).collect();
            if !scopes.is_empty() && !sets.contains(&scopes) {
                sets.push(scopes);
            }
        }
        sets
    }

    fn requirements(&self) -> impl Iterator<Item = &'d Value> {
        self.value["security"].as_array().into_iter().flatten()
    }

    /// Whether something is different after it.
    pub fn is_a_write(&self) -> bool {
        self.method != "GET"
    }
}

impl Content<'_> {
    pub fn is_json(&self) -> bool {
        self.kind.ends_with("json")
    }
}

/// The members of an object, and none of anything else.
pub fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn parameter(value: &Value) -> Option<Parameter<'_>> {
    let within = match text(&value["in"]) {
        "path" => Within::Path,
        "query" => Within::Query,
        "header" => Within::Header,
        _ => return None,
    };
    Some(Parameter {
        name: text(&value["name"]),
        within,
        is_required: value["required"] == true,
        description: text(&value["description"]),
        schema: &value["schema"],
        example: value.get("example"),
        is_deep: value["style"] == "deepObject",
    })
}

/// JSON goes before everything else, and plain JSON before what is patched with.
fn contents(value: &Value) -> Vec<Content<'_>> {
    let mut contents: Vec<Content<'_>> = members(value)
        .map(|(kind, content)| Content {
            kind,
            schema: &content["schema"],
            example: content.get("example"),
        })
        .collect();
    contents.sort_by_key(|content| (content.kind != "application/json", !content.is_json()));
    contents
}

fn codes(examples: &Value) -> Vec<(&str, &Value)> {
    members(examples)
        .map(|(code, example)| (code.as_str(), &example["value"]))
        .collect()
}

fn capital(method: &str) -> &'static str {
    match method {
        "post" => "POST",
        "put" => "PUT",
        "patch" => "PATCH",
        "delete" => "DELETE",
        _ => "GET",
    }
}
