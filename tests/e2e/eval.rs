//! `lyceum eval`: a grader held against people, from files to a report, without a service and without a database.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpResponse, HttpServer, web};
use serde_json::{Value, json};
use support::binary::binary;
use tempfile::TempDir;

/// Eight answers to two questions, half of them right.
fn data(folder: &Path) {
    let questions = [
        (
            "q0",
            "What does a plant take in?",
            "A plant takes in carbon dioxide and water.",
        ),
        (
            "q1",
            "What does a plant give off?",
            "A plant gives off oxygen into the air.",
        ),
    ];
    let lines = questions.map(|(id, question, reference)| {
        let line = json!({"question_id": id, "question": question, "references": [reference], "max_points": 4});
        line.to_string()
    });
    fs::write(folder.join("questions.jsonl"), lines.join("\n")).unwrap();
    let mut csv = "question_id,answer_id,answer,points\n".to_owned();
    for at in 0..8 {
        let (id, _, reference) = questions[at % 2];
        let (text, points) = if at < 4 {
            (reference, 4)
        } else {
            ("I like football.", 0)
        };
        writeln!(csv, "{id},a{at},answer-{at}: {text},{points}").unwrap();
    }
    fs::write(folder.join("answers.csv"), csv).unwrap();
}

/// The binary with nothing set but what is given, in a folder of its own.
fn lyceum(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("LYCEUM_")) {
        command.env_remove(name);
    }
    command
        .current_dir(folder)
        .env("HOME", folder)
        .args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const GRADE: [&str; 6] = [
    "eval",
    "grade",
    "--answers",
    "answers.csv",
    "--questions",
    "questions.jsonl",
];

#[test]
fn the_built_in_grader_is_evaluated_on_a_csv_and_leaves_nothing_else_behind() {
    let folder = TempDir::new().unwrap();
    data(folder.path());
    let with = |more: &[&str]| {
        let arguments = [&GRADE[..], &["--provider", "builtin"], more].concat();
        lyceum(folder.path(), &arguments).output().unwrap()
    };
    let output = with(&["--anchors", "0,3"]);
    assert!(output.status.success(), "{}", said(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["grader"]["provider"], "builtin");
    let runs = report["runs"].as_array().unwrap();
    let shown: Vec<(&Value, &Value)> = runs
        .iter()
        .map(|run| (&run["anchors"], &run["n"]))
        .collect();
    assert_eq!(shown, [(&json!(0), &json!(8)), (&json!(3), &json!(8))]);
    // Word matching tells the reference itself from football.
    assert_eq!(
        runs[0]["figures"]["spearman"]["value"]
            .as_f64()
            .map(|r| r > 0.8),
        Some(true)
    );
    assert_eq!(
        with(&["--anchors", "0,3"]).stdout,
        output.stdout,
        "the same again"
    );

    let output = with(&["--out", "r.json", "--html", "r.html", "--require", "qwk=-1"]);
    assert!(
        output.status.success() && output.stdout.is_empty(),
        "{}",
        said(&output)
    );
    let page = fs::read_to_string(folder.path().join("r.html")).unwrap();
    assert!(page.contains("8 answers, 2 questions"), "{page}");
    let mut files: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    files.sort();
    assert_eq!(
        files,
        ["answers.csv", "questions.jsonl", "r.html", "r.json"]
    );

    let output = lyceum(folder.path(), &["eval", "compare", "r.json", "r.json"])
        .output()
        .unwrap();
    let comparison: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(comparison["runs"][0]["shared"], 8);
}

#[test]
fn what_is_required_and_not_reached_fails_after_the_report() {
    let folder = TempDir::new().unwrap();
    data(folder.path());
    let arguments = [
        &GRADE[..],
        &["--provider", "builtin", "--require", "qwk=1.01"],
    ]
    .concat();
    let output = lyceum(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("1.01 is required"),
        "{}",
        said(&output)
    );
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
}

#[test]
fn the_attacks_that_ship_are_run_without_the_repository() {
    let folder = TempDir::new().unwrap();
    let with = |required: &str| {
        let arguments = [
            "eval",
            "injections",
            "--provider",
            "builtin",
            "--require",
            required,
        ];
        lyceum(folder.path(), &arguments).output().unwrap()
    };
    let output = with("injections=15");
    assert!(output.status.success(), "{}", said(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&report["cases"], &report["runs_per_case"]),
        (&json!(18), &json!(1))
    );
    assert_eq!(with("injections=19").status.code(), Some(1));
}

#[test]
fn a_wrong_file_is_named_in_one_line() {
    let folder = TempDir::new().unwrap();
    data(folder.path());
    fs::write(
        folder.path().join("answers.csv"),
        "question_id,answer,score\nq9,x,1\n",
    )
    .unwrap();
    let output = lyceum(folder.path(), &GRADE).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        said(&output),
        "lyceum: answers.csv, line 2: there is no question q9\n"
    );
}

const POLL: Duration = Duration::from_millis(20);

/// What a provider was asked, and after how many gradings it falls silent.
#[derive(Default)]
struct Provider {
    asked: Mutex<Vec<String>>,
    silent_after: Mutex<usize>,
}

