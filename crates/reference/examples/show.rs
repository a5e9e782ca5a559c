//! Serves the reference alone, of the committed document, for whoever changes it: `cargo run -p lyceum-reference --example show`.

use std::io::{self, Write as _};

use actix_web::web::{self, Data, Path};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use lyceum_reference::Reference;

const DOCUMENT: &str = include_str!("../../../docs/openapi.json");

async fn start(request: HttpRequest, reference: Data<Reference>) -> HttpResponse {
    reference.start(&request)
}

async fn page(
    request: HttpRequest,
    name: Path<String>,
    reference: Data<Reference>,
) -> HttpResponse {
    let found = reference.page(&request, &name);
    found.unwrap_or_else(|| HttpResponse::NotFound().finish())
}

#[actix_web::main]
async fn main() -> io::Result<()> {
    let document = serde_json::from_str(DOCUMENT).map_err(io::Error::other)?;
    let reference = Data::new(Reference::of(document));
    let app = move || {
        App::new()
            .app_data(Data::clone(&reference))
            .route("/docs", web::get().to(start))
            .route("/docs/{name}", web::get().to(page))
    };
    let server = HttpServer::new(app).workers(1).bind("127.0.0.1:0")?;
    for address in server.addrs() {
        writeln!(io::stdout(), "http://{address}/docs")?;
    }
    server.run().await
}
