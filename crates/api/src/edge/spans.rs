//! The span of a request: what was asked, by which key, and how it ended. As in the access log, no path, no query and no
//! body is in it, for these may quote what a learner wrote.

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use lyceum_application::traces::{OpenSpan, SpanKind, TraceParent, Tracing};

use crate::edge::noted::{self, Admitted};
use crate::running::metrics::known;

/// Begins the span of a request to a route, in the trace of its caller if that has one.
pub fn begin(tracing: &Tracing, request: &HttpRequest, route: &'static str) -> OpenSpan {
    let name = || format!("{} {route}", known(request.method()));
    let span = tracing.begin(SpanKind::Server, parent_of(request), name);
    if let Some(place) = span.place() {
        noted::place(request, place);
    }
    span
}

/// What the caller says that the request is part of. A header that is not exactly one is nobody's.
fn parent_of(request: &HttpRequest) -> Option<TraceParent> {
    let mut headers = request.headers().get_all("traceparent");
    let header = headers.next()?.to_str().ok()?;
    headers.next().is_none().then_some(())?;
    TraceParent::parse(header)
}

/// Says how it was answered.
pub fn tell(
    span: &mut OpenSpan,
    request: &HttpRequest,
    route: &'static str,
    status: StatusCode,
    request_id: &str,
) {
    span.describe(|span| {
        span.note("http.request.method", known(request.method()).into());
        span.note("http.route", route.into());
        span.note(
            "http.response.status_code",
            u64::from(status.as_u16()).into(),
        );
        span.note("lyceum.request.id", request_id.into());
        if let Some(Admitted { key, workspace }) = noted::admitted(request) {
            span.note("lyceum.key.id", key.to_string().into());
            if let Some(workspace) = workspace {
                span.note("lyceum.workspace.id", workspace.to_string().into());
            }
        }
        if status.is_server_error() {
            span.fail();
        }
    });
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    const HEADER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    fn begun(headers: &[&str]) -> Option<String> {
        let request = headers.iter().fold(TestRequest::default(), |request, one| {
            request.append_header(("traceparent", *one))
        });
        let request = request.to_http_request();
        let span = begin(&Tracing::default(), &request, "/v1/courses");
        assert_eq!(span.place(), noted::place_of(&request));
        span.place().map(|place| place.to_string())
    }

    #[test]
    fn a_request_is_part_of_what_its_caller_says() {
        assert_eq!(begun(&[HEADER]).as_deref(), Some(HEADER));
    }

    #[test]
    fn what_is_not_one_header_is_passed_over() {
        assert_eq!(begun(&[]), None);
        assert_eq!(begun(&["hello"]), None);
        assert_eq!(begun(&[HEADER, HEADER]), None);
    }
}
