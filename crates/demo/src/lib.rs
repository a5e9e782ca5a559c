//! `lyceum demo`: the whole story against a server of its own, over real HTTP, checked at every step.
//!
//! Nothing is taken on trust: quotations are looked up in the answers, signatures are verified, archives are
//! opened. The first step that does not do what it should ends the demo with an error that names it.
//!
//! Where the operator names a database, the demo works in a fresh workspace of it and takes that away again. It
//! should be a database that no other node is serving: nodes share their work, but not the demo's folder.

mod authoring;
mod certificate;
mod checks;
mod course_text;
mod figures;
mod grades_csv;
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
mod results;
mod review;
mod review_report;
mod server;
mod students;
mod tutoring;
mod words;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use lyceum_wire::authoring::assignments::AssignmentView;

use authoring::UnitOutline;
use grading::Graded;
use input::Input;
use lyceum_service::Settings;
use lyceum_terminal::interruption::Interruption;
use outcome::Outcome;
use progress::Teller;
use receiver::Receiver;
use review::{Explained, Review};
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

    /// Print one JSON document; the steps are told on the standard error.
    #[arg(long)]
    json: bool,
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
    let interruption = Interruption::listen()?;
    let teller = Teller::new(arguments.json);
    teller.begin(&input, settings);
    let server = DemoServer::start(settings)
        .await
        .context("starting the demo's server")?;
    let (input, teller, output) = (&input, &teller, arguments.output.as_path());
    let stage = Stage {
        server: &server,
        input,
        teller,
        output,
    };
    // Boxed: the story's state is large, and lives across every wait.
    let told = tokio::select! {
        told = Box::pin(stage.tell()) => told,
        interrupted = interruption.asked() => Err(interrupted.saying(says(output)).into()),
    };
    // What was made is taken away again however the story ended.
    server.stop().await;
    told?;
    teller.end(&arguments.output, &results::FILES, begun.elapsed());
    Ok(())
}

fn says(output: &Path) -> String {
    let place = output.display();
    format!("the demo's server and its data are gone; what it wrote so far is in {place}")
}

/// What the story is told with.
struct Stage<'a> {
    server: &'a DemoServer,
    input: &'a Input,
    teller: &'a Teller,
    output: &'a Path,
}

