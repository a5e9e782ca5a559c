//! The way in: every request of every route goes through here, in this order.
//!
//! key → platform → rate limit → scope and role → media type and size → JSON → idempotency → validation → handler. The
//! route and its method were found before; what happens after is the use case's.

pub mod rows;

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::BoxBody;
use actix_web::http::{Method, StatusCode, header};
use actix_web::web::{BytesMut, Payload};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::{FutureExt, StreamExt};
use lyceum_application::app::{self, OpenView};
use lyceum_application::authoring::media::ReceivedFile;
use lyceum_application::context::Identity;
use lyceum_application::expand::Expansion;
use lyceum_application::running::idempotency::{IdempotencyKey, ReplyKey};
use lyceum_domain::ids::CohortId;
use lyceum_domain::json::JsonObject;
use lyceum_wire::common_ids::reference;

use crate::document::expandable::{READ_AS, expandable, is_read_as};
use crate::document::schemas::{Components, Schemas};
use crate::edge::access_log;
use crate::edge::admission;
use crate::edge::concurrency::Permit;
use crate::edge::cookies;
use crate::edge::policy::{Policy, REQUEST_DEADLINE};
use crate::edge::rate_limit::caller_of;
use crate::edge::tus::{self, Incoming};
use crate::edge::upload;
use crate::http::answer::{AnswerKind, Done, Manner, Outcome};
use crate::http::auth_scope::AuthScope;
use crate::http::call::{AdmittedRequest, Call, Path};
use crate::http::cursor::list_fingerprint;
use crate::http::error::{Failure, MOST_NAMED};
use crate::http::follow::{self, Following};
use crate::http::headers::{
    check_media_type, fingerprint, has_already, header_text, idempotency_key, is_strict,
    options_key,
};
use crate::http::input::{Input, Intake, Raw, Read};
use crate::http::json;
use crate::http::near;
use crate::http::query::Query;
use crate::http::response;
use crate::http::speech;
use crate::state::{Api, BodyPatience};

/// What a handler will have answered.
type Handled = Pin<Box<dyn Future<Output = Result<Done<()>, Failure>>>>;
/// A handler behind the types that only it knows: what it reads and what it answers. Everything before and after it is
/// compiled once per scope, not once per route.
pub type Handler<S> =
    dyn Fn(AdmittedRequest<S>, Result<Unread<'_>, Failure>) -> Handled + Send + Sync;

/// What is the same for every request of a route.
pub struct Entrance<S: AuthScope> {
    /// Whether the input names a page of a list.
    pub paged: bool,
    /// How the body comes.
    pub intake: Intake,
    /// How the answer is given.
    pub manner: Manner,
    /// What answers.
    pub handler: Box<Handler<S>>,
}

impl<S: AuthScope> Entrance<S> {
    /// To a handler.
    pub fn new<I, A, F>(handler: fn(Call<I, S>) -> F) -> Self
    where
        I: Input,
        A: AnswerKind,
        F: Future<Output = Outcome<A>> + 'static,
    {
        let handler =
            move |entry: AdmittedRequest<S>, unread: Result<Unread<'_>, Failure>| -> Handled {
                let input = unread.and_then(|unread| unread.read::<I>(&entry.list));
                let answering = handler(Call::new(entry, input));
                Box::pin(answering.map(|outcome| outcome.map(Done::of_kind)))
            };
        Self {
            paged: I::IS_PAGED,
            intake: I::INTAKE,
            manner: A::MANNER,
            handler: Box::new(handler),
        }
    }
}

/// What a request brought for its handler to read.
pub struct Unread<'a> {
    is_patch: bool,
    is_strict: bool,
    body: JsonObject,
    file: Option<ReceivedFile>,
    query: Query,
    schemas: &'a Schemas,
}

impl Unread<'_> {
    fn read<I: Input>(self, list: &str) -> Read<I::Of> {
        let (of, ignored) = I::read(Raw {
            is_patch: self.is_patch,
            body: self.body,
            file: self.file,
            query: self.query,
            list,
            schemas: self.schemas,
        })?;
        if self.is_strict && !ignored.is_empty() {
            return Err(Failure::UnknownFields(with_neighbours::<I>(ignored)));
        }
        Ok((of, ignored))
    }
}

