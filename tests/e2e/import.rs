//! `lyceum import`: a course and people into a running service, once, however often it is run.

use std::fs;
use std::process::Output;

use lyceum_wire::identity::users::CreateUser;
use lyceum_wire::learning::cohorts::CreateCohort;
use serde_json::{Value, json};
use support::binary::Launch;
use support::stores::Database;
use tempfile::TempDir;

use crate::service::Service;

const COURSE: &str = "---\nlanguage: de\nhours: 12\n---\n\n# Kalt halten\n\nWas eine Küche tut.\n\n## Fühler\n\n\
    Über Fühler.\n\n### Ablesen\n\n- *erst* warten\n- dann lesen\n\n### Putzen\n\nMit Wasser.\n\n## Eis\n\n### Ablesen\n\nEs ist kalt.\n";

struct Importing {
    service: Service,
    folder: TempDir,
}

impl Importing {
    fn new() -> Self {
        Self {
            service: Service::start(Launch::new()),
            folder: TempDir::new().unwrap(),
        }
    }

    fn run(&self, name: &str, text: &str, more: &[&str]) -> Output {
        let file = self.folder.path().join(name);
        fs::write(&file, text).unwrap();
        let url = self.service.process.url();
        let mut arguments = vec!["import", file.to_str().unwrap()];
        arguments.extend(["--url", &url, "--api-key", &self.service.key]);
        arguments.extend(more);
        self.service.process.run(&arguments)
    }

