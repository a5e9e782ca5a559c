//! A server that is killed with work in hand: what it accepted is done after all, and once.

use std::future::IntoFuture;
use std::time::{Duration, Instant};

use futures_util::future::{try_join_all, try_join3};
use lyceum_client::{Client, ClientError};
use lyceum_wire::authoring::assignments::CreateAssignment;
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::authoring::lessons::CreateLesson;
use lyceum_wire::authoring::units::{CreateUnit, UnitView};
use lyceum_wire::drafting::generations::StartSyllabus;
use lyceum_wire::exporting::scorm::{CreateScormPackage, ScormVersionWord};
use lyceum_wire::grading::submissions::{ContentInput, CreateSubmission, GradeWithAi};
use lyceum_wire::identity::users::CreateUser;
use lyceum_wire::learning::cohorts::CreateCohort;
use rstest::rstest;
use sha2::{Digest, Sha256};
use support::binary::Launch;
use support::chance::Chance;
use support::stores::Database;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::service::{Service, client};
use crate::traces::VARIABLE;

const SUBMISSIONS: usize = 20;
/// The leases of a killed node run out after a minute where other nodes may be alive.
const DEADLINE: Duration = Duration::from_mins(2);
/// From the last acceptance to the kill at most: by then the built-in engine may be done.
const LATEST_KILL: Duration = Duration::from_millis(150);

/// What there is to work on.
struct Material {
    course: String,
    cohort: String,
    submissions: Vec<String>,
}

/// Work that was answered 202.
struct Accepted {
    course: String,
    submissions: Vec<String>,
    packages: Vec<String>,
    generation: String,
}

async fn material(client: &Client) -> Result<Material, ClientError> {
    let course = CreateCourse {
        name: "Cooling".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    let course = client.courses().create(&course).await?.id;
    let unit = CreateUnit {
        course_id: course.clone(),
        name: "By hand".to_owned(),
        ..CreateUnit::default()
    };
    let lesson = CreateLesson {
        unit_id: client.units().create(&unit).await?.id,
        name: "Shallow pans".to_owned(),
        content: Some("Soup cools faster in *shallow* pans.".to_owned()),
        ..CreateLesson::default()
    };
    client.lessons().create(&lesson).await?;
    let cohort = CreateCohort {
        course_id: course.clone(),
        name: "Spring".to_owned(),
        ..CreateCohort::default()
    };
    let assignment = CreateAssignment {
        course_id: Some(course.clone()),
        name: "A cooling plan".to_owned(),
        instructions: Some("Say how you cool ten litres of soup.".to_owned()),
        ..CreateAssignment::default()
    };
    let assignment = client.assignments().create(&assignment).await?.id;
    let submissions = (0..SUBMISSIONS).map(|number| submission(client, &assignment, number));
    Ok(Material {
        cohort: client.cohorts().create(&cohort).await?.id,
        submissions: try_join_all(submissions).await?,
        course,
    })
}

async fn submission(
    client: &Client,
    assignment: &str,
    number: usize,
) -> Result<String, ClientError> {
    let user = CreateUser {
        email: format!("student{number}@example.org"),
        ..CreateUser::default()
    };
    let user = client.users().create(&user).await?.id;
    let submission = CreateSubmission {
        assignment_id: assignment.to_owned(),
        user_id: Some(user),
        content: Some(ContentInput {
            text: Some(format!(
                "I pour it into {number} shallow pans and stir it on ice."
            )),
            ..ContentInput::default()
        }),
        draft: Some(false),
        ..CreateSubmission::default()
    };
    Ok(client.submissions().create(&submission).await?.id)
}

/// Asks for everything at once and returns as soon as all of it is accepted.
async fn accept(client: &Client, material: &Material) -> Result<Accepted, ClientError> {
    let grading = async |id: &String| {
        let pending = client
            .submissions()
            .grade_with_ai(id, &GradeWithAi::default())
            .await?;
        assert_eq!(pending.ai_status.as_deref(), Some("pending"));
        Ok(pending.id.clone())
    };
    let package = async |version| {
        let wanted = CreateScormPackage {
            cohort_id: material.cohort.clone(),
            version: Some(version),
            ..CreateScormPackage::default()
        };
        Ok(client.scorm().create(&wanted).await?.id.clone())
    };
    let syllabus = StartSyllabus {
        brief: Some("Cooling food; storing food; serving food".to_owned()),
        hours: Some(3),
        ..StartSyllabus::default()
    };
    let versions = [ScormVersionWord::V12, ScormVersionWord::V2004];
    let (submissions, packages, generation) = try_join3(
        try_join_all(material.submissions.iter().map(grading)),
        try_join_all(versions.map(package)),
        client
            .courses()
            .generate_syllabus(&material.course, &syllabus)
            .into_future(),
    )
    .await?;
    Ok(Accepted {
        course: material.course.clone(),
        submissions,
        packages,
        generation: generation.into_view().id,
    })
}

async fn assert_done_once(client: &Client, accepted: &Accepted) {
    let start = Instant::now();
    let left = || DEADLINE.saturating_sub(start.elapsed());
    for id in &accepted.submissions {
        let submission = client.submissions().wait(id).within(left()).await.unwrap();
        assert_eq!(
            submission.ai_status.as_deref(),
            Some("ready"),
            "{:?}",
            submission.ai_error
        );
        let grades = client.submissions().grades(id).collect().await.unwrap();
        assert_eq!(grades.len(), 1, "{id}: {grades:?}");
        assert_eq!(grades[0].source, "ai");
        assert_eq!(events(client, "submission.graded", id).await, 1, "{id}");
    }
    let folder = TempDir::new().unwrap();
    for id in &accepted.packages {
        let package = client.scorm().wait(id).within(left()).await.unwrap();
        assert_eq!(package.status, "ready", "{:?}", package.error);
        assert_eq!(events(client, "scorm.ready", id).await, 1, "{id}");
        let file = folder.path().join(id);
        let path = format!("/v1/scorm/{id}/download");
        client.download(&path, &file).await.unwrap();
        let digest = hex(&Sha256::digest(std::fs::read(&file).unwrap()));
        assert_eq!(Some(digest), package.sha256);
    }
    let generation = client
        .generations()
        .wait(&accepted.generation)
        .within(left())
        .await
        .unwrap();
    assert_eq!(generation.status, "ready", "{:?}", generation.error);
    let drafted = generation.result.unwrap()["units"].as_u64().unwrap();
    let units = client.units().list().filter("course_id", &accepted.course);
    let units: Vec<UnitView> = units.collect().await.unwrap();
    let by_ai = units.iter().filter(|unit| unit.provenance.origin == "ai");
    assert_eq!(u64::try_from(by_ai.count()).unwrap(), drafted);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |digits, byte| {
        digits + &format!("{byte:02x}")
    })
}