/// Members that nobody knows, each with the nearest that is known.
fn with_neighbours<I: Input>(ignored: Vec<String>) -> Vec<(String, Option<String>)> {
    let mut components = Components::new();
    let body = I::describe(&mut components).body;
    let schemas = serde_json::to_value(&components).unwrap_or_default();
    let near = |member: &String| {
        let (component, _) = body.as_ref()?;
        near::member(member, component, &schemas)
    };
    let named = ignored.into_iter().take(MOST_NAMED);
    named
        .map(|member| (near(&member), member))
        .map(|(near, member)| (member, near))
        .collect()
}

/// A request of a route.
#[derive(Clone)]
pub struct Asking {
    /// The request.
    pub request: HttpRequest,
    /// Where it came.
    pub api: Arc<Api>,
    /// Its id.
    pub request_id: String,
    /// What its route asks.
    pub policy: Policy,
}

/// Answers a request.
pub async fn dispatch<S: AuthScope>(
    asking: Asking,
    payload: Payload,
    entrance: Arc<Entrance<S>>,
) -> HttpResponse {
    let answering = async {
        let answered = answer(&asking, payload, &entrance).await;
        answered.unwrap_or_else(|failure| response::failure(&failure, &asking.request_id))
    };
    guarded_for(asking.policy.deadline, answering, &asking.request_id).await
}

/// An answer whatever happens on the way to it: a panic must answer like any other fault, and a slow request
/// must end.
pub async fn guarded(
    answering: impl Future<Output = HttpResponse>,
    request_id: &str,
) -> HttpResponse {
    guarded_for(REQUEST_DEADLINE, answering, request_id).await
}

async fn guarded_for(
    deadline: Duration,
    answering: impl Future<Output = HttpResponse>,
    request_id: &str,
) -> HttpResponse {
    let answering = AssertUnwindSafe(answering).catch_unwind();
    match tokio::time::timeout(deadline, answering).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => response::failure(&Failure::Panicked, request_id),
        Err(_) => response::failure(&Failure::Timeout, request_id),
    }
}

async fn answer<S: AuthScope>(
    asking: &Asking,
    payload: Payload,
    entrance: &Arc<Entrance<S>>,
) -> Result<HttpResponse, Failure> {
    let request = &asking.request;
    let mut done = handle(asking, Some(payload), entrance).await?;
    let cookie = cookie(asking, entrance.manner, &mut done);
    if entrance.manner == Manner::Followed {
        let following = Following {
            api: Arc::clone(&asking.api),
            request_id: asking.request_id.clone(),
            deadline: asking.policy.deadline,
        };
        let (asking, entrance) = (asking.clone(), Arc::clone(entrance));
        let find = move || {
            let (asking, entrance) = (asking.clone(), Arc::clone(&entrance));
            async move { handle(&asking, None, &entrance).await }
        };
        return Ok(follow::answer(done, following, find));
    }
    let accept = || header_text(request, "accept").unwrap_or_default();
    if entrance.manner == Manner::Spoken && speech::is_wanted(&accept()) {
        return Ok(response::spoken(&done.answer, &done.ignored));
    }
    let tag = response::etag(&done.answer.reply.body);
    if has_already(request, &tag) {
        return Ok(response::unchanged(&tag));
    }
    let is_accepted = done.answer.reply.status == 202;
    let is_polled = entrance.manner == Manner::Polled
        || entrance.manner == Manner::PerhapsPolled && is_accepted;
    let body = told_in_headers(&done, entrance.manner);
    let answer = response::with_beside(done.answer, done.beside.as_ref());
    let mut answer = response::answer(answer, &tag, &done.ignored, is_polled);
    if let Some(notice) = done.notice {
        response::notice(&mut answer, notice);
    }
    if let Some(cookie) = cookie {
        response::keep(&mut answer, &cookie);
    }
    if entrance.manner == Manner::Resumed {
        return Ok(resumed(answer, &body));
    }
    Ok(answer)
}

