//! A bare actix handler that answers the same bytes: what this HTTP stack costs when nothing is asked of it.

use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use actix_web::http::header::ContentType;
use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::{Context, bail};
use bytes::Bytes;

use crate::process::{Process, bound_to_us};
use crate::server::free_address;

/// As many as the server has on the machine that the goals are for.
const WORKERS: usize = 2;
const START: Duration = Duration::from_secs(10);

/// A bare handler in a process of its own.
#[derive(Debug)]
pub struct BareActix {
    /// Its process.
    pub process: Process,
    /// `http://127.0.0.1:port`, without a slash at the end.
    pub origin: String,
}

impl BareActix {
    /// Starts one that answers with this, whatever it is asked.
    ///
    /// # Errors
    /// If it does not come up.
    pub fn start(folder: &Path, body: &str) -> anyhow::Result<Self> {
        let file = folder.join("answer.json");
        std::fs::write(&file, body).context("could not write the answer")?;
        let address = free_address()?;
        let us = std::env::current_exe().context("could not find ourselves")?;
        let mut command = bound_to_us(&us, "KILL");
        command
            .arg("serve-bytes")
            .arg(address.to_string())
            .arg(&file);
        let mut process = Process::start(&mut command)?;
        let since = Instant::now();
        while TcpStream::connect(address).is_err() {
            if !process.is_alive() || since.elapsed() > START {
                bail!("the bare handler did not start");
            }
            thread::sleep(Duration::from_millis(1));
        }
        Ok(Self {
            process,
            origin: format!("http://{address}"),
        })
    }
}

/// Serves the bytes of a file until it is killed.
///
/// # Errors
/// If the file cannot be read, or the address is taken.
pub fn serve(address: SocketAddr, file: &Path) -> anyhow::Result<()> {
    let mut body = Vec::new();
    std::fs::File::open(file)?.read_to_end(&mut body)?;
    let body = Bytes::from(body);
    let app = move || {
        let body = body.clone();
        let handler = move || {
            let body = body.clone();
            async move {
                HttpResponse::Ok()
                    .content_type(ContentType::json())
                    .body(body)
            }
        };
        App::new().default_service(web::to(handler))
    };
    let server = HttpServer::new(app).workers(WORKERS).bind(address)?;
    actix_web::rt::System::new().block_on(server.run())?;
    Ok(())
}