impl Stage<'_> {
    async fn tell(&self) -> anyhow::Result<()> {
        let Self {
            server,
            teller,
            output,
            ..
        } = self;
        let client = &server.client;
        teller
            .step("workspace and key", authoring::sign_in(server))
            .await?;
        let receiver = Receiver::start().await.context("the webhook receiver")?;
        let secret = teller
            .step("webhook endpoint", authoring::listen(client, &receiver))
            .await?;
        let (course, outline) = self.author().await?;
        let cohort = teller
            .step("cohort", authoring::cohort(client, &course))
            .await?;
        let (assignment, graded) = self.teach(&course, &cohort.id).await?;
        let check = async { grading::check_evidence(&graded) };
        let quotes = teller.step("evidence", check).await?;
        let wanted = grading::announcements(&graded);
        let expected = receiver::expect(&receiver, teller, &secret, &wanted);
        teller.step("webhooks", expected).await?;
        for edition in packages::EDITIONS {
            let made = packages::make(client, teller, &cohort.id, edition, output);
            teller.step(edition.title, made).await?;
        }
        teller
            .step("isolation", refusals::check(server, &course))
            .await?;
        let (review, explained) = self.review(&assignment, &graded).await?;
        let records = teller
            .step("grade receipts", review::verify(client, &graded))
            .await?;
        self.earn(&course, &graded).await?;
        let talks = teller
            .step("tutor", tutoring::talk(client, &outline))
            .await?;
        let course = client
            .courses()
            .retrieve(&course)
            .await
            .context("the course, once more")?;
        let outcome = Outcome {
            course,
            outline,
            cohort,
            assignment,
            graded,
            quotes,
            review,
            explained,
            talks,
            records,
        };
        teller
            .step("results", async { results::write(&outcome, output) })
            .await
    }

    /// The teacher's own grades, a run that is calibrated by them, and one of them explained.
    async fn review(
        &self,
        assignment: &AssignmentView,
        graded: &[Graded],
    ) -> anyhow::Result<(Review, Explained)> {
        let Self { teller, .. } = self;
        let client = &self.server.client;
        let criteria = words::criteria(assignment);
        let by_hand = review::grade_by_hand(client, graded, &criteria);
        let by_hand = teller.step("human grades", by_hand).await?;
        let again = review::grade_again(client, teller, graded, &criteria, by_hand);
        let review = teller.step("calibrated run", again).await?;
        let explained = review::explain(client, graded, &review.by_hand);
        let explained = teller.step("explanation", explained).await?;
        Ok((review, explained))
    }

    /// A question whose AI grades earn to go out unseen, or do not.
    async fn earn(&self, course: &str, graded: &[Graded]) -> anyhow::Result<()> {
        let Self { teller, .. } = self;
        let client = &self.server.client;
        let learners = graded.iter().map(|one| one.submission.user_id.as_str());
        let learners: Vec<&str> = learners.collect();
        let prepared = certificate::prepare(client, teller, course, &learners);
        let trial = teller.step("judged answers", prepared).await?;
        let withstands = teller.step("red team", trial.attack(client)).await?;
        if withstands {
            teller
                .step("certificate", trial.earn(client, teller))
                .await?;
        }
        Ok(())
    }

    /// A course with its syllabus, published.
    async fn author(&self) -> anyhow::Result<(String, Vec<UnitOutline>)> {
        let Self { teller, input, .. } = self;
        let client = &self.server.client;
        let course = teller
            .step("course", authoring::course(client, input))
            .await?;
        let drafted = authoring::syllabus(client, teller, input, &course);
        let outline = teller.step("AI syllabus", drafted).await?;
        teller
            .step("publication", authoring::publish(client, &course.id))
            .await?;
        Ok((course.id, outline))
    }

    /// Students, their assignment, their answers and the grades of these.
    async fn teach(
        &self,
        course: &str,
        cohort: &str,
    ) -> anyhow::Result<(AssignmentView, Vec<Graded>)> {
        let Self { teller, input, .. } = self;
        let client = &self.server.client;
        let enrolled = students::enroll(client, teller, input, cohort);
        let students = teller.step("students", enrolled).await?;
        let assignment = teller
            .step("assignment", students::assign(client, input, course))
            .await?;
        let place = students::Place {
            assignment: &assignment.id,
            cohort,
        };
        let handed_in = students::hand_in(client, teller, input, &students, &place);
        let handed_in = teller.step("submissions", handed_in).await?;
        let graded = grading::grade(client, teller, input, &handed_in);
        let graded = teller.step("AI grading", graded).await?;
        Ok((assignment, graded))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use lyceum_service::ProviderSettings;

    use super::*;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        demo: DemoArguments,
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_story_ends_well_and_its_report_stands_alone() {
        let output = tempfile::tempdir().unwrap();
        let folder = output.path().to_str().unwrap();
        let arguments = Arguments::parse_from(["demo", "--output", folder]);
        let settings = Settings::new(
            "./lyceum-data",
            "http://127.0.0.1:8080",
            ProviderSettings::Builtin,
        );
        run(&settings.unwrap(), &arguments.demo).await.unwrap();
        for (file, _) in results::FILES {
            assert!(
                output.path().join(file).metadata().unwrap().len() > 1000,
                "{file}"
            );
        }
        let report = std::fs::read_to_string(output.path().join("report.html")).unwrap();
        assert_eq!(report.matches("<article").count(), 24);
        assert!(report.contains("Graded by the built-in engine, not by a language model."));
        for elsewhere in ["src=", "url(", "@import", "<script", "<link", "href=\"http"] {
            assert!(!report.contains(elsewhere), "{elsewhere}");
        }
    }
}