/// What the browser is to keep, or to forget: taken out of the body, where no script is to read it.
fn cookie(asking: &Asking, manner: Manner, done: &mut Done<()>) -> Option<String> {
    let public_url = &asking.api.app.settings.public_url;
    let body = &mut done.answer.reply.body;
    match manner {
        Manner::SignedIn => {
            let secret = json::take_text(body, "cookie")?;
            cookies::kept(&asking.request, public_url, &secret)
        }
        Manner::Asked => {
            let held = json::take_text(body, "cookie")?;
            cookies::asked(&asking.request, public_url, &held)
        }
        Manner::SignedOut => cookies::forgotten(&asking.request, public_url),
        Manner::Whole
        | Manner::Polled
        | Manner::PerhapsPolled
        | Manner::Spoken
        | Manner::Resumed
        | Manner::Followed => None,
    }
}

/// What headers tell of an answer as well.
fn told_in_headers(done: &Done<()>, manner: Manner) -> String {
    if manner == Manner::Resumed {
        return done.answer.reply.body.clone();
    }
    String::new()
}

/// The answer with headers that say how an upload stands; by them alone, where it is to have no body.
fn resumed(mut answer: HttpResponse, body: &str) -> HttpResponse {
    tus::tell(&mut answer, body);
    if answer.status() == StatusCode::NO_CONTENT {
        answer.headers_mut().remove(header::CONTENT_TYPE);
        return answer.set_body(BoxBody::new(()));
    }
    answer
}

/// Lets the caller in and has the request answered; anew where a caller who was taken to be as they are remembered was
/// not, and then by the front door.
pub async fn handle<S: AuthScope>(
    asking: &Asking,
    mut payload: Option<Payload>,
    entrance: &Entrance<S>,
) -> Result<Done<()>, Failure> {
    let view = if S::NEEDS_KEY {
        asking.api.app.view()?
    } else {
        None
    };
    let trust = view.as_ref().and_then(|view| view.trust());
    let handled = let_in(asking, view, &mut payload, entrance).await;
    if app::holds(trust.as_deref()).await? {
        return handled;
    }
    let_in(asking, None, &mut payload, entrance).await
}

async fn let_in<S: AuthScope>(
    asking: &Asking,
    view: OpenView,
    payload: &mut Option<Payload>,
    entrance: &Entrance<S>,
) -> Result<Done<()>, Failure> {
    let Asking {
        request,
        api,
        request_id,
        policy,
    } = asking;
    let place = api.concurrency.enter()?;
    let entering = admission::enter::<S>(api, request, policy, request_id, view);
    let (mut context, view) = entering.await?;
    let from = caller_of(request, api.settings.proxies());
    note_key_use::<S>(api, &context, &view, from).await?;
    let owner = S::owner(&context);
    if let Some(identity) = S::identity(&context) {
        let workspace = owner.and_then(|(_, workspace)| workspace);
        access_log::note_caller(request, identity.key_id, workspace);
    }
    // Whoever takes long to send a body takes no place from others meanwhile.
    drop(place);
    let Received {
        mut members,
        sent,
        file,
        incoming,
        file_place,
    } = match payload.take() {
        Some(payload) => take_in(asking, payload, entrance.intake).await?,
        None => Received::default(),
    };
    let is_kept = policy.is_kept && is_change(request.method());
    if let Some(payer) = S::payer(&context).filter(|_| is_kept) {
        let limiter = &api.limiter;
        limiter
            .count_written(&api.app, Some(request), payer, sent)
            .await?;
        let limit = api.app.settings.spending.workspace_bytes;
        api.app.room.take(payer.workspace, limit, sent)?;
    }
    let identity = S::identity(&context).map(|identity| identity.key_id);
    let turn = api.shared.turn(request, identity).await?;
    // Nothing is to be held on to while something is waited for.
    let view = view.filter(|_| !turn.was_awaited);
    let place = api.concurrency.enter()?.in_turn(turn);
    let option = options_key(request.method(), &mut members)?;
    let key = idempotency_key(request, option)?;
    let key = key.and_then(|key| {
        let (person_id, workspace_id) = owner?;
        let fingerprint = fingerprint(request, &members, policy.reveals_key);
        Some(IdempotencyKey {
            key: ReplyKey {
                person_id,
                workspace_id,
                key,
            },
            fingerprint,
        })
    });
    let mut query = Query::parse(request.query_string());
    let expansion = expansion(request, &query.expand());
    let read_as = read_as(request, &mut query);
    let list = if entrance.paged {
        let scope = format!("{owner:?}");
        list_fingerprint(&scope, request.path(), request.query_string())
    } else {
        String::new()
    };
    let unread = Unread {
        is_patch: request.method() == Method::PATCH,
        is_strict: is_strict(request),
        body: members,
        file,
        query,
        schemas: &api.schemas,
    };
    if let Ok(Some(cohort)) = read_as {
        S::read_as(&mut context, cohort);
    }
    let (expansion, unread) = match (expansion, read_as) {
        (Ok(expansion), Ok(_)) => (expansion, Ok(unread)),
        (Err(failure), _) | (_, Err(failure)) => (Expansion::default(), Err(failure)),
    };
    let entry = AdmittedRequest {
        app: api.app.clone(),
        context,
        view,
        path: path_of(request),
        origin: header_text(request, "origin"),
        method: request.method().clone(),
        counted: (Some(request.clone()), api.limiter.clone()),
        key,
        list,
        if_match: header_text(request, "if-match"),
        expansion,
        incoming,
        file_place,
        place,
    };
    (entrance.handler)(entry, unread).await
}

