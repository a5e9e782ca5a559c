//! The service: the route table, mounted.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actix_web::http::Method;
use actix_web::web::{self, Bytes, Payload, ServiceConfig};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, Resource, Scope};
use lyceum_application::App;
use lyceum_application::traces::OpenSpan;
use lyceum_domain::Id;

use crate::document::openapi;
use crate::document::schemas::Schemas;
use crate::edge::access_log;
use crate::edge::floor::Floor;
use crate::edge::rate_limit::{self, Limiter, RateLimits};
use crate::edge::shares::{Shared, Shares};
use crate::edge::spans;
use crate::http::error::Failure;
use crate::http::near;
use crate::http::query;
use crate::http::response::{self, Origins};
use crate::http::route::Route;
use crate::identity::key_uses::KeyUses;
use crate::routes;
use crate::running::metrics::{InFlight, Metrics, UNMATCHED};

/// What an operator decides about the edge.
#[derive(Debug, Clone)]
pub struct ApiSettings {
    /// Which origins may read answers.
    pub origins: Origins,
    /// How much callers may ask for; as much as they like when absent.
    pub rate_limits: Option<RateLimits>,
    /// How long bodies are waited for.
    pub body_patience: BodyPatience,
    /// How many requests are worked on at once.
    pub max_requests: NonZeroU32,
    /// How much of everything one caller may have; as much as they like when absent.
    pub shares: Option<Shares>,
    /// Whether callers reach this process itself by https, and shall never come by http again.
    pub is_secure: bool,
}

/// How long a body may take to arrive: longer, and its sender is told so and hung up on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyPatience {
    /// From its first byte to its last.
    pub whole: Duration,
    /// From one piece of it to the next.
    pub idle: Duration,
}

impl Default for BodyPatience {
    fn default() -> Self {
        Self {
            whole: Duration::from_secs(15),
            idle: Duration::from_secs(5),
        }
    }
}

/// How many requests are worked on at once where nothing else is said.
pub const MAX_REQUESTS: NonZeroU32 = NonZeroU32::MIN.saturating_add(1023);

impl Default for ApiSettings {
    /// Every origin, no limits, by http.
    fn default() -> Self {
        Self {
            origins: Origins::All,
            rate_limits: None,
            body_patience: BodyPatience::default(),
            max_requests: MAX_REQUESTS,
            shares: None,
            is_secure: false,
        }
    }
}

/// The application and what the edge needs beside it.
pub struct Api {
    /// The application.
    pub app: App,
    /// What the operator decided.
    pub settings: ApiSettings,
    /// Validators of bodies.
    pub schemas: Schemas,
    /// What has been answered.
    pub metrics: Metrics,
    /// Who has asked for how much.
    pub limiter: Limiter,
    /// Where requests are worked on.
    pub floor: Floor,
    /// Which keys' use is being noted.
    pub key_uses: KeyUses,
    /// Who has how much of what all share.
    pub shared: Shared,
    /// The OpenAPI document, made when it is asked for first.
    document: OnceLock<Result<Bytes, String>>,
    routes: BTreeMap<&'static str, Vec<Route>>,
}

/// The id that a request was given on its way in.
#[derive(Clone)]
struct RequestId(String);

impl Api {
    /// Prepares the route table.
    ///
    /// # Errors
    /// A sentence about the route that cannot be used; a fault of this build, not of the operator.
    pub fn new(app: App, settings: ApiSettings) -> Result<Self, String> {
        let table = routes::all();
        routes::check(&table)?;
        let mut routes: BTreeMap<&'static str, Vec<Route>> = BTreeMap::new();
        for route in table {
            routes.entry(route.path).or_default().push(route);
        }
        let metrics = Metrics::new().map_err(|error| error.to_string())?;
        let proxies = settings.rate_limits.as_ref().map(|it| it.trusted_proxies);
        let shared = Shared::new(
            settings.shares,
            proxies.unwrap_or_default(),
            &metrics.waiting,
            &metrics.unsent,
        );
        Ok(Self {
            app,
            shared,
            limiter: Limiter::new(settings.rate_limits.as_ref()),
            floor: Floor::new(settings.max_requests),
            key_uses: KeyUses::default(),
            settings,
            schemas: Schemas::default(),
            document: OnceLock::new(),
            metrics,
            routes,
        })
    }

    /// The OpenAPI document. The first time it takes as long as many requests.
    ///
    /// # Errors
    /// Those of [`openapi::document`].
    pub fn document(&self) -> Result<Bytes, String> {
        let made = self.document.get_or_init(|| {
            let document = openapi::document(&routes::all())?;
            Ok(Bytes::from(document.to_string()))
        });
        made.clone()
    }

