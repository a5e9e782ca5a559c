//! What is found in the reference: operations, messages and schemas, by the words in them.

use std::cmp::Reverse;

use lyceum_pages::folded_words;

use crate::document::{Document, Operation};
use crate::shapes::{Shape, entries};

/// Most characters of a question.
pub const MOST_CHARACTERS: usize = 200;
/// Most that is shown.
pub const MOST_SHOWN: usize = 40;

pub struct Index {
    entries: Vec<Entry>,
}

/// What has a page: the words that name it, and those said of it. Each has a blank before it, so that it is found by its beginning.
struct Entry {
    name: String,
    is_schema: bool,
    naming: String,
    said: String,
}

pub struct Findings<'i> {
    pub total: usize,
    /// Names of pages, the best first.
    pub shown: Vec<&'i str>,
}

/// Compared from the first to the last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_named: bool,
    is_asked_for: bool,
    often: usize,
}

impl Index {
    pub fn of(document: &Document) -> Self {
        let operations = document
            .operations()
            .into_iter()
            .map(|it| Entry::of(document, it));
        let schemas = document
            .schemas()
            .map(|name| Entry::of_schema(document, name));
        Self {
            entries: operations.chain(schemas).collect(),
        }
    }

    /// What has all words: what they name before what they are said of, operations before schemas.
    pub fn find(&self, question: &str) -> Findings<'_> {
        let folded = folded_words(question);
        let words: Vec<String> = folded
            .split_whitespace()
            .map(|it| format!(" {it}"))
            .collect();
        let ranked = |entry| Some((Entry::rank(entry, &words)?, entry));
        let mut found: Vec<(Rank, &Entry)> = self.entries.iter().filter_map(ranked).collect();
        if words.is_empty() {
            found.clear();
        }
        found.sort_by(|(one, _), (other, _)| Reverse(one).cmp(&Reverse(other)));
        let shown = found
            .iter()
            .take(MOST_SHOWN)
            .map(|(_, entry)| entry.name.as_str());
        Findings {
            total: found.len(),
            shown: shown.collect(),
        }
    }
}

impl Entry {
    fn of(document: &Document, operation: Operation<'_>) -> Self {
        let naming = [
            operation.summary(),
            operation.path,
            operation.id,
            operation.group(),
        ];
        let mut said = vec![operation.description().to_owned(), apart(operation.id)];
        for parameter in document.parameters(operation) {
            said.extend([parameter.name.to_owned(), parameter.description.to_owned()]);
        }
        let answers = document.answers(operation);
        let good = answers
            .iter()
            .filter(|answer| answer.status.starts_with('2'));
        let answered = good.flat_map(|answer| &answer.contents);
        for content in operation.bodies().iter().chain(answered) {
            said.push(members_of(document, content.schema));
        }
        Self::folded(operation.id, false, &naming.join(" "), &said.join(" "))
    }

    fn of_schema(document: &Document, name: &str) -> Self {
        let schema = document.schema(name).unwrap_or(&serde_json::Value::Null);
        let description = Shape::of(document, schema).description;
        let said = format!("{description} {}", members_of(document, schema));
        Self::folded(name, true, &format!("{name} {}", apart(name)), &said)
    }

    fn folded(name: &str, is_schema: bool, naming: &str, said: &str) -> Self {
        Self {
            name: name.to_owned(),
            is_schema,
            naming: folded_words(naming),
            said: folded_words(said),
        }
    }

    /// How well it suits, where it has all words.
    fn rank(&self, words: &[String]) -> Option<Rank> {
        let mut often = 0;
        for word in words {
            let times = self.naming.matches(word).count() + self.said.matches(word).count();
            if times == 0 {
                return None;
            }
            often += times;
        }
        Some(Rank {
            is_named: words.iter().all(|word| self.naming.contains(word)),
            is_asked_for: !self.is_schema,
            often,
        })
    }
}

/// Names of the members of a schema, and of what it is a list of.
fn members_of(document: &Document, schema: &serde_json::Value) -> String {
    let shape = Shape::of(document, schema);
    let mut names: Vec<&str> = shape.members(document).iter().map(|it| it.name).collect();
    let list = shape.members(document);
    let lists = list.iter().filter_map(|member| entries(member.schema));
    let lists = lists.chain(entries(shape.schema));
    let inner = lists.flat_map(|of| Shape::of(document, of).members(document));
    names.extend(inner.map(|member| member.name));
    names.join(" ")
}

/// The words of a name that is written as one: `listCourses` is “list Courses”.
fn apart(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_uppercase() {
            words.push(' ');
        }
        words.push(c);
    }
    words
}