/// The body of a request.
#[derive(Default)]
struct Received {
    members: JsonObject,
    /// Bytes of it that stay, but for those of files.
    sent: usize,
    file: Option<ReceivedFile>,
    /// What its handler takes in itself.
    incoming: Option<Incoming>,
    /// A place for work on a file that is there already.
    file_place: Option<Permit>,
}

async fn take_in(asking: &Asking, payload: Payload, intake: Intake) -> Result<Received, Failure> {
    let (request, api) = (&asking.request, &asking.api);
    let patience = api.settings.body_patience;
    match intake {
        Intake::Form => {
            let _place = api.uploads.enter()?;
            let form = upload::receive(&api.app, request, payload, patience.idle).await?;
            Ok(Received {
                members: form.body,
                sent: form.text_bytes,
                file: Some(form.file),
                ..Received::default()
            })
        }
        Intake::Bytes => Ok(Received {
            incoming: Some(Incoming::new(payload, patience.idle, api.uploads.enter()?)),
            ..Received::default()
        }),
        Intake::Fields if is_form(request) => {
            let limit = asking.policy.body_limit;
            let bytes = read_bytes(request, payload, limit, patience).await?;
            Ok(Received {
                members: fields_of(&bytes),
                sent: bytes.len(),
                ..Received::default()
            })
        }
        Intake::Json | Intake::Announced | Intake::Work | Intake::Fields => {
            let limit = asking.policy.body_limit;
            let (mut members, sent) = read_body(request, payload, limit, patience).await?;
            if intake == Intake::Announced {
                tus::read_beginning(request, &mut members)?;
            }
            let works = (intake == Intake::Work).then(|| api.uploads.enter());
            Ok(Received {
                members,
                sent,
                file_place: works.transpose()?,
                ..Received::default()
            })
        }
    }
}

/// What is to be expanded: on objects and lists of the kinds that have relations, nowhere else.
fn expansion(request: &HttpRequest, paths: &[String]) -> Result<Expansion, Failure> {
    if paths.is_empty() {
        return Ok(Expansion::default());
    }
    let pattern = request.match_pattern().unwrap_or_default();
    let wanted = Expansion::parse(expandable(&pattern).unwrap_or_default(), paths)
        .map_err(Failure::InvalidExpand)?;
    // Whoever writes waits for nobody's texts to be rendered.
    if wanted.renders() && is_change(request.method()) {
        return Err(Failure::InvalidExpand("html".to_owned()));
    }
    Ok(wanted)
}