impl Provider {
    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// A grading in the shape that every chat completion has.
fn completion() -> Value {
    let graded = json!({
        "criteria": [{"criterion_id": "content", "evidence": [], "rationale": "It says little.", "level_id": null,
            "points": 2, "confidence": 0.7, "missing": []}],
        "overall": {"strengths": [], "next_steps": [],
            "feedback": "You have made a start, and you can say more about what the plant does."},
        "integrity": {"instructions_in_submission": false, "off_topic": false, "language": "en", "note": ""},
    });
    json!({
        "id": "c", "object": "chat.completion", "model": "scripted-2026",
        "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": graded.to_string()}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    })
}

async fn complete(body: web::Bytes, provider: web::Data<Arc<Provider>>) -> HttpResponse {
    let text = String::from_utf8_lossy(&body).into_owned();
    if let Some(name) = text
        .split("answer-")
        .nth(1)
        .and_then(|rest| rest.split(':').next())
    {
        let so_far = {
            let mut asked = provider.asked.lock().unwrap();
            asked.push(name.to_owned());
            asked.len()
        };
        while so_far > *provider.silent_after.lock().unwrap() {
            actix_web::rt::time::sleep(POLL).await;
        }
    }
    HttpResponse::Ok().json(completion())
}

/// A provider that falls silent after three gradings; where it is, and what stops it.
fn provider() -> (Arc<Provider>, String, ServerHandle) {
    let provider = Arc::new(Provider::default());
    *provider.silent_after.lock().unwrap() = 3;
    let shared = web::Data::new(Arc::clone(&provider));
    let server = HttpServer::new(move || {
        App::new()
            .app_data(shared.clone())
            .default_service(web::post().to(complete))
    });
    let server = server
        .workers(1)
        .disable_signals()
        .bind("127.0.0.1:0")
        .unwrap();
    let base = format!("http://{}/v1", server.addrs()[0]);
    let server = server.run();
    let handle = server.handle();
    actix_web::rt::spawn(server);
    (provider, base, handle)
}

/// A run that asks it, one answer after the other.
fn asking(folder: &Path, base: &str) -> Command {
    let more = ["--at-once", "1", "--cache", "kept", "--out", "r.json"];
    let mut command = lyceum(folder, &[&GRADE[..], &more[..]].concat());
    command
        .env("LYCEUM_AI_PROVIDER", "openai")
        .env("LYCEUM_AI_BASE_URL", base)
        .env("LYCEUM_AI_API_KEY", "k")
        .env("LYCEUM_AI_MODEL", "scripted");
    command
}

async fn until_silent(provider: &Provider) {
    for _ in 0..3_000 {
        if provider.asked().len() > 3 {
            break;
        }
        actix_web::rt::time::sleep(POLL).await;
    }
    assert_eq!(provider.asked(), ["0", "1", "2", "3"]);
}

#[actix_web::test]
async fn a_run_that_is_killed_goes_on_and_pays_for_no_answer_twice() {
    let folder = TempDir::new().unwrap();
    data(folder.path());
    let (provider, base, handle) = provider();
    let mut killed = asking(folder.path(), &base).spawn().unwrap();
    until_silent(&provider).await;
    killed.kill().unwrap();
    killed.wait().unwrap();
    *provider.silent_after.lock().unwrap() = usize::MAX;
    let mut again = asking(folder.path(), &base);
    let output = web::block(move || again.output()).await.unwrap().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    // Only the one that nobody had answered yet is asked for again.
    assert_eq!(provider.asked()[4..], ["3", "4", "5", "6", "7"]);
    let report = fs::read(folder.path().join("r.json")).unwrap();
    let report: Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["runs"][0]["n"], 8);
    assert_eq!(report["grader"]["models"], json!(["scripted-2026"]));
    handle.stop(false).await;
}

#[actix_web::test]
async fn an_interrupted_run_ends_with_the_answer_under_way_and_goes_on_from_there() {
    let folder = TempDir::new().unwrap();
    data(folder.path());
    let (provider, base, handle) = provider();
    let interrupted = asking(folder.path(), &base).spawn().unwrap();
    until_silent(&provider).await;
    let pid = interrupted.id().to_string();
    let interrupt = || Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(interrupt().success());
    // The process has to hear of it first, and nothing outside shows that it has.
    actix_web::rt::time::sleep(Duration::from_secs(1)).await;
    // The answer under way comes; were another asked for, nobody would ever answer it.
    *provider.silent_after.lock().unwrap() = 4;
    let ended = web::block(move || interrupted.wait_with_output());
    let output = ended.await.unwrap().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    let last = said(&output).lines().last().unwrap().to_owned();
    assert!(last.starts_with("lyceum: interrupted; "), "{last}");
    let report = fs::read(folder.path().join("r.json")).unwrap();
    let report: Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["runs"][0]["n"], 4, "what was graded so far");
    *provider.silent_after.lock().unwrap() = usize::MAX;
    let mut again = asking(folder.path(), &base);
    again.arg("--json");
    let output = web::block(move || again.output()).await.unwrap().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let all = ["0", "1", "2", "3", "4", "5", "6", "7"];
    assert_eq!(provider.asked(), all, "none is paid for twice");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["runs"][0]["n"], 8);
    handle.stop(false).await;
}
