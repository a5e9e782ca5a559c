//! The Rust client against the real binary: what only a real service can show.

use futures_util::TryStreamExt;
use lyceum_client::{ErrorKind, Expanded, Platform, wait_until, webhooks};
use lyceum_wire::authoring::courses::{CourseView, CreateCourse, UpdateCourse};
use lyceum_wire::authoring::lessons::LessonView;
use lyceum_wire::authoring::units::UnitView;
use lyceum_wire::drafting::generations::StartSyllabus;
use lyceum_wire::identity::workspaces::CreateWorkspace;
use lyceum_wire::notifying::webhooks::CreateWebhookEndpoint;
use lyceum_wire::patch::Patch;
use support::binary::Launch;
use support::receiver::Receiver;

use crate::service::{SOON, Service};

fn course(name: &str) -> CreateCourse {
    CreateCourse {
        name: name.to_owned(),
        language: "en".to_owned(),
        description: Some("Washing hands. Cleaning boards and knives.".to_owned()),
        hours: Some(2),
        ..CreateCourse::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_is_followed_waited_for_and_read_with_everything_in_it() {
    let service = Service::start(Launch::new());
    let client = service.client();
    let made = client.courses().create(&course("Hygiene")).await.unwrap();
    let generation = client
        .courses()
        .generate_syllabus(&made.id, &StartSyllabus::default())
        .await
        .unwrap();
    let changes = client.generations().follow(&generation.id);
    let changes: Vec<_> = changes.try_collect().await.unwrap();
    assert_eq!(changes.last().unwrap().status, "ready");
    let ended = generation.wait().within(SOON).await.unwrap();
    assert_eq!(&ended, changes.last().unwrap());

    let whole = client.courses().retrieve(&made.id);
    let whole = whole.expand("units.lessons,cohorts").await.unwrap();
    assert_eq!(whole.name, "Hygiene");
    let units: Vec<Expanded<UnitView>> = whole.many("units").unwrap();
    let lessons: Vec<LessonView> = units[0].many("lessons").unwrap();
    assert_eq!(u32::try_from(lessons.len()), Ok(units[0].lesson_count));
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_streams_in_the_workspace_that_a_call_chooses() {
    let service = Service::start(Launch::new());
    let client = service.client();
    let other = CreateWorkspace {
        name: "Other".to_owned(),
        ..CreateWorkspace::default()
    };
    let other = client.workspaces().create(&other).await.unwrap();
    let there = Platform::Uuid(other.platform.uuid);
    for n in 1..=5 {
        let new = course(&format!("Course {n}"));
        let create = client.courses().create(&new);
        create.on(there.clone()).await.unwrap();
    }
    let here = client.courses().list().collect().await.unwrap();
    assert_eq!(here, []);
    let mut all = client.on(there).courses().list().limit(2).all();
    let mut names = Vec::new();
    while let Some(course) = all.try_next().await.unwrap() {
        names.push(course.name);
    }
    assert_eq!(
        names,
        ["Course 5", "Course 4", "Course 3", "Course 2", "Course 1"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_holds_for_the_version_that_was_read_and_a_key_has_one_effect() {
    let service = Service::start(Launch::new());
    let client = service.client();
    let create = || {
        client
            .courses()
            .create(&course("Hygiene"))
            .idempotency_key("once")
    };
    let first = create().answer().await.unwrap();
    let again = create().answer().await.unwrap();
    assert_eq!(first.value.id, again.value.id);
    assert_eq!((first.replayed, again.replayed), (false, true));

    let id = &first.value.id;
    let read = client.courses().retrieve(id).answer().await.unwrap();
    let rename = |name: &str| UpdateCourse {
        name: Patch::Set(name.to_owned()),
        ..UpdateCourse::default()
    };
    let etag = read.etag.unwrap();
    let update = |name| client.courses().update(id, &rename(name)).if_match(&etag);
    let changed: CourseView = update("Clean kitchens").await.unwrap();
    assert_eq!(changed.name, "Clean kitchens");
    let late = update("Dirty kitchens").await.unwrap_err();
    assert_eq!(
        (late.status(), late.code()),
        (Some(412), Some("precondition_failed"))
    );

    let refused = client
        .courses()
        .create(&CreateCourse::default())
        .await
        .unwrap_err();
    assert_eq!(refused.kind(), Some(ErrorKind::InvalidRequest));
    let fields: Vec<&str> = refused.fields().map(|(field, _)| field).collect();
    assert_eq!(fields, ["language", "name"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_of_the_service_is_believed_and_read() {
    let receiver = Receiver::answering([]).await;
    let service = Service::start(Launch::new().env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8"));
    let client = service.client();
    let endpoint = CreateWebhookEndpoint {
        url: receiver.url.clone(),
        enabled_events: Some(vec!["course.created".to_owned()]),
        ..CreateWebhookEndpoint::default()
    };
    let endpoint = client.webhook_endpoints().create(&endpoint).await.unwrap();
    let secret = endpoint.secret.unwrap();
    let made = client.courses().create(&course("Hygiene")).await.unwrap();
    let look = || async { Ok(receiver.messages()) };
    let came = wait_until(SOON, look, |came| !came.is_empty()).await;
    let [message] = <[_; 1]>::try_from(came.unwrap()).unwrap();
    let header = |name: &str| Some(message.header(name));
    let event = webhooks::verify(&[&secret], header, &message.body).unwrap();
    assert_eq!(event.kind, "course.created");
    assert_eq!(event.object::<CourseView>().unwrap().id, made.id);
}
