//! What a route reads from a request: nothing, a body, a query, or a page of a list.

use std::marker::PhantomData;

use lyceum_application::authoring::media::ReceivedFile;
use lyceum_application::{PageRequest, finding};
use lyceum_domain::Invalid;
use lyceum_domain::id::Identified;
use lyceum_domain::json::JsonObject;
use lyceum_wire::common::Command;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::document::schemas::{Components, Schemas, collect, drop_nulls};
use crate::edge::upload;
use crate::http::cursor;
use crate::http::error::Failure;
use crate::http::narrowing::{self, Tags, Untagged};
use crate::http::query::{FromQuery, Parameter, Query};

/// A request as inputs read it.
pub struct Raw<'a> {
    /// Whether the method is PATCH, where `null` clears.
    pub is_patch: bool,
    /// The body, `{}` when there is none.
    pub body: JsonObject,
    /// The file of a form.
    pub file: Option<ReceivedFile>,
    /// The query.
    pub query: Query,
    /// What tells this list from others; nothing where the input names no page.
    pub list: &'a str,
    /// The validators.
    pub schemas: &'a Schemas,
}

/// What was read, and which members of the body nobody knew.
pub type Read<T> = Result<(T, Vec<String>), Failure>;

/// How a body comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Intake {
    /// As JSON.
    #[default]
    Json,
    /// As JSON, or in headers that say the same.
    Announced,
    /// As a form of texts and a file, which may be large.
    Form,
    /// As bytes of a file, which are taken in as the handler wants them.
    Bytes,
    /// As JSON, or as the fields of a form (`application/x-www-form-urlencoded`).
    Fields,
    /// As JSON, about a file that is there and that the handler works on.
    Work,
}

/// How an input is documented.
#[derive(Debug, Default)]
pub struct InputDoc {
    /// Component of the body, and whether a body must be sent.
    pub body: Option<(String, bool)>,
    /// How the body comes.
    pub intake: Intake,
    /// Whether the body names other things by their ids.
    pub refers: bool,
    /// Query parameters.
    pub parameters: Vec<Parameter>,
}

/// Something that a route reads.
pub trait Input: 'static {
    /// What it becomes.
    type Of: Clone + Send + 'static;
    /// Whether it names a page of a list.
    const IS_PAGED: bool = false;
    /// How its body comes.
    const INTAKE: Intake = Intake::Json;

    /// Reads it.
    fn read(raw: Raw<'_>) -> Read<Self::Of>;

    /// Documents it.
    fn describe(components: &mut Components) -> InputDoc;
}

/// No parameters; members of a body are ignored.
pub struct Nothing;

impl Input for Nothing {
    type Of = ();

    fn read(raw: Raw<'_>) -> Read<()> {
        raw.query.finish()?;
        Ok(((), raw.body.keys().cloned().collect()))
    }

    fn describe(_: &mut Components) -> InputDoc {
        InputDoc::default()
    }
}

/// No parameters either, of a request that has work to do on a file.
pub struct FileWork;

impl Input for FileWork {
    type Of = ();
    const INTAKE: Intake = Intake::Work;

    fn read(raw: Raw<'_>) -> Read<()> {
        Nothing::read(raw)
    }

    fn describe(components: &mut Components) -> InputDoc {
        Nothing::describe(components)
    }
}

/// A body that becomes a command.
pub struct Json<B>(PhantomData<B>);

impl<B: Command + DeserializeOwned + ToSchema + 'static> Input for Json<B> {
    type Of = B::Of;

    fn read(raw: Raw<'_>) -> Read<B::Of> {
        raw.query.finish()?;
        let body = if raw.is_patch {
            raw.body
        } else {
            drop_nulls(raw.body)
        };
        let body = Value::Object(body);
        let problems = raw.schemas.problems::<B>(&body)?;
        if !problems.is_empty() {
            return Err(lyceum_application::Error::Invalid(problems).into());
        }
        let mut ignored = Vec::new();
        let request: B = serde_ignored::deserialize(body, |path| ignored.push(dotted(&path)))
            .map_err(|error| Failure::InvalidJson(error.to_string()))?;
        let command = request.checked().map_err(lyceum_application::Error::from)?;
        Ok((command, ignored))
    }

    fn describe(components: &mut Components) -> InputDoc {
        let name = collect::<B>(components);
        let (required, refers) = match components.get(&name) {
            Some(RefOr::T(Schema::Object(object))) => (
                !object.required.is_empty(),
                object.properties.keys().any(|member| is_reference(member)),
            ),
            _ => (false, false),
        };
        InputDoc {
            body: Some((name, required)),
            refers,
            ..InputDoc::default()
        }
    }
}

/// A form with a file, whose texts become a command.
pub struct Uploaded<B>(PhantomData<B>);

impl<B: Command + DeserializeOwned + ToSchema + 'static> Input for Uploaded<B> {
    type Of = (B::Of, ReceivedFile);
    const INTAKE: Intake = Intake::Form;

    fn read(mut raw: Raw<'_>) -> Read<Self::Of> {
        let file = raw.file.take();
        let file = file.ok_or_else(|| Invalid::missing(upload::FILE))?;
        raw.body.remove(upload::FILE);
        let (of, ignored) = Json::<B>::read(raw)?;
        Ok(((of, file), ignored))
    }

    fn describe(components: &mut Components) -> InputDoc {
        InputDoc {
            intake: Intake::Form,
            ..Json::<B>::describe(components)
        }
    }
}

