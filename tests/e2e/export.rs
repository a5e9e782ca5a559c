//! `lyceum export`: a package from a running service into a file, or one line that says why not.

use std::fs;
use std::path::Path;
use std::process::Output;

use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::authoring::lessons::CreateLesson;
use lyceum_wire::authoring::units::CreateUnit;
use lyceum_wire::identity::workspaces::CreateWorkspace;
use lyceum_wire::learning::cohorts::CreateCohort;
use serde_json::Value;
use support::binary::Launch;
use tempfile::TempDir;

use crate::service::Service;

/// A cohort of a course with one lesson of this text; without a lesson when there is none.
async fn cohort(service: &Service, text: Option<&str>) -> String {
    let client = service.client();
    let course = CreateCourse {
        name: "Keeping food cold".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    let course_id = client.courses().create(&course).await.unwrap().id;
    let unit = CreateUnit {
        course_id: course_id.clone(),
        name: "Probes".to_owned(),
        ..CreateUnit::default()
    };
    let unit_id = client.units().create(&unit).await.unwrap().id;
    if let Some(text) = text {
        let lesson = CreateLesson {
            unit_id,
            name: "Reading a probe".to_owned(),
            content: Some(text.to_owned()),
            ..CreateLesson::default()
        };
        client.lessons().create(&lesson).await.unwrap();
    }
    let cohort = CreateCohort {
        course_id,
        name: "Spring".to_owned(),
        ..CreateCohort::default()
    };
    client.cohorts().create(&cohort).await.unwrap().id
}

/// Runs the command as somebody elsewhere would: with nothing but address and key.
fn export(service: &Service, key: &str, more: &[&str]) -> Output {
    let url = service.process.url();
    let mut arguments = vec!["export", "--url", &url, "--api-key", key];
    arguments.extend(more);
    service.process.run(&arguments)
}

fn complaint(output: &Output) -> String {
    assert!(!output.status.success(), "{output:?}");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    complaint
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_is_saved_whole_and_told_of() {
    let service = Service::start(Launch::new());
    let text = "A probe.\n\n![](https://lyceum.invalid/probe.png)";
    let cohort = cohort(&service, Some(text)).await;
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("course.zip");
    fs::write(&file, "an older one").unwrap();
    let path = file.to_str().unwrap();
    let output = export(&service, &service.key, &[&cohort, "-o", path]);
    assert!(output.status.success(), "{output:?}");
    assert!(fs::read(&file).unwrap().starts_with(b"PK\x03\x04"));
    assert_eq!(files(folder.path()), ["course.zip"]);
    let size = fs::metadata(&file).unwrap().len();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, format!("{path}: {size} bytes\n"));
    // Nobody watches: no bars, only what a person should know.
    let beside = String::from_utf8(output.stderr).unwrap();
    assert!(!beside.is_empty());
    assert!(
        beside.lines().all(|line| line.starts_with("warning: ")),
        "{beside}"
    );

    let more = [&cohort, "-o", path, "--version", "1.2", "--json"];
    let output = export(&service, &service.key, &more);
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    let package: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(package["version"], "1.2");
    assert_eq!(package["size_bytes"], fs::metadata(&file).unwrap().len());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_is_one_line_and_no_file() {
    let service = Service::start(Launch::new());
    let empty = cohort(&service, None).await;
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("course.zip");
    let path = file.to_str().unwrap();
    let nothing = complaint(&export(&service, &service.key, &[&empty, "-o", path]));
    assert!(nothing.contains("lesson"), "{nothing}");
    let unknown = complaint(&export(&service, &service.key, &["coh_x", "-o", path]));
    assert!(unknown.contains("cohort"), "{unknown}");
    let wrong = complaint(&export(&service, "nonsense", &[&empty, "-o", path]));
    assert!(wrong.contains("key"), "{wrong}");
    let nobody = [
        "export",
        &empty,
        "--url",
        "http://127.0.0.1:9",
        "--api-key",
        "k",
    ];
    let nobody = complaint(&service.process.run(&nobody));
    assert!(nobody.contains("could not be reached"), "{nobody}");
    let without = ["export", &empty, "--url", &service.process.url()];
    let without = complaint(&service.process.run(&without));
    assert!(without.contains("LYCEUM_API_KEY"), "{without}");
    assert!(files(folder.path()).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_platforms_one_is_named() {
    let service = Service::start(Launch::new());
    let cohort = cohort(&service, Some("A probe.")).await;
    let second = CreateWorkspace {
        name: "Evening school".to_owned(),
        ..CreateWorkspace::default()
    };
    service.client().workspaces().create(&second).await.unwrap();
    let platforms = service.client().platforms().list().collect().await.unwrap();
    assert_eq!(platforms.len(), 2, "{platforms:?}");
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("course.zip");
    let path = file.to_str().unwrap();
    let torn = complaint(&export(&service, &service.key, &[&cohort, "-o", path]));
    assert!(
        torn.contains("--platform") && torn.contains("main"),
        "{torn}"
    );
    let named = [&cohort, "-o", path, "--platform", "main"];
    assert!(export(&service, &service.key, &named).status.success());
    assert!(file.exists());
}
