//! Schemas on a page: members with types, words and limits, and what is inside of them to be opened.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use lyceum_pages::escaped;
use serde_json::Value;

use crate::document::Document;
use crate::shapes::{Member, Shape, Variant, entries};
use crate::words::{link, prose};

/// Most members that a page shows of one schema and what is inside of it; the rest has pages of its own.
const MOST_MEMBERS: usize = 140;
/// How deep one is shown within another.
const DEEPEST: usize = 4;
/// So many shapes are opened where they stand; of more there are links.
const MOST_VARIANTS: usize = 10;
/// So many words are listed; more of them are to be opened.
const MOST_WORDS: usize = 12;

/// A page's schemas: each is shown once.
pub struct Drawing<'d> {
    document: &'d Document,
    shown: BTreeSet<&'d str>,
    left: usize,
}

impl<'d> Drawing<'d> {
    pub fn of(document: &'d Document) -> Self {
        Self {
            document,
            shown: BTreeSet::new(),
            left: MOST_MEMBERS,
        }
    }

    /// Type, words and insides of a schema.
    pub fn whole(&mut self, schema: &'d Value) -> String {
        self.left = MOST_MEMBERS;
        let shape = Shape::of(self.document, schema);
        let kind = kind(self.document, &shape);
        let mut html = format!("<p class=\"kind\">{kind}</p>\n");
        if !shape.description.is_empty() {
            let _ = writeln!(html, "<p>{}</p>", prose(shape.description));
        }
        html.push_str(&limits(self.document, &shape));
        html.push_str(&self.inside(shape, 0));
        html
    }

    /// What is inside of a shape, in the open.
    pub fn inside(&mut self, shape: Shape<'d>, depth: usize) -> String {
        if let Some(name) = shape.name {
            self.shown.insert(name);
        }
        let variants = shape.variants();
        if !variants.is_empty() {
            return self.variants(&shape, &variants, depth);
        }
        let members = shape.members(self.document);
        if !members.is_empty() {
            return self.members(&members, depth);
        }
        match entries(shape.schema) {
            Some(of) => {
                let of = Shape::of(self.document, of);
                if self.is_known(&of) {
                    String::new()
                } else {
                    self.inside(of, depth)
                }
            }
            None => String::new(),
        }
    }

    fn members(&mut self, members: &[Member<'d>], depth: usize) -> String {
        self.left = self.left.saturating_sub(members.len());
        let rows: String = members.iter().map(|it| self.member(it, depth)).collect();
        format!("<ul class=\"members\">\n{rows}</ul>\n")
    }

    fn member(&mut self, member: &Member<'d>, depth: usize) -> String {
        let shape = Shape::of(self.document, member.schema);
        let must = if member.is_required {
            " <span class=\"must\">required</span>"
        } else {
            ""
        };
        let name = escaped(member.name);
        let kind = kind(self.document, &shape);
        let mut html = format!(
            "<li><code class=\"name\">{name}</code> <span class=\"kind\">{kind}</span>{must}\n"
        );
        if !shape.description.is_empty() {
            let _ = writeln!(html, "<p>{}</p>", prose(shape.description));
        }
        html.push_str(&limits(self.document, &shape));
        html.push_str(&self.folded(shape, depth + 1));
        html.push_str("</li>\n");
        html
    }

    /// What is inside of a shape, to be opened; nothing where it is on the page already, or too deep: its name leads to it.
    fn folded(&mut self, shape: Shape<'d>, depth: usize) -> String {
        if depth >= DEEPEST || self.left == 0 || self.is_known(&shape) {
            return String::new();
        }
        let inside = self.inside(shape, depth);
        if inside.is_empty() {
            return inside;
        }
        format!("<details><summary>What is in it</summary>\n{inside}</details>\n")
    }

    fn is_known(&self, shape: &Shape<'d>) -> bool {
        let of = entries(shape.schema).map(|of| Shape::of(self.document, of));
        let names = [shape.name, of.and_then(|of| of.name)];
        names.iter().flatten().any(|name| self.shown.contains(name))
    }

    fn variants(&mut self, shape: &Shape<'d>, variants: &[Variant<'d>], depth: usize) -> String {
        let said = match shape.told_apart_by() {
            Some(member) => format!(
                "One of these, told apart by <code>{}</code>:",
                escaped(member)
            ),
            None => "One of these:".to_owned(),
        };
        let are_opened = variants.len() <= MOST_VARIANTS;
        let rows: String = variants
            .iter()
            .map(|variant| self.variant(variant, are_opened, depth))
            .collect();
        format!("<p class=\"oneof\">{said}</p>\n<ul class=\"members\">\n{rows}</ul>\n")
    }