async fn events(client: &Client, kind: &str, object: &str) -> usize {
    let events = client.events().list().filter("type", kind);
    let events = events.filter("object_id", object);
    events.await.unwrap().data.len()
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn work_accepted_before_a_crash_is_done_exactly_once(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut chance = Chance::from_variable("LYCEUM_TEST_SEED");
    let mut service = Service::on(database);
    let client = service.client();
    let material = material(&client).await.unwrap();
    let accepted = accept(&client, &material).await.unwrap();
    tokio::time::sleep(chance.up_to(LATEST_KILL)).await;
    service.process.kill();
    service.process.restart();
    assert_done_once(&client, &accepted).await;
}

/// An AI that takes questions and never answers: whoever asks it is busy until killed.
struct SilentAi {
    url: String,
    asked: watch::Receiver<usize>,
}

impl SilentAi {
    async fn listening() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (count, asked) = watch::channel(0);
        tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                held.push(stream);
                count.send_replace(held.len());
            }
        });
        Self { url, asked }
    }

    async fn asked_by(&mut self, askers: usize) {
        let enough = self.asked.wait_for(|asked| *asked >= askers);
        tokio::time::timeout(DEADLINE, enough)
            .await
            .unwrap()
            .unwrap();
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn work_in_the_hands_of_a_killed_server_is_taken_up_again(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut ai = SilentAi::listening().await;
    let folder = TempDir::new().unwrap();
    let launch = || Launch::new().data_dir(folder.path().join("data"));
    // One address for both servers, and each server its own AI.
    let url = match database {
        Database::Sqlite => format!("sqlite://{}/lyceum.db", folder.path().display()),
        Database::Postgres => support::postgres::cluster().create_database(),
    };
    let with_url = |launch: Launch| launch.env("LYCEUM_DATABASE_URL", &url);
    let mut first = Service::start(
        with_url(launch())
            .env("LYCEUM_AI_PROVIDER", "openai")
            .env("LYCEUM_AI_BASE_URL", &ai.url)
            .env("LYCEUM_AI_MODEL", "silent")
            // Else one asks what it can do, and the others wait for that.
            .env("LYCEUM_AI_STRUCTURED", "json_schema"),
    );
    let material = material(&first.client()).await.unwrap();
    let accepted = accept(&first.client(), &material).await.unwrap();
    ai.asked_by(4).await;
    first.process.kill();
    let second = with_url(launch())
        .env(VARIABLE, first.traces.mark())
        .start();
    assert_done_once(&client(&second, &first.key, "main"), &accepted).await;
}
