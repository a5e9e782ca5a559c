//! How an answer looks: its status, its body, where the thing is.

use std::marker::PhantomData;

use lyceum_application::running::idempotency::{Answer, Reply};
use lyceum_application::{Error, Page};
use lyceum_wire::common::Resource;
use lyceum_wire::lists::List;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::addresses::VERSION;
use crate::document::schemas::{Components, collect};
use crate::http::error::Failure;

/// An answer of a kind, ready to be sent.
pub struct Done<A> {
    /// The reply, and whether it was remembered.
    pub answer: Answer,
    /// Members of the body that nobody knew.
    pub ignored: Vec<String>,
    /// What whoever asked for this should know of it, in a word.
    pub notice: Option<&'static str>,
    /// A member that is shown with the thing and is no part of it, nor of its tag: who changes it next names the tag that
    /// everybody reads.
    pub beside: Option<(&'static str, Value)>,
    kind: PhantomData<A>,
}

impl<A> Done<A> {
    /// Of an answer.
    pub const fn new(answer: Answer, ignored: Vec<String>) -> Self {
        Self {
            answer,
            ignored,
            notice: None,
            beside: None,
            kind: PhantomData,
        }
    }

    /// The same, with something to know beside it.
    #[must_use]
    pub fn noticed(self, notice: Option<&'static str>) -> Self {
        Self { notice, ..self }
    }

    /// The same, said to be of another kind: `()` for whoever only sends it.
    pub fn of_kind<B>(self) -> Done<B> {
        Done {
            answer: self.answer,
            ignored: self.ignored,
            notice: self.notice,
            beside: self.beside,
            kind: PhantomData,
        }
    }
}

/// What a handler returns.
pub type Outcome<A> = Result<Done<A>, Failure>;

/// How an answer is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// At once.
    Whole,
    /// At once, and it says where to poll.
    Polled,
    /// At once and whole, or it says where to poll.
    PerhapsPolled,
    /// At once, or as a stream of events to who accepts that: what it says in pieces, then all of it.
    Spoken,
    /// At once, and headers tell how an upload stands.
    Resumed,
    /// At once, and a cookie goes with it that holds the session which has begun.
    SignedIn,
    /// At once, and the browser is to forget its session.
    SignedOut,
    /// At once, and a cookie goes with it by which the browser is known again that asked for a link.
    Asked,
    /// As a stream of events that tells the thing, and then every change of it, until it is no longer `pending`.
    Followed,
}

/// A kind of answer.
pub trait AnswerKind: 'static {
    /// What the use case returns.
    type Of: Send + 'static;
    /// The status.
    const STATUS: u16;
    /// How it is given.
    const MANNER: Manner = Manner::Whole;

    /// Renders it; `list` tells this list from others.
    ///
    /// # Errors
    /// [`Error::Internal`] if it cannot be written as JSON.
    fn reply(of: &Self::Of, list: &str) -> Result<Reply, Error>;

    /// The component that documents its body.
    fn describe(components: &mut Components) -> String;

    /// The collection that the answer is a member of, if it is one with an address of its own.
    fn resource() -> Option<&'static str> {
        None
    }
}

fn body<V: Serialize>(view: &V) -> Result<String, Error> {
    serde_json::to_string(view).map_err(|error| Error::Internal(error.into()))
}

/// 201 and where it is.
pub struct Created<V>(PhantomData<V>);

impl<V: Serialize + Resource + ToSchema + Send + 'static> AnswerKind for Created<V> {
    type Of = V;
    const STATUS: u16 = 201;

    fn reply(view: &V, _: &str) -> Result<Reply, Error> {
        Ok(Reply {
            status: 201,
            location: Some(format!("{VERSION}{}", view.path())),
            body: body(view)?,
        })
    }

    fn describe(components: &mut Components) -> String {
        collect::<V>(components)
    }

    fn resource() -> Option<&'static str> {
        Some(V::COLLECTION)
    }
}

/// 202 and where to poll.
pub struct Accepted<V>(PhantomData<V>);

