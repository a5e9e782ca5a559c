//! A school's web application with Lyceum inside: a page of its own and, below it, every route of Lyceum.
//!
//! One process, one address, one database: the page asks the same use cases as the routes do, and packages are kept
//! where this application keeps its files, by an adapter of its own.

use std::path::Path;
use std::sync::Arc;

use actix_web::error::ErrorInternalServerError;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpResponse, Result};
use json_blob_store::JsonBlobs;
use lyceum_application::authoring::courses::{self, CourseFilter};
use lyceum_application::context::Actor;
use lyceum_application::{App, Context, Error, Page, PageRequest, Tx};
use lyceum_domain::authoring::courses::CourseStatus;
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_scorm::PackageFiles;
use lyceum_service::{Embedded, ProviderSettings, Settings};
use lyceum_wire::authoring::courses::CourseView;
use serde_json::json;

/// The workspace that the catalogue is of: the first start of Lyceum makes it.
const SCHOOL: &str = "main";

/// Starts Lyceum in this folder, with packages in a JSON document of ours.
///
/// # Errors
/// If something cannot be opened.
pub async fn start(folder: &Path, address: &str) -> anyhow::Result<Embedded> {
    let public_url = format!("http://{address}");
    let settings = Settings::new(folder, &public_url, ProviderSettings::Builtin)?;
    let blobs = Arc::new(JsonBlobs::open(folder.join("files"))?);
    Embedded::start(&settings, |app| {
        let scratch = app.settings.scratch.clone();
        app.package_files = Arc::new(PackageFiles::new(blobs.clone(), scratch));
        app.blobs = blobs;
    })
    .await
}

/// Mounts the page, then Lyceum. What neither knows is answered by Lyceum, as an error in JSON.
pub fn configure(config: &mut ServiceConfig, api: &Arc<lyceum_api::Api>) {
    config
        .app_data(Data::new(api.app.clone()))
        .route("/catalogue", web::get().to(catalogue));
    lyceum_api::configure(config, api);
}

/// What the school teaches, for everybody.
async fn catalogue(app: Data<App>) -> Result<HttpResponse> {
    let school = PlatformCode::parse(SCHOOL).map_err(ErrorInternalServerError)?;
    let visit = app.service_visit();
    let found = app
        .read(move |tx| {
            let workspace = tx.workspaces().find_by_code(&school)?;
            let workspace = workspace.ok_or(Error::NotFound("workspace"))?;
            published(tx, &visit.within(workspace, Actor::Service))
        })
        .await
        .map_err(ErrorInternalServerError)?;
    let names: Vec<&str> = found
        .items
        .iter()
        .map(|course| course.name.as_str())
        .collect();
    Ok(HttpResponse::Ok().json(json!({"courses": names})))
}

/// A use case of our own, made of one of theirs.
pub fn published(tx: &mut dyn Tx, ctx: &Context) -> std::result::Result<Page<CourseView>, Error> {
    let filter = CourseFilter {
        status: Some(CourseStatus::Published),
        ..CourseFilter::default()
    };
    courses::list(tx, ctx, &filter, &PageRequest::first(100))
}
