//! The application without HTTP: use cases of Lyceum's, composed into one of our own, over ports that we chose.
//!
//! The store is `lyceum-store` on a SQLite file, AI the built-in engine, packages are written by `lyceum-scorm`. Files
//! go to the adapter of another example, and clock, ids, randomness and webhooks are adapters of this one
//! ([`machine`]).

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use json_blob_store::JsonBlobs;
use lyceum_application::authoring::{courses, lessons, units};
use lyceum_application::context::Actor;
use lyceum_application::drafting::ai_tally::AiTally;
use lyceum_application::exporting::exports::Exports;
use lyceum_application::exporting::scorm;
use lyceum_application::identity::bootstrap::{self, Bootstrap};
use lyceum_application::learning::cohorts;
use lyceum_application::running::files::Files;
use lyceum_application::running::node::ThisNode;
use lyceum_application::settings::WorkspaceCreation;
use lyceum_application::traces::Tracing;
use lyceum_application::{App, Context, Error, PageRequest, Settings, Tx, work};
use lyceum_domain::authoring::courses::CourseStatus;
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
use lyceum_domain::identity::workspaces::{PlatformCode, Workspace};
use lyceum_domain::notifying::deliveries::DeliverySchedule;
use lyceum_domain::running::jobs::JobLane;
use lyceum_domain::text::{Email, Name};
use lyceum_ports::environment::{Entropy, Ids};
use lyceum_ports::running::nodes::NodeId;
use lyceum_ports::running::telemetry::NoTelemetry;
use lyceum_scorm::{PackageFiles, ScormWriter};
use lyceum_store::{DatabaseUrl, MasterKey, StoreSettings};
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::authoring::lessons::CreateLesson;
use lyceum_wire::authoring::units::CreateUnit;
use lyceum_wire::common::Command;
use lyceum_wire::exporting::scorm::{CreateScormPackage, ScormPackageView};
use lyceum_wire::learning::cohorts::CreateCohort;

pub mod machine;

use machine::{Counter, Machine, NoProviders, NoWebhooks, Nobody};

/// Wires the application over a folder: a database, and a document with the files.
///
/// # Errors
/// If something cannot be opened.
pub fn open(folder: &Path) -> anyhow::Result<App> {
    let machine = Arc::new(Machine::default());
    let mut keys = [[0; 32]; 4];
    for key in &mut keys {
        machine.fill(key);
    }
    let [master_key, download_key, draw_key, launch_key] = keys;
    let store = lyceum_store::open(StoreSettings {
        url: DatabaseUrl::parse(&format!("sqlite://{}/school.db", folder.display()))?,
        pooler: None,
        replica: None,
        // Secrets of webhooks are sealed with it: a real application keeps one.
        master_key: MasterKey::from_bytes(master_key),
        connections: 2,
    })?;
    let blobs = Arc::new(JsonBlobs::open(folder.join("files"))?);
    let scratch = folder.join("scratch");
    std::fs::create_dir_all(&scratch)?;
    Ok(App {
        store,
        node: ThisNode::new(NodeId(machine.next())),
        rows: None,
        clock: machine.clone(),
        ids: machine.clone(),
        entropy: machine,
        signal: Arc::new(Nobody),
        settings: Arc::new(Settings {
            public_url: RuntimeBaseUrl::parse("http://school.example")?,
            addresses: Arc::new(Counter),
            download_key,
            draw_key,
            launch_key,
            workspaces: WorkspaceCreation::default(),
            webhook_schedule: DeliverySchedule::default(),
            mail_is_configured: false,
            trash_kept: std::time::Duration::from_hours(30 * 24),
            scratch: scratch.clone(),
            spending: lyceum_application::settings::Spending::default(),
        }),
        grouping: lyceum_application::grading::groups::Grouping::by(Arc::new(
            lyceum_ai::BuiltinGrouper,
        )),
        attacks: Arc::new(lyceum_ai::attacks::BuiltinAttacks),
        ai: lyceum_ai::provider(lyceum_ai::ProviderSettings::Builtin)?,
        ai_tally: AiTally::default(),
        tracing: Tracing::default(),
        telemetry: Arc::new(NoTelemetry::default()),
        room: lyceum_application::running::room::Room::default(),
        packages: Arc::new(ScormWriter),
        media: None,
        inspector: Arc::new(lyceum_inspection::Inspector::new(
            lyceum_inspection::Settings::default(),
        )),
        package_files: Arc::new(PackageFiles::new(blobs.clone(), scratch)),
        blobs,
        sink: Arc::new(NoWebhooks),
        passkeys: None,
        identity_providers: Arc::new(NoProviders),
        mailer: None,
        exports: Exports::default(),
        files: Files::default(),
    })
}

