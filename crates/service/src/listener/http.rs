//! HTTP on the callers' socket.
//!
//! What actix's own `HttpServer` puts together, with our connections below it: it hands out neither the moment at which
//! one is taken nor the one at which it stands still.

use std::fmt::Debug;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_http::{HttpService, Protocol, Request, Response};
use actix_server::{GracefulShutdownSignal, Server};
use actix_service::{
    IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, fn_service, map_config,
};
use actix_tls::accept::rustls_0_23::{Acceptor, TlsStream};
use actix_web::body::MessageBody;
use actix_web::dev::AppConfig;
use actix_web::rt::net::TcpStream;
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};

use super::crowd::Crowd;
use super::patient::{Patience, Patient};

/// How long a connection may take to end when both sides want it to.
const FAREWELL: Duration = Duration::from_secs(1);

/// How callers are served.
#[derive(Debug, Clone)]
pub struct Manners {
    /// Threads.
    pub workers: usize,
    /// Connections of each.
    pub connections_per_worker: usize,
    /// How long a connection may rest between two requests. Whoever sends the next one in the moment in which it ends is
    /// turned away without an answer, so this has to be longer than callers and proxies keep one.
    pub keep_alive: Duration,
    /// How long the headers of a request may take.
    pub header_timeout: Duration,
    /// How long answers may take to be read.
    pub patience: Patience,
    /// How long requests may take to end after a stop, in seconds.
    pub grace_seconds: u64,
}

/// A connection that is no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Gone;

/// Serves what `factory` makes, once per worker; by https with a certificate.
///
/// # Errors
/// If the listener is none.
pub fn serve<F, I, S, B>(
    listener: TcpListener,
    manners: &Manners,
    crowd: &Arc<Crowd>,
    certificate: Option<ServerConfig>,
    factory: F,
) -> std::io::Result<Server>
where
    F: Fn() -> I + Clone + Send + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<actix_web::Error> + 'static,
    S::InitError: Debug,
    S::Response: Into<Response<B>> + 'static,
    S::Service: 'static,
    <S::Service as Service<Request>>::Future: 'static,
    B: MessageBody + 'static,
{
    let builder = Server::build()
        .workers(manners.workers)
        .max_concurrent_connections(manners.connections_per_worker)
        .shutdown_timeout(manners.grace_seconds)
        .disable_signals();
    let stopping = builder.graceful_shutdown_signal();
    let (crowd, manners) = (Arc::clone(crowd), manners.clone());
    let name = "lyceum";
    let builder = match certificate {
        None => builder.listen(name, listener, move || {
            let http = http(&manners, stopping.clone(), factory().into_factory());
            welcome(&crowd, manners.patience)
                .map(|stream: Patient| {
                    let peer = stream.peer;
                    (stream, Protocol::Http1, Some(peer))
                })
                .and_then(http)
        })?,
        Some(certificate) => builder.listen(name, listener, move || {
            let http = http(&manners, stopping.clone(), factory().into_factory());
            let acceptor = Acceptor::new(certificate.clone());
            let acceptor = ServiceFactoryExt::<Patient>::map_err(acceptor, |_| Gone);
            welcome(&crowd, manners.patience)
                .and_then(acceptor)
                .map(|stream: TlsStream<Patient>| {
                    let peer = stream.get_ref().0.peer;
                    (stream, Protocol::Http1, Some(peer))
                })
                .and_then(http)
        })?,
    };
    Ok(builder.run())
}

/// Takes connections in, as long as their addresses have not too many.
fn welcome(
    crowd: &Arc<Crowd>,
    patience: Patience,
) -> impl ServiceFactory<TcpStream, Config = (), Response = Patient, Error = Gone, InitError = ()> + use<>
{
    let crowd = Arc::clone(crowd);
    fn_service(move |stream: TcpStream| {
        let taken = taken(stream, &crowd, patience);
        async move { taken.ok_or(Gone) }
    })
}

fn taken(stream: TcpStream, crowd: &Arc<Crowd>, patience: Patience) -> Option<Patient> {
    let peer: SocketAddr = stream.peer_addr().ok()?;
    let Some(seat) = crowd.seat(peer.ip()) else {
        tracing::debug!(%peer, "too many connections of one address");
        return None;
    };
    Some(Patient::new(stream, peer, seat, patience))
}

/// HTTP/1.1 on connections that are there.
fn http<T, S, B>(
    manners: &Manners,
    stopping: GracefulShutdownSignal,
    app: S,
) -> impl ServiceFactory<
    (T, Protocol, Option<SocketAddr>),
    Config = (),
    Response = (),
    Error = Gone,
    InitError = (),
> + use<T, S, B>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<actix_web::Error> + 'static,
    S::InitError: Debug,
    S::Response: Into<Response<B>> + 'static,
    S::Service: 'static,
    <S::Service as Service<Request>>::Future: 'static,
    B: MessageBody + 'static,
{
    let app = app.map_err(|error| error.into().error_response());
    HttpService::<T, _, B>::build()
        .graceful_shutdown_signal(move || {
            let stopping = stopping.clone();
            async move { stopping.notified().await }
        })
        .keep_alive(manners.keep_alive)
        .client_request_timeout(manners.header_timeout)
        .client_disconnect_timeout(FAREWELL)
        .finish(map_config(app, |()| AppConfig::default()))
        .map_err(|_| Gone)
}