impl<V: Serialize + Resource + ToSchema + Send + 'static> AnswerKind for Accepted<V> {
    type Of = V;
    const STATUS: u16 = 202;
    const MANNER: Manner = Manner::Polled;

    fn reply(view: &V, _: &str) -> Result<Reply, Error> {
        Ok(Reply {
            status: 202,
            location: Some(format!("{VERSION}{}", view.path())),
            body: body(view)?,
        })
    }

    fn describe(components: &mut Components) -> String {
        collect::<V>(components)
    }

    fn resource() -> Option<&'static str> {
        Some(V::COLLECTION)
    }
}

/// 200 and the thing.
pub struct Found<V>(PhantomData<V>);

impl<V: Serialize + ToSchema + Send + 'static> AnswerKind for Found<V> {
    type Of = V;
    const STATUS: u16 = 200;

    fn reply(view: &V, _: &str) -> Result<Reply, Error> {
        Ok(Reply {
            status: 200,
            location: None,
            body: body(view)?,
        })
    }

    fn describe(components: &mut Components) -> String {
        collect::<V>(components)
    }
}

/// The same answer about an upload, with headers that tell how it stands.
pub struct Resumable<A>(PhantomData<A>);

impl<A: AnswerKind> AnswerKind for Resumable<A> {
    type Of = A::Of;
    const STATUS: u16 = A::STATUS;
    const MANNER: Manner = Manner::Resumed;

    fn reply(of: &A::Of, list: &str) -> Result<Reply, Error> {
        A::reply(of, list)
    }

    fn describe(components: &mut Components) -> String {
        A::describe(components)
    }

    fn resource() -> Option<&'static str> {
        A::resource()
    }
}

/// 204 about an upload, by headers alone. The body of the reply is what they are made of.
pub struct Silent<V>(PhantomData<V>);

impl<V: Serialize + ToSchema + Send + 'static> AnswerKind for Silent<V> {
    type Of = V;
    const STATUS: u16 = 204;
    const MANNER: Manner = Manner::Resumed;

    fn reply(view: &V, _: &str) -> Result<Reply, Error> {
        Ok(Reply {
            status: 204,
            location: None,
            body: body(view)?,
        })
    }

    fn describe(components: &mut Components) -> String {
        collect::<V>(components)
    }
}

/// 200 about a session that has begun, whose secret goes into the browser's cookie and into no body.
pub struct SignedIn<V>(PhantomData<V>);

impl<V: Serialize + ToSchema + Send + 'static> AnswerKind for SignedIn<V> {
    type Of = V;
    const STATUS: u16 = 200;
    const MANNER: Manner = Manner::SignedIn;

    fn reply(view: &V, list: &str) -> Result<Reply, Error> {
        Found::<V>::reply(view, list)
    }

    fn describe(components: &mut Components) -> String {
        collect::<V>(components)
    }
}

/// 200 about a session that was ended, which the browser is to forget.
pub struct SignedOut<V>(PhantomData<V>);

impl<V: Serialize + ToSchema + Send + 'static> AnswerKind for SignedOut<V> {
    type Of = V;
    const STATUS: u16 = 200;
    const MANNER: Manner = Manner::SignedOut;

    fn reply(view: &V, list: &str) -> Result<Reply, Error> {
        Found::<V>::reply(view, list)
    }

    fn describe(components: &mut Components) -> String {
        collect::<V>(components)
    }
}

/// 200 about a link that was asked for; what tells the browser again goes into its cookie and into no body.
pub struct Asked<V>(PhantomData<V>);

impl<V: Serialize + ToSchema + Send + 'static> AnswerKind for Asked<V> {
    type Of = V;
    const STATUS: u16 = 200;
    const MANNER: Manner = Manner::Asked;

    fn reply(view: &V, list: &str) -> Result<Reply, Error> {
        Found::<V>::reply(view, list)
    }

    fn describe(components: &mut Components) -> String {
        collect::<V>(components)
    }
}

/// 200 and something said, whole or piece by piece.
pub struct Spoken<V>(PhantomData<V>);

impl<V: Serialize + ToSchema + Send + 'static> AnswerKind for Spoken<V> {
    type Of = V;
    const STATUS: u16 = 200;
    const MANNER: Manner = Manner::Spoken;

    fn reply(view: &V, list: &str) -> Result<Reply, Error> {
        Found::<V>::reply(view, list)
    }

    fn describe(components: &mut Components) -> String {
        collect::<V>(components)
    }
}

