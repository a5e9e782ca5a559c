//! Steps of a teacher: signing in, writing a course, opening a cohort.

use std::time::Duration;

use anyhow::{Context, bail, ensure};
use lyceum_client::{Client, wait_until};
use lyceum_wire::authoring::activities::ActivityView;
use lyceum_wire::authoring::courses::CourseView;
use lyceum_wire::authoring::lessons::LessonView;
use lyceum_wire::authoring::units::UnitView;
use lyceum_wire::drafting::generations::{GenerationView, StartSyllabus, SyllabusContentWord};
use lyceum_wire::learning::cohorts::{CohortView, CreateCohort};
use lyceum_wire::notifying::webhooks::CreateWebhookEndpoint;

use super::checks::same;
use super::input::Input;
use super::progress::{Done, Teller};
use super::receiver::{Receiver, Secret};
use super::server::DemoServer;

/// Long enough for a language model to write a course.
const DRAFTING: Duration = Duration::from_mins(15);

/// A lesson and what is done in it.
pub struct LessonOutline {
    pub lesson: LessonView,
    pub activities: Vec<ActivityView>,
}

/// A unit and its lessons, in order.
pub struct UnitOutline {
    pub unit: UnitView,
    pub lessons: Vec<LessonOutline>,
}

/// The key works, and sees exactly the platform that was made for it.
pub async fn sign_in(server: &DemoServer) -> anyhow::Result<Done<()>> {
    let me = server.client.me().await.context("GET /v1/me")?;
    for scope in ["read:*", "write:*", "ai:*"] {
        ensure!(
            me.scopes.iter().any(|held| held == scope),
            "the key lacks the scope {scope}"
        );
    }
    let platforms = server
        .client
        .platforms()
        .list()
        .collect()
        .await
        .context("GET /v1/platforms")?;
    let [platform] = platforms.as_slice() else {
        bail!(
            "the key should see one platform and sees {}",
            platforms.len()
        );
    };
    same(
        "the platform's code",
        platform.code.as_deref().unwrap_or_default(),
        server.code.as_str(),
    )?;
    same(
        "the platform's workspace",
        &platform.workspace_id,
        &server.workspace,
    )?;
    let result = format!("platform {} at http://{}", server.code, server.address);
    Ok(Done::new((), server.workspace.clone(), result))
}

/// The demo's own receiver is told about every grade.
pub async fn listen(client: &Client, receiver: &Receiver) -> anyhow::Result<Done<Secret>> {
    let new = CreateWebhookEndpoint {
        url: receiver.url(),
        enabled_events: Some(vec!["submission.graded".to_owned()]),
        description: Some("The demo's own receiver".to_owned()),
    };
    let endpoint = client.webhook_endpoints().create(&new).await?;
    let secret = endpoint
        .secret
        .context("the new endpoint came without its secret")?;
    let secret = Secret::parse(&secret).context("the endpoint's secret")?;
    Ok(Done::new(secret, endpoint.id, endpoint.url))
}

pub async fn course(client: &Client, input: &Input) -> anyhow::Result<Done<CourseView>> {
    let course = client.courses().create(&input.course).await?;
    same("its status", course.status.as_str(), "draft")?;
    same("its generated hours", &course.duration.hours_generated, &0)?;
    let (id, result) = (
        course.id.clone(),
        format!("\"{}\", {} h", course.name, course.duration.hours),
    );
    Ok(Done::new(course, id, result))
}

/// The syllabus is drafted, lands whole and fills the hours to the minute.
pub async fn syllabus(
    client: &Client,
    teller: &Teller,
    input: &Input,
    course: &CourseView,
) -> anyhow::Result<Done<Vec<UnitOutline>>> {
    let wanted = StartSyllabus {
        brief: Some(input.brief.clone()),
        content: Some(SyllabusContentWord::Full),
        ..StartSyllabus::default()
    };
    let started = client
        .courses()
        .generate_syllabus(&course.id, &wanted)
        .await?;
    let made = watched(client, teller, &started.id).await?;
    if let Some(problem) = &made.error {
        bail!(
            "the generation failed: {} ({})",
            problem.message,
            problem.code
        );
    }
    same("the generation's status", made.status.as_str(), "ready")?;
    let outline = outline(client, &course.id).await?;
    let lessons: Vec<&LessonOutline> = outline.iter().flat_map(|unit| &unit.lessons).collect();
    let minutes: i64 = lessons
        .iter()
        .map(|lesson| i64::from(lesson.lesson.duration_minutes))
        .sum();
    same(
        "the minutes of all lessons",
        &minutes,
        &(course.duration.hours * 60),
    )?;
    let course = client.courses().retrieve(&course.id).await?;
    same(
        "hours_generated",
        &course.duration.hours_generated,
        &course.duration.hours,
    )?;
    let activities: usize = lessons.iter().map(|lesson| lesson.activities.len()).sum();
    let result = format!(
        "{} units, {} lessons, {activities} activities; {minutes} min = {} h",
        outline.len(),
        lessons.len(),
        course.duration.hours
    );
    Ok(Done::new(outline, made.id, result))
}

async fn watched(client: &Client, teller: &Teller, id: &str) -> anyhow::Result<GenerationView> {
    let bar = teller.bar("drafting", 1);
    let look = || async {
        let seen = client.generations().retrieve(id).await?;
        bar.at(u64::from(seen.status != "pending"));
        Ok(seen)
    };
    Ok(wait_until(DRAFTING, look, |seen| seen.status != "pending").await?)
}

async fn outline(client: &Client, course: &str) -> anyhow::Result<Vec<UnitOutline>> {
    let units = client.units().list().filter("course_id", course);
    let mut units = units.collect().await.context("its units")?;
    units.sort_by_key(|unit| unit.position);
    let mut outline = Vec::new();
    for unit in units {
        let mut found = client
            .lessons()
            .list()
            .filter("unit_id", &unit.id)
            .collect()
            .await
            .context("its lessons")?;
        found.sort_by_key(|lesson| lesson.position);
        let mut lessons = Vec::new();
        for lesson in found {
            let mut activities = client
                .activities()
                .list()
                .filter("lesson_id", &lesson.id)
                .collect()
                .await
                .context("its activities")?;
            activities.sort_by_key(|activity| activity.position);
            lessons.push(LessonOutline { lesson, activities });
        }
        let counted = usize::try_from(unit.lesson_count)?;
        same("a unit's lesson count", &lessons.len(), &counted)?;
        outline.push(UnitOutline { unit, lessons });
    }
    Ok(outline)
}

pub async fn publish(client: &Client, course: &str) -> anyhow::Result<Done<()>> {
    let course = client.courses().publish(course).await?;
    same("its status", course.status.as_str(), "published")?;
    Ok(Done::new((), course.id, "published"))
}

pub async fn cohort(client: &Client, course: &str) -> anyhow::Result<Done<CohortView>> {
    let new = CreateCohort {
        course_id: course.to_owned(),
        name: "Demo cohort".to_owned(),
        ..CreateCohort::default()
    };
    let cohort = client.cohorts().create(&new).await?;
    same("its status before", cohort.status.as_str(), "draft")?;
    let cohort = client.cohorts().start(&cohort.id).await?;
    same("its status", cohort.status.as_str(), "active")?;
    let id = cohort.id.clone();
    Ok(Done::new(cohort, id, "active"))
}
