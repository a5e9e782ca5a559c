//! `cargo run -p lyceum-example-embedded-service [FOLDER]`: the school on port 8080, until it is interrupted.

use std::path::PathBuf;
use std::sync::Arc;

use actix_web::{App, HttpServer};

const ADDRESS: &str = "127.0.0.1:8080";

#[actix_web::main]
#[allow(
    clippy::print_stdout,
    reason = "the key is shown once, on the operator's terminal"
)]
async fn main() -> anyhow::Result<()> {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(|| "school-data".into(), PathBuf::from);
    let lyceum = embedded_service::start(&folder, ADDRESS).await?;
    if let Some(made) = &lyceum.first {
        println!("API key (shown once, keep it): {}", made.key.reveal());
    }
    println!("http://{ADDRESS}/catalogue");
    let api = Arc::clone(&lyceum.api);
    HttpServer::new(move || {
        App::new().configure(|config| embedded_service::configure(config, &api))
    })
    .bind(ADDRESS)?
    .run()
    .await?;
    lyceum.stop().await;
    Ok(())
}