/// As which cohort courses and what is in them are read, where that can be said.
fn read_as(request: &HttpRequest, query: &mut Query) -> Result<Option<CohortId>, Failure> {
    let pattern = request.match_pattern().unwrap_or_default();
    if !is_read_as(request.method().as_str(), &pattern) {
        return Ok(None);
    }
    Ok(query.text(READ_AS)?.map(|text| reference(&text)))
}

/// Off the path of the request: nobody waits for it, and nothing is lost if it fails. A key that is only taken to be good
/// was not used yet.
async fn note_key_use<S: AuthScope>(
    api: &Api,
    context: &S::Context,
    view: &OpenView,
    from: Option<IpAddr>,
) -> Result<(), Failure> {
    let is_due = |identity: &&Identity| identity.use_unnoted || identity.renewal.is_some();
    if let Some(identity) = S::identity(context).filter(is_due) {
        if !api.key_uses.is_due(identity.key_id, api.app.clock.now()) {
            return Ok(());
        }
        app::certain(view).await?;
        let (app, identity) = (api.app.clone(), identity.clone());
        tokio::spawn(async move {
            if let Err(error) = app.note_key_use(&identity, from).await {
                tracing::warn!(%error, "could not note the use of a key");
            }
        });
    }
    Ok(())
}

async fn read_body(
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
    patience: BodyPatience,
) -> Result<(JsonObject, usize), Failure> {
    if request.method() == Method::GET {
        return Ok((JsonObject::new(), 0));
    }
    check_media_type(request)?;
    let bytes = read_bytes(request, payload, limit, patience).await?;
    Ok((json::object(&bytes)?, bytes.len()))
}

/// Whether a body comes as the fields of a form.
fn is_form(request: &HttpRequest) -> bool {
    let given = header_text(request, "content-type").unwrap_or_default();
    let kind = given.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// Each as a text; of two of one name the last.
fn fields_of(bytes: &[u8]) -> JsonObject {
    let fields = form_urlencoded::parse(bytes);
    fields
        .map(|(name, value)| (name.into_owned(), value.into_owned().into()))
        .collect()
}

async fn read_bytes(
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
    patience: BodyPatience,
) -> Result<BytesMut, Failure> {
    let announced =
        header_text(request, "content-length").and_then(|text| text.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(Failure::PayloadTooLarge);
    }
    let reading = collect(payload, limit, patience.idle);
    tokio::time::timeout(patience.whole, reading)
        .await
        .map_err(|_| Failure::SlowBody)?
}

/// Whether it may leave something behind that was not there before.
fn is_change(method: &Method) -> bool {
    method != Method::GET && method != Method::HEAD && method != Method::DELETE
}

/// Takes a body in, as long as there is always more of it soon.
pub async fn collect(
    mut payload: Payload,
    limit: usize,
    idle: Duration,
) -> Result<BytesMut, Failure> {
    let mut bytes = BytesMut::new();
    loop {
        let next = tokio::time::timeout(idle, payload.next());
        let Some(chunk) = next.await.map_err(|_| Failure::SlowBody)? else {
            return Ok(bytes);
        };
        let chunk =
            chunk.map_err(|_| Failure::InvalidJson("the body could not be read".to_owned()))?;
        if bytes.len() + chunk.len() > limit {
            return Err(Failure::PayloadTooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
}

fn path_of(request: &HttpRequest) -> Path {
    let parts = request.match_info().iter();
    Path(
        parts
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;

    use super::*;

    #[actix_web::test]
    async fn a_panic_answers_like_any_other_fault_and_says_nothing_of_itself() {
        let answer = guarded(async { panic!("the secret reason") }, "req_1").await;
        assert_eq!(answer.status().as_u16(), 500);
        let body = to_bytes(answer.into_body()).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["error"]["code"], "internal_error");
        assert_eq!(body["error"]["request_id"], "req_1");
        assert!(!body.to_string().contains("secret reason"));
    }

    #[actix_web::test]
    async fn a_request_that_takes_too_long_is_told_so() {
        let answer = guarded_for(Duration::ZERO, std::future::pending(), "req_1").await;
        assert_eq!(answer.status().as_u16(), 503);
    }
}