/// 200 and a thing as it is, again after every change.
pub struct Followed<V>(PhantomData<V>);

impl<V: Serialize + ToSchema + Send + 'static> AnswerKind for Followed<V> {
    type Of = V;
    const STATUS: u16 = 200;
    const MANNER: Manner = Manner::Followed;

    fn reply(view: &V, list: &str) -> Result<Reply, Error> {
        Found::<V>::reply(view, list)
    }

    fn describe(components: &mut Components) -> String {
        collect::<V>(components)
    }
}

fn listed<'a, V>(page: &'a Page<V>, list: &str) -> List<&'a V> {
    List {
        object: "list".to_owned(),
        data: page.items.iter().collect(),
        has_more: page.next.is_some(),
        next_cursor: crate::http::cursor::next(list, page.next.as_ref()),
    }
}

/// 200 and a page.
pub struct Listed<V>(PhantomData<V>);

impl<V: Serialize + ToSchema + Send + 'static> AnswerKind for Listed<V> {
    type Of = Page<V>;
    const STATUS: u16 = 200;

    fn reply(page: &Page<V>, list: &str) -> Result<Reply, Error> {
        Ok(Reply {
            status: 200,
            location: None,
            body: body(&listed(page, list))?,
        })
    }

    // One list schema per kind, because a generic one is inlined into every client.
    fn describe(components: &mut Components) -> String {
        use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
        use utoipa::openapi::{Ref, RefOr, Schema};
        let item = collect::<V>(components);
        let name = format!("{}List", item.strip_suffix("View").unwrap_or(&item));
        let of = |kind: Type, description: &str| {
            let member = ObjectBuilder::new().schema_type(kind);
            member.description(Some(description)).build()
        };
        let schema = ObjectBuilder::new()
            .schema_type(Type::Object)
            .property(
                "object",
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .enum_values(Some(["list"])),
            )
            .required("object")
            .property(
                "data",
                ArrayBuilder::new().items(Ref::from_schema_name(&item)),
            )
            .required("data")
            .property(
                "has_more",
                of(Type::Boolean, "Whether there is another page."),
            )
            .required("has_more")
            .property(
                "next_cursor",
                of(Type::String, "Where it starts; `\"\"` on the last page."),
            )
            .required("next_cursor")
            .description(Some(format!("A page of {item}s.")))
            .build();
        components.insert(name.clone(), RefOr::T(Schema::Object(schema)));
        name
    }
}

/// 200 and a page, with what is said beside it.
pub struct ListedWith<V, H>(PhantomData<(V, H)>);

#[derive(Serialize)]
struct WithHead<L, H> {
    #[serde(flatten)]
    list: L,
    #[serde(flatten)]
    head: H,
}

impl<V, H> AnswerKind for ListedWith<V, H>
where
    V: Serialize + ToSchema + Send + 'static,
    H: Serialize + ToSchema + Send + 'static,
{
    type Of = (Page<V>, H);
    const STATUS: u16 = 200;

    fn reply((page, head): &(Page<V>, H), list: &str) -> Result<Reply, Error> {
        let list = listed(page, list);
        Ok(Reply {
            status: 200,
            location: None,
            body: body(&WithHead { list, head })?,
        })
    }

    // The list that every list is like, and what stands beside it.
    fn describe(components: &mut Components) -> String {
        use utoipa::openapi::{RefOr, Schema};
        let name = Listed::<V>::describe(components);
        let head = collect::<H>(components);
        let head = components.remove(&head);
        let list = components.get_mut(&name);
        if let (Some(RefOr::T(Schema::Object(head))), Some(RefOr::T(Schema::Object(list)))) =
            (head, list)
        {
            list.required.extend(head.required);
            list.properties.extend(head.properties);
        }
        name
    }
}

/// 200 and the id of what is gone.
pub struct Deleted;

impl AnswerKind for Deleted {
    type Of = String;
    const STATUS: u16 = 200;

    fn reply(id: &String, _: &str) -> Result<Reply, Error> {
        let body = json!({ "deleted": true, "id": id }).to_string();
        Ok(Reply {
            status: 200,
            location: None,
            body,
        })
    }

    fn describe(components: &mut Components) -> String {
        collect::<lyceum_wire::deleted::Deleted>(components)
    }
}