/// A body that becomes a command, of which headers may say the same.
pub struct Announced<B>(PhantomData<B>);

impl<B: Command + DeserializeOwned + ToSchema + 'static> Input for Announced<B> {
    type Of = B::Of;
    const INTAKE: Intake = Intake::Announced;

    fn read(raw: Raw<'_>) -> Read<B::Of> {
        Json::<B>::read(raw)
    }

    fn describe(components: &mut Components) -> InputDoc {
        InputDoc {
            intake: Intake::Announced,
            ..Json::<B>::describe(components)
        }
    }
}

/// A body that becomes a command, which may come as the fields of a form: what others' protocols say it is.
pub struct Fields<B>(PhantomData<B>);

impl<B: Command + DeserializeOwned + ToSchema + 'static> Input for Fields<B> {
    type Of = B::Of;
    const INTAKE: Intake = Intake::Fields;

    fn read(raw: Raw<'_>) -> Read<B::Of> {
        Json::<B>::read(raw)
    }

    fn describe(components: &mut Components) -> InputDoc {
        InputDoc {
            intake: Intake::Fields,
            ..Json::<B>::describe(components)
        }
    }
}

/// Bytes of a file, which the handler takes in itself.
pub struct FileBytes;

impl Input for FileBytes {
    type Of = ();
    const INTAKE: Intake = Intake::Bytes;

    fn read(raw: Raw<'_>) -> Read<()> {
        raw.query.finish()?;
        Ok(((), Vec::new()))
    }

    fn describe(_: &mut Components) -> InputDoc {
        InputDoc {
            intake: Intake::Bytes,
            ..InputDoc::default()
        }
    }
}

/// Whether a member holds the id of another thing of ours.
fn is_reference(member: &str) -> bool {
    member.ends_with("_id") && !["external_id", "client_id"].contains(&member)
}

/// The path of an ignored member; serde marks each optional member on the way with a `?`.
fn dotted(path: &serde_ignored::Path<'_>) -> String {
    path.to_string()
        .split('.')
        .filter(|part| *part != "?")
        .collect::<Vec<_>>()
        .join(".")
}

/// Parameters of the query.
pub struct Params<F>(PhantomData<F>);

impl<F: FromQuery> Input for Params<F> {
    type Of = F;

    fn read(mut raw: Raw<'_>) -> Read<F> {
        let read = F::read(&mut raw.query)?;
        raw.query.finish()?;
        Ok((read, Vec::new()))
    }

    fn describe(_: &mut Components) -> InputDoc {
        InputDoc {
            parameters: F::PARAMETERS.to_vec(),
            ..InputDoc::default()
        }
    }
}

/// Filters and a page of a list of `K`s, which are [`Tagged`](crate::http::narrowing::Tagged) with metadata or not.
pub struct Listing<K, F, T = Untagged>(PhantomData<(K, F, T)>);

/// What every list takes.
pub const PAGE_PARAMETERS: [Parameter; 2] = [
    Parameter::new("limit", "How many at most: 1 to 100, 20 when absent."),
    Parameter::new(
        "startingAfter",
        "The `next_cursor` of the page before, or the id of its last thing.",
    ),
];

/// In which order a list is.
const SORT: Parameter = Parameter::new(
    "sort",
    "The order, `-` for the greatest first; what is alike in it goes by id. As it comes, newest first, or by position.",
);

impl<K: Identified + 'static, F: FromQuery, T: Tags> Input for Listing<K, F, T> {
    type Of = (F, PageRequest);
    const IS_PAGED: bool = true;

    fn read(mut raw: Raw<'_>) -> Read<(F, PageRequest)> {
        let finding = finding::of(K::OBJECT);
        let mut narrowed = narrowing::read::<T>(&mut raw.query)?;
        if finding.searched.is_some() {
            narrowed.text = raw.query.text("q")?;
        }
        let page = PageRequest {
            narrowed,
            ..cursor::page(&mut raw.query, raw.list, K::PREFIX, finding.sorts)?
        };
        let filter = F::read(&mut raw.query)?;
        raw.query.finish()?;
        Ok(((filter, page), Vec::new()))
    }

    fn describe(_: &mut Components) -> InputDoc {
        let finding = finding::of(K::OBJECT);
        let parameters = PAGE_PARAMETERS
            .into_iter()
            .chain(F::PARAMETERS.iter().copied())
            .chain(finding.searched.map(|what| Parameter::new("q", what)))
            .chain([SORT.one_of(finding.sorts)])
            .chain(narrowing::CREATED)
            .chain(T::METADATA.then_some(narrowing::METADATA));
        InputDoc {
            parameters: parameters.collect(),
            ..InputDoc::default()
        }
    }
}

impl FromQuery for () {
    const PARAMETERS: &'static [Parameter] = &[];

    fn read(_: &mut Query) -> Result<Self, Failure> {
        Ok(())
    }
}
