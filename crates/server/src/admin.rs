//! The operator's own address: metrics and health, apart from where callers come in.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use actix_web::dev::{Server, ServerHandle};
use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::Context;
use lyceum_api::Api;

/// Listens on `address` and answers `/metrics` and `/healthz`.
///
/// # Errors
/// If the address is taken.
pub fn start(address: SocketAddr, api: Arc<Api>) -> anyhow::Result<(Server, ServerHandle)> {
    let listener = TcpListener::bind(address)
        .with_context(|| format!("LYCEUM_ADMIN_ADDR: could not listen on {address}"))?;
    if !address.ip().to_canonical().is_loopback() {
        tracing::warn!(%address, "LYCEUM_ADMIN_ADDR can be reached from other machines, without any key");
    }
    let server = HttpServer::new(move || {
        let api = Arc::clone(&api);
        App::new()
            .route(
                "/healthz",
                web::get().to(|| async { HttpResponse::Ok().body("ok\n") }),
            )
            .route(
                "/metrics",
                web::get().to(move || {
                    let api = Arc::clone(&api);
                    async move { metrics(&api) }
                }),
            )
    })
    .workers(1)
    .disable_signals()
    .listen(listener)?
    .run();
    let handle = server.handle();
    Ok((server, handle))
}

fn metrics(api: &Api) -> HttpResponse {
    let build = format!(
        "# HELP lyceum_build_info The build that is running.\n# TYPE lyceum_build_info gauge\n\
         lyceum_build_info{{version=\"{}\"}} 1\n",
        env!("CARGO_PKG_VERSION")
    );
    HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4")
        .body(
            build + &api.metrics.render() + &api.app.exports.render() + &api.app.ai_tally.render(),
        )
}
