//! What a schema comes to once what it refers to is put in: one shape, its name, whether `null` may stand there.

use serde_json::Value;

use crate::document::{Document, members, text};

/// How often a schema may lead to another before it is taken as it is.
const LONGEST_WAY: usize = 8;

#[derive(Clone, Copy)]
pub struct Shape<'d> {
    /// Without `null`, and never a reference.
    pub schema: &'d Value,
    /// Of the last that was referred to.
    pub name: Option<&'d str>,
    pub is_nullable: bool,
    /// What is said where it stands; else of itself.
    pub description: &'d str,
}

/// A member of an object.
pub struct Member<'d> {
    pub name: &'d str,
    pub schema: &'d Value,
    pub is_required: bool,
}

/// One of the shapes that something may have.
pub struct Variant<'d> {
    /// The word that tells it apart.
    pub word: Option<&'d str>,
    pub schema: &'d Value,
}

impl<'d> Shape<'d> {
    pub fn of(document: &'d Document, schema: &'d Value) -> Self {
        let mut shape = Self {
            schema,
            name: None,
            is_nullable: false,
            description: "",
        };
        for _ in 0..LONGEST_WAY {
            if shape.description.is_empty() {
                shape.description = text(&shape.schema["description"]);
            }
            let Some(next) = shape.step(document) else {
                break;
            };
            shape.schema = next;
        }
        let kinds = shape.schema["type"].as_array();
        shape.is_nullable |= kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"));
        shape
    }

    /// Where a reference leads, and the one shape beside `null`.
    fn step(&mut self, document: &'d Document) -> Option<&'d Value> {
        if let Some(reference) = self.schema["$ref"].as_str() {
            self.name = reference.rsplit('/').next();
            return Some(document.resolved(self.schema));
        }
        let list = choices(self.schema)?;
        let is_null = |schema: &&Value| schema["type"] == "null";
        let mut others = list.iter().filter(|schema| !is_null(schema));
        let (first, second) = (others.next(), others.next());
        self.is_nullable |= list.iter().any(|schema| is_null(&schema));
        first.filter(|_| second.is_none())
    }

    /// The first word of its type that is not `null`.
    pub fn kind(&self) -> &'d str {
        let kind = &self.schema["type"];
        let mut words = kind.as_array().into_iter().flatten();
        let word = words.find_map(|word| word.as_str().filter(|word| *word != "null"));
        word.unwrap_or_else(|| text(kind))
    }

    /// Members of an object, those that must be there first.
    pub fn members(&self, document: &'d Document) -> Vec<Member<'d>> {
        let mut all = own_members(self.schema);
        for part in self.schema["allOf"].as_array().into_iter().flatten() {
            all.extend(Shape::of(document, part).members(document));
        }
        all.sort_by_key(|member| !member.is_required);
        all
    }

    /// The shapes that it may have, where there is more than one.
    pub fn variants(&self) -> Vec<Variant<'d>> {
        let list = choices(self.schema).into_iter().flatten();
        let list = list.filter(|schema| schema["type"] != "null");
        let variants: Vec<Variant<'_>> = list
            .map(|schema| Variant {
                word: self.word_of(schema),
                schema,
            })
            .collect();
        if variants.len() > 1 {
            variants
        } else {
            Vec::new()
        }
    }

    /// The member that tells its shapes apart.
    pub fn told_apart_by(&self) -> Option<&'d str> {
        self.schema["discriminator"]["propertyName"].as_str()
    }

    fn word_of(&self, variant: &Value) -> Option<&'d str> {
        let reference = &variant["$ref"];
        let mut mapping = members(&self.schema["discriminator"]["mapping"]);
        let found = mapping.find(|(_, target)| *target == reference);
        found.map(|(word, _)| word.as_str())
    }
}

/// What an array is of, or an object of any names.
pub fn entries(schema: &Value) -> Option<&Value> {
    let of_names = schema
        .get("additionalProperties")
        .filter(|it| it.is_object());
    schema.get("items").or(of_names)
}

fn choices(schema: &Value) -> Option<&Vec<Value>> {
    ["oneOf", "anyOf"]
        .iter()
        .find_map(|word| schema[word].as_array())
}

fn own_members(schema: &Value) -> Vec<Member<'_>> {
    let required = schema["required"].as_array();
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|required| required == name));
    members(&schema["properties"])
        .map(|(name, schema)| Member {
            name,
            schema,
            is_required: is_required(name),
        })
        .collect()
}