/// Our workspace; made where there is none.
pub async fn school(app: &App) -> anyhow::Result<Workspace> {
    let code = PlatformCode::parse("school")?;
    let wanted = Bootstrap {
        email: Email::parse("owner@school.example")?,
        workspace: Name::parse("School")?,
        code: code.clone(),
        key: None,
    };
    let visit = app.service_visit();
    let found = app.store.write(move |tx| {
        if let Some(workspace) = tx.workspaces().find_by_code(&code)? {
            return Ok::<_, Error>(workspace);
        }
        bootstrap::run(tx, &visit, &wanted).map(|made| made.workspace)
    });
    found.await.context("our workspace")
}

/// A course of one page.
#[derive(Debug, Clone)]
pub struct Leaflet {
    /// What it is called, as a course and as a lesson.
    pub name: String,
    /// What it says, in Markdown.
    pub text: String,
}

/// A use case of our own: a leaflet becomes a course that runs, and a package of it is asked for. It is one
/// transaction: all of it, with its events, or nothing.
///
/// # Errors
/// What is wrong with the leaflet, by its field; those of storage.
pub fn publish(
    tx: &mut dyn Tx,
    ctx: &Context,
    leaflet: &Leaflet,
) -> Result<ScormPackageView, Error> {
    let course = CreateCourse {
        name: leaflet.name.clone(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    let course = courses::create(tx, ctx, course.command()?)?;
    let unit = CreateUnit {
        course_id: course.id.clone(),
        name: leaflet.name.clone(),
        ..CreateUnit::default()
    };
    let lesson = CreateLesson {
        unit_id: units::create(tx, ctx, unit.command()?)?.id,
        name: leaflet.name.clone(),
        content: Some(leaflet.text.clone()),
        ..CreateLesson::default()
    };
    lessons::create(tx, ctx, lesson.command()?)?;
    let cohort = CreateCohort {
        course_id: course.id,
        name: "Everybody".to_owned(),
        ..CreateCohort::default()
    };
    let cohort = cohort.command()?;
    courses::publish(tx, ctx, cohort.course_id)?;
    let package = CreateScormPackage {
        cohort_id: cohorts::create(tx, ctx, cohort)?.id,
        ..CreateScormPackage::default()
    };
    let package = package.command()?;
    cohorts::start(tx, ctx, package.cohort_id)?;
    scorm::create(tx, ctx, package)
}

/// The names of what is published, newest first.
pub fn shelf(tx: &mut dyn Tx, ctx: &Context) -> Result<Vec<String>, Error> {
    let filter = courses::CourseFilter {
        status: Some(CourseStatus::Published),
        ..courses::CourseFilter::default()
    };
    let page = courses::list(tx, ctx, &filter, &PageRequest::first(100))?;
    Ok(page.items.into_iter().map(|course| course.name).collect())
}

/// Does what use cases left to be done, until nothing is due. A service does this beside its requests, woken by a
/// [`lyceum_ports::environment::Signal`].
///
/// # Errors
/// Those of storage; a job that fails is tried again later.
pub async fn work_off(app: &App) -> Result<(), Error> {
    loop {
        let mut jobs = work::claim(app, JobLane::Ai, 4).await?;
        jobs.extend(work::claim(app, JobLane::Work, 4).await?);
        if jobs.is_empty() {
            return Ok(());
        }
        for job in jobs {
            work::perform(app, &job).await?;
        }
    }
}

/// The context in which we act: as the service itself, which may everything.
pub fn context(app: &App, workspace: Workspace) -> Context {
    app.service_visit().within(workspace, Actor::Service)
}
