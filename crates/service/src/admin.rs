//! The operator's own address: metrics and health, apart from where callers come in.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use actix_web::dev::{Server, ServerHandle};
use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::Context;

use crate::watching::Watching;

/// Listens on `address` and answers `/metrics` and `/healthz`.
///
/// # Errors
/// If the address is taken.
pub fn start(
    address: SocketAddr,
    watching: Arc<Watching>,
) -> anyhow::Result<(Server, ServerHandle)> {
    let listener = TcpListener::bind(address)
        .with_context(|| format!("LYCEUM_ADMIN_ADDR: could not listen on {address}"))?;
    if !address.ip().to_canonical().is_loopback() {
        tracing::warn!(%address, "LYCEUM_ADMIN_ADDR can be reached from other machines, without any key");
    }
    let server = HttpServer::new(move || {
        let watching = Arc::clone(&watching);
        App::new()
            .route(
                "/healthz",
                web::get().to(|| async { HttpResponse::Ok().body("ok\n") }),
            )
            .route(
                "/metrics",
                web::get().to(move || {
                    let watching = Arc::clone(&watching);
                    async move { metrics(&watching).await }
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

async fn metrics(watching: &Watching) -> HttpResponse {
    match watching.text().await {
        Ok(text) => HttpResponse::Ok()
            .content_type(prometheus::TEXT_FORMAT)
            .body(text),
        Err(error) => {
            tracing::error!(%error, "the metrics could not be written down");
            HttpResponse::InternalServerError().finish()
        }
    }
}
