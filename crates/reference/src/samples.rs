//! What a program writes to ask for an operation, in four languages, made of the document: what it shows as an example is what
//! the samples send.

mod curl;
mod literals;
mod python;
mod rust;
mod typescript;

use serde_json::Value;

use crate::document::{Content, Document, Operation, Parameter, Within};
use literals::{completed, placeholder};

/// A language: its word in addresses and storage, its name, and what has to be said once.
pub struct Language {
    pub word: &'static str,
    pub name: &'static str,
    pub setup: &'static str,
    pub write: fn(&Request<'_>) -> Option<String>,
}

pub const LANGUAGES: [Language; 4] = [
    Language {
        word: "curl",
        name: "curl",
        setup: curl::SETUP,
        write: |request| Some(curl::sample(request)),
    },
    Language {
        word: "typescript",
        name: "TypeScript",
        setup: typescript::SETUP,
        write: |request| Some(typescript::sample(request)),
    },
    Language {
        word: "python",
        name: "Python",
        setup: python::SETUP,
        write: |request| Some(python::sample(request)),
    },
    Language {
        word: "rust",
        name: "Rust",
        setup: rust::SETUP,
        write: rust::sample,
    },
];

/// A request as a sample sends it.
pub struct Request<'d> {
    pub operation: Operation<'d>,
    /// Values for what stands in braces in the path, in its order.
    pub places: Vec<(&'d str, String)>,
    /// What has to be said behind `?`, and how long a page of a list is.
    pub query: Vec<(&'d str, Value)>,
    /// What has to be said in headers.
    pub headers: Vec<(&'d str, Value)>,
    pub body: Option<Sent>,
    /// The kind of what is answered.
    pub answered: Option<&'d str>,
}

/// What a sample sends along.
pub enum Sent {
    Json {
        kind: String,
        value: Value,
        /// With all that has a default.
        whole: Value,
    },
    /// A form with a file and what is said of it.
    Form,
    /// The bytes of a file.
    Bytes { kind: String },
}

impl<'d> Request<'d> {
    pub fn of(document: &'d Document, operation: Operation<'d>) -> Self {
        let parameters = document.parameters(operation);
        let within = |within| parameters.iter().filter(move |it| it.within == within);
        let is_said =
            |parameter: &&Parameter<'_>| parameter.is_required || parameter.name == "limit";
        let said = |parameter: &Parameter<'d>| (parameter.name, value_of(document, parameter));
        let places = within(Within::Path).map(|parameter| {
            let value = value_of(document, parameter);
            (parameter.name, crate::schemas::plain(&value))
        });
        Self {
            operation,
            places: places.collect(),
            query: within(Within::Query).filter(is_said).map(said).collect(),
            headers: within(Within::Header)
                .filter(|parameter| parameter.is_required || parameter.name == "Tus-Resumable")
                .map(said)
                .collect(),
            body: sent(document, operation),
            answered: answered(document, operation),
        }
    }

    /// The path, with values where braces stand.
    pub fn path(&self) -> String {
        let mut path = self.operation.path.to_owned();
        for (name, value) in &self.places {
            path = path.replace(&format!("{{{name}}}"), value);
        }
        path
    }

    /// Whether a key goes along, and a platform.
    pub fn says_who(&self) -> [bool; 2] {
        let operation = &self.operation;
        [!operation.is_open(), operation.is_on_a_platform()]
    }

    /// Whether the answer is read piece by piece.
    pub fn is_followed(&self) -> bool {
        self.answered == Some("text/event-stream")
    }

    pub fn answers_json(&self) -> bool {
        self.answered.is_some_and(|kind| kind.ends_with("json"))
    }
}

fn value_of(document: &Document, parameter: &Parameter<'_>) -> Value {
    let example = parameter.example.cloned();
    example.unwrap_or_else(|| placeholder(document, parameter.name, parameter.schema))
}

fn sent(document: &Document, operation: Operation<'_>) -> Option<Sent> {
    let content: Content<'_> = operation.bodies().into_iter().next()?;
    let kind = content.kind.to_owned();
    if content.kind.starts_with("multipart/") {
        return Some(Sent::Form);
    }
    if !content.is_json() {
        return Some(Sent::Bytes { kind });
    }
    let is_needed = operation.is_body_required();
    let made = || is_needed.then(|| placeholder(document, "body", content.schema));
    let value = content.example.cloned().or_else(made)?;
    let whole = completed(document, content.schema, &value);
    Some(Sent::Json { kind, value, whole })
}

fn answered<'d>(document: &'d Document, operation: Operation<'d>) -> Option<&'d str> {
    let answers = document.answers(operation);
    let good = answers
        .iter()
        .find(|answer| answer.status.starts_with('2'))?;
    good.contents.first().map(|content| content.kind)
}
