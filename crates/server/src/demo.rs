//! `lyceum demo`: the whole story against a server of its own, over real HTTP, checked at every step.
//!
//! Nothing is taken on trust: quotations are looked up in the answers, signatures are verified, archives are
//! opened. The first step that does not do what it should ends the demo with an error that names it.

mod authoring;
mod checks;
mod course_text;
mod grades_csv;
mod figures;
mod grading;
mod highlight;
mod html;
mod input;
mod outcome;
mod packages;
mod progress;
mod receiver;
mod refusals;
mod report;
mod server;
mod students;
mod words;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;

use crate::settings::Settings;
use input::Input;
use outcome::Outcome;
use progress::Teller;
use server::DemoServer;

/// What can be chosen about the demo.
#[derive(Debug, clap::Args)]
pub struct DemoArguments {
    /// Folder with `course.json`, `brief.md`, `assignment.json` and `answers.csv`; the built-in example when
    /// absent.
    #[arg(long, value_name = "DIR")]
    examples: Option<PathBuf>,

    /// Folder for the report, the grades, the course and the packages.
    #[arg(long, value_name = "DIR", default_value = "./lyceum-demo")]
    output: PathBuf,
}

/// Runs the story.
///
/// # Errors
/// Naming the step that did not do what it should.
pub async fn run(settings: &Settings, arguments: &DemoArguments) -> anyhow::Result<()> {
    let begun = Instant::now();
    let input = Input::load(arguments.examples.as_deref()).context("the examples")?;
    std::fs::create_dir_all(&arguments.output)
        .with_context(|| format!("the output folder {}", arguments.output.display()))?;
    let teller = Teller::new();
    teller.begin(&input, settings);
    let server = DemoServer::start(settings).await.context("starting the demo's server")?;
    // Boxed: the story's state is large, and lives across every wait.
    let told = Box::pin(tell(&server, &input, &teller, &arguments.output)).await;
    // What was made is taken away again however the story ended.
    server.stop().await;
    told?;
    teller.end(&arguments.output, begun.elapsed());
    Ok(())
}

async fn tell(
    server: &DemoServer,
    input: &Input,
    teller: &Teller,
    output: &Path,
) -> anyhow::Result<()> {
    let client = &server.client;
    teller.step("workspace and key", authoring::sign_in(server)).await?;
    let receiver = receiver::Receiver::start().await.context("the webhook receiver")?;
    let secret = teller.step("webhook endpoint", authoring::listen(client, &receiver)).await?;
    let course = teller.step("course", authoring::course(client, input)).await?;
    let outline = teller.step("AI syllabus", authoring::syllabus(client, teller, input, &course)).await?;
    teller.step("publication", authoring::publish(client, &course.id)).await?;
    let cohort = teller.step("cohort", authoring::cohort(client, &course.id)).await?;
    let students = teller.step("students", students::enroll(client, teller, input, &cohort.id)).await?;
    let assignment = teller.step("assignment", students::assign(client, input, &course.id)).await?;
    let place = students::Place { assignment: &assignment.id, cohort: &cohort.id };
    let handed_in =
        teller.step("submissions", students::hand_in(client, teller, input, &students, &place)).await?;
    let graded = teller.step("AI grading", grading::grade(client, teller, input, &handed_in)).await?;
    let quotes = teller.step("evidence", grading::check_evidence(&graded)).await?;
    let wanted = grading::announcements(&graded);
    teller.step("webhooks", receiver::expect(&receiver, teller, &secret, &wanted)).await?;
    for edition in packages::EDITIONS {
        teller.step(edition.title, packages::make(client, teller, &cohort.id, edition, output)).await?;
    }
    teller.step("isolation", refusals::check(server, &course.id)).await?;
    let course = client.courses().retrieve(&course.id).await.context("the course, once more")?;
    let outcome = Outcome { course, outline, cohort, assignment, graded, quotes };
    teller.step("results", outcome::write(&outcome, output)).await
}