    /// Adds to an answer what every answer carries, counts it and tells of it.
    fn finish(
        &self,
        request: &HttpRequest,
        route: &'static str,
        in_flight: &InFlight,
        mut span: OpenSpan,
        answer: &mut HttpResponse,
    ) {
        if let Err(failure) = self.shared.carry(request, answer) {
            *answer = response::failure(&failure, &request_id(request, self));
        }
        let took = in_flight.elapsed();
        self.metrics
            .count(request.method(), route, answer.status(), took);
        let origin = request
            .headers()
            .get("origin")
            .and_then(|origin| origin.to_str().ok());
        let id = request_id(request, self);
        access_log::tell(request, route, answer.status(), took, &id);
        spans::tell(&mut span, request, route, answer.status(), &id);
        let headers = answer.headers_mut();
        rate_limit::add_headers(request, headers);
        response::browser_headers(headers, self.settings.is_secure);
        response::common_headers(
            headers,
            request.method(),
            &id,
            origin,
            &self.settings.origins,
        );
    }
}

/// Mounts the service; the rest of the actix application needs nothing.
pub fn configure(config: &mut ServiceConfig, api: &Arc<Api>) {
    for (start, mut paths) in by_start(api.routes.keys().copied()) {
        // Fixed segments win over places of the same length.
        paths.sort_by_key(|path| path.replace('{', "\u{7f}"));
        let mount = |scope: Scope, path| scope.service(resource(api, path, start));
        config.service(paths.into_iter().fold(web::scope(start), mount));
    }
    let api = Arc::clone(api);
    config.default_service(web::to(move |request: HttpRequest| {
        let api = Arc::clone(&api);
        async move {
            let in_flight = api.metrics.begin();
            let span = spans::begin(&api.app.tracing, &request, UNMATCHED);
            let id = request_id(&request, &api);
            let failure = Failure::UnknownRoute(near::path(request.path(), &api.routes));
            let mut answer = response::failure(&failure, &id);
            api.finish(&request, UNMATCHED, &in_flight, span, &mut answer);
            answer
        }
    }));
}

/// Paths by their first segment behind the version: the web server tries one after the other, so it is given few to try.
fn by_start(
    paths: impl Iterator<Item = &'static str>,
) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut grouped: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for path in paths {
        let mut slashes = path.match_indices('/').map(|(at, _)| at);
        let segments = if path.starts_with("/v1/") { 2 } else { 1 };
        let end = slashes.nth(segments).unwrap_or(path.len());
        let start = path.split_at_checked(end).map_or(path, |(start, _)| start);
        grouped.entry(start).or_default().push(path);
    }
    grouped
}

/// A path within the scope of its start.
fn resource(api: &Arc<Api>, path: &'static str, start: &str) -> Resource {
    let api = Arc::clone(api);
    let is_deep = api
        .routes
        .get(path)
        .is_some_and(|routes| routes.iter().any(|route| route.is_deep));
    let rest = path.strip_prefix(start).unwrap_or(path);
    let pattern = match rest.strip_suffix('}') {
        Some(start) if is_deep => format!("{start}:.*}}"),
        _ => rest.to_owned(),
    };
    web::resource(pattern).to(move |request: HttpRequest, payload: Payload| {
        let api = Arc::clone(&api);
        async move { serve(request, payload, api, path).await }
    })
}

async fn serve(
    request: HttpRequest,
    payload: Payload,
    api: Arc<Api>,
    path: &'static str,
) -> HttpResponse {
    let in_flight = api.metrics.begin();
    let span = spans::begin(&api.app.tracing, &request, path);
    let routes = api.routes.get(path).map_or(&[][..], Vec::as_slice);
    let methods = || routes.iter().map(|route| route.method).collect::<Vec<_>>();
    let id = request_id(&request, &api);
    let mut answer = match routes
        .iter()
        .find(|route| request.method().as_str() == route.method)
    {
        Some(_) if let Some(failure) = query::key_in_url(request.query_string()) => {
            response::failure(&failure, &id)
        }
        Some(route) => (route.handle)(request.clone(), payload, Arc::clone(&api), id).await,
        None if request.method() == Method::OPTIONS => response::preflight(&methods()),
        None => response::failure(&Failure::MethodNotAllowed(methods()), &id),
    };
    api.finish(&request, path, &in_flight, span, &mut answer);
    answer
}

fn request_id(request: &HttpRequest, api: &Api) -> String {
    if let Some(RequestId(id)) = request.extensions().get::<RequestId>() {
        return id.clone();
    }
    let id = Id::<lyceum_domain::ids::Request>::from_uuid(api.app.ids.next()).to_string();
    request.extensions_mut().insert(RequestId(id.clone()));
    id
}
