//! The reference of the API, for whoever builds on it: every operation of the OpenAPI document on a page of its own, with samples in
//! four languages and a form that tries it. It is made of the document alone and knows nothing else of the service.
//!
//! All of it is read without a script; one of its own copies samples, keeps the language that was chosen, and sends what is tried.

#![allow(
    clippy::indexing_slicing,
    reason = "JSON alone is indexed here, and a member that it does not have is null"
)]

mod contents;
mod document;
mod frame;
mod operation;
mod samples;
mod schemas;
mod searching;
mod shapes;
mod trying;
mod words;

use actix_web::http::StatusCode;
use actix_web::web;
use actix_web::{HttpRequest, HttpResponse};
use lyceum_pages::{found, guarded};
use serde_json::Value;

use document::Document;
use frame::Beside;
use samples::{LANGUAGES, Request};
use searching::{Index, MOST_CHARACTERS};

/// Where it is reached.
const PLACE: &str = "/docs";
/// The page of what the service sends by itself.
const MESSAGES: &str = "webhooks";

const STYLE: &str = include_str!("../assets/reference.css");
const SCRIPT: &str = include_str!("../assets/reference.js");
const HTML: &str = "text/html; charset=utf-8";

/// What browsers may do with these pages: show them, run their one script, and ask this service. Nothing is inline, and nobody
/// frames them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

pub struct Reference {
    document: Document,
    index: Index,
}

/// What a program writes to ask for an operation.
pub struct Sample {
    pub operation: String,
    /// `curl`, `typescript`, `python` or `rust`.
    pub language: &'static str,
    pub code: String,
}

impl Reference {
    /// Of an OpenAPI document.
    pub fn of(document: Value) -> Self {
        let document = Document::of(document);
        let index = Index::of(&document);
        Self { document, index }
    }

    /// The contents, or what was found where something is looked for.
    pub fn start(&self, request: &HttpRequest) -> HttpResponse {
        let beside = beside(request);
        let question = question(request.query_string());
        let html = match question.trim() {
            "" => contents::start(&self.document, beside),
            long if long.chars().count() > MOST_CHARACTERS => {
                return unasked(StatusCode::BAD_REQUEST, contents::too_long(beside));
            }
            question => {
                let found = self.index.find(question);
                contents::findings(&self.document, beside, question, &found)
            }
        };
        found(request, POLICY, HTML, html)
    }

    /// A page by its name, the style sheet, the script; None where there is nothing of this name.
    pub fn page(&self, request: &HttpRequest, name: &str) -> Option<HttpResponse> {
        let (kind, body) = match name {
            "reference.css" => (
                "text/css; charset=utf-8",
                format!("{}{STYLE}", lyceum_pages::STYLE),
            ),
            "reference.js" => ("text/javascript; charset=utf-8", SCRIPT.to_owned()),
            _ => (HTML, self.html(beside(request), name)?),
        };
        Some(found(request, POLICY, kind, body))
    }

    /// The names of all pages.
    pub fn pages(&self) -> Vec<String> {
        let document = &self.document;
        let groups = document.groups().chain([MESSAGES]);
        let operations = document.operations().into_iter().map(|it| it.id);
        let names = groups.chain(operations).chain(document.schemas());
        names.map(str::to_owned).collect()
    }

    /// What is to be written in each language, for each operation that it can be written for.
    pub fn samples(&self) -> Vec<Sample> {
        let operations = self.document.operations();
        let asked = operations.iter().filter(|operation| !operation.is_message);
        let samples = asked.flat_map(|operation| {
            let request = Request::of(&self.document, *operation);
            LANGUAGES.iter().filter_map(move |language| {
                Some(Sample {
                    operation: operation.id.to_owned(),
                    language: language.word,
                    code: (language.write)(&request)?,
                })
            })
        });
        samples.collect()
    }

    fn html(&self, beside: Beside, name: &str) -> Option<String> {
        let document = &self.document;
        if name == MESSAGES {
            return Some(contents::messages(document, beside));
        }
        if document.groups().any(|group| group == name) {
            return Some(contents::group(document, beside, name));
        }
        if let Some(found) = document.operation(name) {
            return Some(if found.is_message {
                operation::message(document, beside, found)
            } else {
                operation::operation(document, beside, found)
            });
        }
        let schema = document.schema(name)?;
        Some(operation::schema(document, beside, name, schema))
    }
}

/// What is mounted in the same program.
fn beside(request: &HttpRequest) -> Beside {
    let is_mounted = |path: &str| {
        let pattern = request.resource_map().match_pattern(path);
        pattern.is_some_and(|pattern| pattern == path)
    };
    Beside {
        has_studio: is_mounted("/studio"),
        has_handbook: is_mounted("/docs/guides"),
    }
}

/// What is looked for; the first, where somebody asks twice.
fn question(query: &str) -> String {
    let pairs = web::Query::<Vec<(String, String)>>::from_query(query);
    let pairs = pairs.map(web::Query::into_inner).unwrap_or_default();
    let question = pairs.into_iter().find(|(name, _)| name == "q");
    question.map(|(_, value)| value).unwrap_or_default()
}

/// A page in place of the one that was asked for.
fn unasked(status: StatusCode, html: String) -> HttpResponse {
    guarded(HttpResponse::build(status), POLICY)
        .content_type(HTML)
        .body(html)
}

#[cfg(test)]
mod tests;