    /// What it says to a program.
    fn told(&self, name: &str, text: &str, more: &[&str]) -> Value {
        let output = self.run(name, text, &[more, &["--json"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{said}");
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_course_is_made_once_and_gone_on_with_where_the_file_grew() {
    let import = Importing::new();
    let client = import.service.client();
    let dry = import.told("course.md", COURSE, &["--dry-run"]);
    let all = json!({"courses": 1, "units": 2, "lessons": 3});
    assert_eq!((&dry["made"], &dry["dry_run"]), (&all, &json!(true)));
    assert!(client.courses().list().collect().await.unwrap().is_empty());

    let made = import.told("course.md", COURSE, &[]);
    assert_eq!((&made["made"], &made["there"]), (&all, &json!({})));
    let id = made["course_id"].as_str().unwrap();
    let course = client.courses().retrieve(id).await.unwrap();
    assert_eq!(
        (
            course.name.as_str(),
            course.language.as_str(),
            course.duration.hours
        ),
        ("Kalt halten", "de", 12)
    );
    assert_eq!(course.description, "Was eine Küche tut.");
    let units = client
        .units()
        .list()
        .filter("course_id", id)
        .collect()
        .await
        .unwrap();
    let names: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
    assert_eq!(names, ["Fühler", "Eis"]);
    assert_eq!(units[0].description, "Über Fühler.");
    let lessons = client
        .lessons()
        .list()
        .filter("unit_id", &units[0].id)
        .collect()
        .await
        .unwrap();
    let texts: Vec<(&str, &str)> = lessons
        .iter()
        .map(|lesson| (lesson.name.as_str(), lesson.content.as_str()))
        .collect();
    let reading = ("Ablesen", "- *erst* warten\n- dann lesen");
    assert_eq!(texts, [reading, ("Putzen", "Mit Wasser.")]);

    let again = import.told("course.md", COURSE, &[]);
    assert_eq!((&again["made"], &again["there"]), (&json!({}), &all));
    assert_eq!(again["course_id"], made["course_id"]);
    assert_eq!(again["differs"], json!([]));

    let grown = COURSE.replace(
        "### Putzen\n\nMit Wasser.",
        "### Wozu\n\nSo.\n\n### Putzen\n\nTrocken.",
    );
    let grown = import.told("course.md", &grown, &[]);
    assert_eq!(grown["made"], json!({"lessons": 1}));
    assert_eq!(grown["differs"].as_array().unwrap().len(), 1, "{grown}");
    let lessons = client
        .lessons()
        .list()
        .filter("unit_id", &units[0].id)
        .collect()
        .await
        .unwrap();
    let names: Vec<&str> = lessons.iter().map(|lesson| lesson.name.as_str()).collect();
    assert_eq!(names, ["Ablesen", "Wozu", "Putzen"]);
    assert_eq!(
        lessons[2].content, "Mit Wasser.",
        "what is there is left alone"
    );
    assert_eq!(client.courses().list().collect().await.unwrap().len(), 1);

    // The keys of yesterday's import are still remembered, and what they made is gone.
    client.courses().delete(id).await.unwrap();
    let anew = import.told("course.md", COURSE, &[]);
    assert_eq!(anew["made"], all);
    assert_ne!(anew["course_id"], made["course_id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_made_once_and_have_their_places() {
    let import = Importing::new();
    let client = import.service.client();
    let course = import.told("course.md", COURSE, &[]);
    let cohort = CreateCohort {
        course_id: course["course_id"].as_str().unwrap().to_owned(),
        name: "Frühling".to_owned(),
        ..CreateCohort::default()
    };
    let cohort = client.cohorts().create(&cohort).await.unwrap().id;
    let known = CreateUser {
        email: "ada@example.org".to_owned(),
        name: Some("Ada".to_owned()),
        ..CreateUser::default()
    };
    client.users().create(&known).await.unwrap();
    let text = format!(
        "email,name,role,cohort\nAda@example.org,Ada L.,teacher,\nben@example.org,Ben,,Frühling\ncleo@example.org,,student,{cohort}\n"
    );
    let made = import.told("people.csv", &text, &[]);
    assert_eq!(made["made"], json!({"users": 2, "enrollments": 2}));
    assert_eq!(made["there"], json!({"users": 1}));
    assert_eq!(made["differs"].as_array().unwrap().len(), 2, "{made}");
    let again = import.told("people.csv", &text, &[]);
    assert_eq!(again["made"], json!({}));
    assert_eq!(again["there"], json!({"users": 3, "enrollments": 2}));
    let students = client.cohorts().students(&cohort).collect().await.unwrap();
    assert_eq!(students.len(), 2);
    let ada = client
        .users()
        .list()
        .filter("email", "ada@example.org")
        .collect()
        .await
        .unwrap();
    assert_eq!(ada[0].role, "student", "who is there is left alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_problems_is_refused_whole() {
    let import = Importing::new();
    let client = import.service.client();
    let text = "email,role,cohort\nada@example.org,,Nowhere\nben,,\ncleo@example.org,boss,\n";
    let refused = import.run("people.csv", text, &[]);
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8(refused.stderr).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].contains("people.csv:3: email"), "{said}");
    assert!(lines[1].contains("people.csv:4: role"), "{said}");
    assert_eq!(lines[2], "2 wrong; nothing was imported");
    // What only the service knows is looked up before anything is made.
    let text = "email,cohort\nada@example.org,Nowhere\n";
    let refused = import.run("people.csv", text, &["--json"]);
    assert_eq!(refused.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_eq!(told["problems"][0]["line"], 2, "{told}");
    let users = client.users().list().collect().await.unwrap();
    assert_eq!(users.len(), 1, "the owner");
    let other = import.run("people.txt", text, &[]);
    let said = String::from_utf8(other.stderr).unwrap();
    assert!(said.contains("neither"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_service_refuses_is_told_with_its_line_and_how_far_it_came() {
    let import = Importing {
        service: Service::on(Database::Sqlite),
        folder: TempDir::new().unwrap(),
    };
    let client = import.service.client();
    let scoped = json!({"name": "reads", "scopes": ["read:*"]});
    let key: Value = client.post("/v1/api_keys", &scoped).await.unwrap();
    let file = import.folder.path().join("course.md");
    fs::write(&file, COURSE).unwrap();
    let (url, key) = (
        import.service.process.url(),
        key["api_key"].as_str().unwrap(),
    );
    let arguments = [
        "import",
        file.to_str().unwrap(),
        "--url",
        &url,
        "--api-key",
        key,
    ];
    let refused = import.service.process.run(&arguments);
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("0 of 6 things are in the service"), "{said}");
    assert!(said.contains("line 6: "), "{said}");
}