    fn variant(&mut self, variant: &Variant<'d>, is_opened: bool, depth: usize) -> String {
        let shape = Shape::of(self.document, variant.schema);
        let word = variant
            .word
            .map(|word| format!("<code class=\"name\">{}</code> ", escaped(word)));
        let (word, kind) = (word.unwrap_or_default(), kind(self.document, &shape));
        let inside = if is_opened {
            self.folded(shape, depth + 1)
        } else {
            String::new()
        };
        let said = prose(shape.description);
        let said = if said.is_empty() {
            said
        } else {
            format!("<p>{said}</p>\n")
        };
        format!("<li>{word}<span class=\"kind\">{kind}</span>\n{said}{inside}</li>\n")
    }
}

/// The type of a shape, in words.
pub fn kind(document: &Document, shape: &Shape<'_>) -> String {
    let word = of_what(document, shape);
    if shape.is_nullable {
        format!("{word} or null")
    } else {
        word
    }
}

fn of_what(document: &Document, shape: &Shape<'_>) -> String {
    let schema = shape.schema;
    let has_insides = schema["properties"].is_object() || !shape.variants().is_empty();
    if let (Some(name), true) = (shape.name, has_insides) {
        return link(name, &escaped(name));
    }
    let inner = entries(schema).map(|of| kind(document, &Shape::of(document, of)));
    match (shape.kind(), inner) {
        ("array", Some(inner)) => format!("list of {inner}"),
        ("object", Some(inner)) => format!("object of {inner}, by name"),
        ("", _) if !shape.variants().is_empty() => "one of several".to_owned(),
        ("", _) if schema["allOf"].is_array() => "object".to_owned(),
        ("", _) => "anything".to_owned(),
        (word, _) => match schema["format"].as_str() {
            Some(format) if !format.starts_with("int") && format != "double" => {
                format!("{} ({})", escaped(word), escaped(format))
            }
            _ => escaped(word),
        },
    }
}

/// What a value must keep to.
pub fn limits(document: &Document, shape: &Shape<'_>) -> String {
    let mut said = Vec::new();
    let schema = shape.schema;
    said.extend(range(schema, ["minLength", "maxLength"], " characters"));
    said.extend(range(schema, ["minimum", "maximum"], ""));
    said.extend(range(schema, ["minItems", "maxItems"], " entries"));
    said.extend(range(
        schema,
        ["minProperties", "maxProperties"],
        " members",
    ));
    if let Some(places) = schema["x-decimals"].as_u64() {
        said.push(format!("at most {places} decimals"));
    }
    for (key, words) in [
        ("pattern", "matches "),
        ("default", "when absent "),
        ("example", "such as "),
    ] {
        if let Some(value) = schema.get(key) {
            said.push(format!("{words}<code>{}</code>", escaped(&plain(value))));
        }
    }
    let said = said.join(" · ");
    let mut html = if said.is_empty() {
        said
    } else {
        format!("<p class=\"limits\">{said}</p>\n")
    };
    html.push_str(&words(schema));
    if let Some(of) = schema.get("items") {
        let of = Shape::of(document, of);
        html.push_str(&words(of.schema));
    }
    html
}

/// A value as it is written where there are no quotes around texts.
pub fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn range(schema: &Value, [least, most]: [&str; 2], unit: &str) -> Option<String> {
    match (schema.get(least), schema.get(most)) {
        (Some(least), Some(most)) => Some(format!("{least} to {most}{unit}")),
        (Some(least), None) if *least == 1 && !unit.is_empty() => Some("not empty".to_owned()),
        (Some(least), None) => Some(format!("at least {least}{unit}")),
        (None, Some(most)) => Some(format!("at most {most}{unit}")),
        (None, None) => None,
    }
}

/// The words that a value is one of.
fn words(schema: &Value) -> String {
    let Some(words) = schema["enum"].as_array() else {
        return String::new();
    };
    let list: Vec<String> = words
        .iter()
        .map(|word| format!("<code>{}</code>", escaped(&plain(word))))
        .collect();
    let list = list.join(", ");
    if words.len() <= MOST_WORDS {
        return format!("<p class=\"limits\">One of {list}</p>\n");
    }
    format!(
        "<details class=\"words\"><summary>One of {} words</summary><p class=\"limits\">{list}</p></details>\n",
        words.len()
    )
}
