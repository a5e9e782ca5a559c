//! The service: the route table, mounted.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::middleware::Compress;
use actix_web::web::{self, Payload, ServiceConfig};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, Resource, Scope};
use lyceum_application::App;
use lyceum_application::traces::OpenSpan;
use lyceum_domain::Id;

use crate::document::openapi;
use crate::edge::access_log;
use crate::edge::rate_limit;
use crate::edge::spans;
use crate::edge::tus;
use crate::http::dispatch::Asking;
use crate::http::dispatch::rows::RowDoor;
use crate::http::error::Failure;
use crate::http::near;
use crate::http::query;
use crate::http::response;
use crate::http::route::Route;
use crate::identity::scim;
use crate::routes;
use crate::rows::RowDispatcher;
use crate::running::metrics::{InFlight, UNMATCHED};
use crate::state::{Api, ApiSettings};

/// What people read in a browser goes out packed: a page is a tenth of its size so.
const PAGES: &str = "/docs";

/// The id that a request was given on its way in.
#[derive(Clone)]
struct RequestId(String);

impl Api {
    /// Prepares the service.
    ///
    /// # Errors
    /// A sentence about the route that cannot be used; a fault of this build, not of the operator.
    pub fn new(app: App, settings: ApiSettings) -> Result<Self, String> {
        routes::check(&routes::all())?;
        let mut api = Self::of(app, settings, || openapi::document(&routes::all()))?;
        let door = RowDoor {
            schemas: Arc::clone(&api.schemas),
            limiter: api.limiter.clone(),
            concurrency: api.concurrency.clone(),
        };
        let rows = RowDispatcher::new(door, routes::all())?;
        api.app.rows = Some(Arc::new(rows));
        Ok(api)
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

/// SCIM, which finds its way itself: it has a table and errors of its own.
fn provisioning(api: &Arc<Api>) -> Scope {
    let api = Arc::clone(api);
    web::scope(scim::BASE).default_service(web::to(
        move |request: HttpRequest, payload: Payload| {
            let api = Arc::clone(&api);
            async move {
                let in_flight = api.metrics.begin();
                let span = spans::begin(&api.app.tracing, &request, scim::BASE);
                let id = request_id(&request, &api);
                let mut answer = scim::serve(request.clone(), payload, Arc::clone(&api), id).await;
                api.finish(&request, scim::BASE, &in_flight, span, &mut answer);
                answer
            }
        },
    ))
}

/// The route table by path.
type Table = BTreeMap<&'static str, Vec<Route>>;

/// Mounts the service; the rest of the actix application needs nothing.
pub fn configure(config: &mut ServiceConfig, api: &Arc<Api>) {
    let mut table = Table::new();
    for route in routes::all() {
        table.entry(route.path).or_default().push(route);
    }
    let table = Arc::new(table);
    for (start, mut paths) in by_start(table.keys().copied()) {
        // Fixed segments win over places of the same length.
        paths.sort_by_key(|path| path.replace('{', "\u{7f}"));
        let mount = |scope: Scope, path| scope.service(resource(api, &table, path, start));
        let scope = paths.into_iter().fold(web::scope(start), mount);
        if start == PAGES {
            config.service(scope.wrap(Compress::default()));
        } else {
            config.service(scope);
        }
    }
    config.service(provisioning(api));
    let api = Arc::clone(api);
    config.default_service(web::to(move |request: HttpRequest| {
        let (api, table) = (Arc::clone(&api), Arc::clone(&table));
        async move {
            let in_flight = api.metrics.begin();
            let span = spans::begin(&api.app.tracing, &request, UNMATCHED);
            let id = request_id(&request, &api);
            let failure = Failure::UnknownRoute(near::path(request.path(), table.keys().copied()));
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
fn resource(api: &Arc<Api>, table: &Arc<Table>, path: &'static str, start: &str) -> Resource {
    let (api, table) = (Arc::clone(api), Arc::clone(table));
    let is_deep = table
        .get(path)
        .is_some_and(|routes| routes.iter().any(|route| route.is_deep));
    let rest = path.strip_prefix(start).unwrap_or(path);
    let pattern = match rest.strip_suffix('}') {
        Some(start) if is_deep => format!("{start}:.*}}"),
        _ => rest.to_owned(),
    };
    web::resource(pattern).to(move |request: HttpRequest, payload: Payload| {
        let (api, table) = (Arc::clone(&api), Arc::clone(&table));
        async move { serve(request, payload, api, &table, path).await }
    })
}

async fn serve(
    request: HttpRequest,
    payload: Payload,
    api: Arc<Api>,
    table: &Table,
    path: &'static str,
) -> HttpResponse {
    let in_flight = api.metrics.begin();
    let span = spans::begin(&api.app.tracing, &request, path);
    let routes = table.get(path).map_or(&[][..], Vec::as_slice);
    let methods = || routes.iter().map(|route| route.method).collect::<Vec<_>>();
    let id = request_id(&request, &api);
    let is_tus = routes.iter().any(|route| route.is_tus);
    let mut answer = match routes.iter().find(|route| takes(route, request.method())) {
        Some(_) if let Some(failure) = query::key_in_url(request.query_string()) => {
            response::failure(&failure, &id)
        }
        Some(route) => {
            let asking = Asking {
                request: request.clone(),
                api: Arc::clone(&api),
                request_id: id,
                policy: route.policy,
            };
            (route.handle)(asking, payload).await
        }
        None if request.method() == Method::OPTIONS => {
            let mut answer = response::preflight(&methods());
            if is_tus {
                tus::offer(&mut answer, api.app.settings.spending.upload_bytes);
            }
            answer
        }
        None => response::failure(&Failure::MethodNotAllowed(methods()), &id),
    };
    if is_tus {
        tus::mark(&mut answer);
    }
    api.finish(&request, path, &in_flight, span, &mut answer);
    answer
}

/// Whether a route takes a method. How far an upload has come is asked without wanting a body.
fn takes(route: &Route, method: &Method) -> bool {
    let asks_alone = route.is_tus && route.method == "GET" && method == Method::HEAD;
    asks_alone || method.as_str() == route.method
}

fn request_id(request: &HttpRequest, api: &Api) -> String {
    if let Some(RequestId(id)) = request.extensions().get::<RequestId>() {
        return id.clone();
    }
    let id = Id::<lyceum_domain::ids::Request>::from_uuid(api.app.ids.next()).to_string();
    request.extensions_mut().insert(RequestId(id.clone()));
    id
}
