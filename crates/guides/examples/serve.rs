//! Serves the handbook alone, for whoever changes it: `cargo run -p lyceum-guides --example serve`.

use std::io::Write as _;

use actix_web::{App, HttpServer};

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let server = HttpServer::new(|| App::new().configure(lyceum_guides::configure)).workers(1);
    let server = server.bind("127.0.0.1:0")?;
    for address in server.addrs() {
        writeln!(std::io::stdout(), "http://{address}/docs/guides")?;
    }
    server.run().await
}
