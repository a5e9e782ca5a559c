//! Mail, by a real mail server: what arrives, what does not, and how often.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use lyceum_client::wait_until;
use rcgen::CertifiedKey;
use rstest::rstest;
use serde_json::{Value, json};
use support::binary::{Launch, LyceumProcess, free_address};
use support::stores::Database;
use tempfile::TempDir;

use crate::node::{self, Programs};
use crate::python::python;
use crate::service::{SOON, Service, place};
use crate::traces::{NoTraces, VARIABLE};

const ADA: &str = "ada@school.example";
const PASSWORD: &str = "s3cret/of:ours";

/// A mail server, gone when it is dropped; what it took stays in its folder.
struct MailServer {
    address: SocketAddr,
    folder: TempDir,
    python: PathBuf,
    child: Option<Child>,
}

impl MailServer {
    /// One that does not run yet.
    fn prepared() -> Self {
        Self {
            address: free_address(),
            folder: TempDir::with_prefix("lyceum-mail-").unwrap(),
            python: python("mail_server"),
            child: None,
        }
    }

    /// One that takes everything in plain.
    async fn started(traces: &NoTraces) -> Self {
        Self::answering(traces, &[]).await
    }

    async fn answering(traces: &NoTraces, more: &[&str]) -> Self {
        let mut server = Self::prepared();
        server.start(traces, more).await;
        server
    }

    async fn start(&mut self, traces: &NoTraces, more: &[&str]) {
        let server = concat!(env!("CARGO_MANIFEST_DIR"), "/e2e/mail_server/server.py");
        let child = Command::new(self.python.join("bin/python"))
            .arg(server)
            .arg(self.address.port().to_string())
            .arg(self.folder.path())
            .args(more)
            .env(VARIABLE, traces.mark())
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        self.child = Some(child);
        let address = self.address;
        let answers = || async { Ok(tokio::net::TcpStream::connect(address).await.is_ok()) };
        wait_until(SOON, answers, |up| *up).await.unwrap();
    }

    fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(child.kill());
            drop(child.wait());
        }
    }

    /// How a service gets there without a word that others could not read.
    fn launch(&self) -> Launch {
        let url = format!("smtp://{}?tls=none", self.address);
        sending_by(Launch::new(), &url)
    }

    /// What it keeps of one kind, oldest first.
    fn kept(&self, kind: &str) -> Vec<Value> {
        let entries = fs::read_dir(self.folder.path())
            .unwrap()
            .map(Result::unwrap);
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.retain(|file| {
            let name = file.file_name().unwrap().to_string_lossy();
            name.starts_with(kind) && name.ends_with(".json")
        });
        files.sort();
        let read = |file: &PathBuf| serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        files.iter().map(read).collect()
    }

    fn mails(&self) -> Vec<Value> {
        self.kept("mail")
    }

    async fn until_mails(&self, count: usize) -> Vec<Value> {
        let found = || async { Ok(self.mails()) };
        wait_until(SOON, found, |mails| mails.len() >= count)
            .await
            .unwrap()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn sending_by(launch: Launch, url: &str) -> Launch {
    launch
        .env("LYCEUM_SMTP_URL", url)
        .env("LYCEUM_MAIL_FROM", "Schule am See <lyceum@school.example>")
}

/// Everything that a command said.
fn said(output: &Output) -> String {
    let [printed, complaint] = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b));
    format!("{printed}{complaint}")
}

fn test_mail(process: &LyceumProcess, more: &[&str]) -> Output {
    let arguments = ["mail", "test", "--to", ADA].iter().chain(more);
    process.run(&arguments.copied().collect::<Vec<_>>())
}

fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    said(output)
}

fn failed(output: &Output) -> String {
    assert!(!output.status.success(), "{}", said(output));
    said(output)
}

/// A command over these settings, without a service.
fn alone(traces: &NoTraces, launch: Launch) -> LyceumProcess {
    launch.env(VARIABLE, traces.mark()).prepare()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_arrives_in_plain_and_in_html_with_the_headers_of_what_no_person_wrote() {
    let traces = NoTraces::expected();
    let server = MailServer::started(&traces).await;
    let process = alone(&traces, server.launch());
    let told = succeeded(&test_mail(&process, &["--language", "de-AT"]));
    assert!(told.contains("took the mail"), "{told}");
    let [mail] = <[Value; 1]>::try_from(server.mails()).unwrap();
    assert_eq!(mail["from"], "lyceum@school.example");
    assert_eq!(mail["to"], json!([ADA]));
    assert_eq!(mail["type"], "multipart/alternative");
    assert_eq!(mail["is_ascii"], true, "what it says is encoded");
    let headers = &mail["headers"];
    assert_eq!(headers["Auto-Submitted"], "auto-generated");
    assert_eq!(headers["Content-Language"], "de");
    assert_eq!(headers["From"], "Schule am See <lyceum@school.example>");
    assert!(headers["Subject"].as_str().unwrap().contains("kommt an"));
    assert!(headers["Date"].is_string());
    let id = headers["Message-ID"].as_str().unwrap();
    assert!(
        id.starts_with("<eml_") && id.ends_with("@school.example>"),
        "{id}"
    );
    for part in ["plain", "html"] {
        assert!(mail[part].as_str().unwrap().contains("Guten Tag"), "{mail}");
    }
    assert!(mail["html"].as_str().unwrap().contains("lang=\"de\""));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_waits_is_sent_by_the_service_and_what_becomes_of_it_is_told(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let traces = NoTraces::expected();
    let server = MailServer::answering(&traces, &["--answers", "451,250,550"]).await;
    let service = Service::start(place(server.launch(), database));
    // Not now, and then: a greylist.
    let told = succeeded(&test_mail(&service.process, &["--queued"]));
    assert!(told.contains("refused (451)"), "{told}");
    assert!(told.contains("at attempt 2"), "{told}");
    assert_eq!(server.mails().len(), 1);
    // Never.
    let told = failed(&test_mail(&service.process, &["--queued"]));
    assert!(
        told.contains("given up at attempt 1: refused (550)"),
        "{told}"
    );
    thread::sleep(Duration::from_secs(7));
    assert_eq!(server.kept("rcpt").len(), 3, "it is not tried again");
    assert_eq!(server.mails().len(), 1);
    let log = service.process.stderr();
    assert!(!log.contains(ADA), "the log tells nobody's address: {log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_waits_for_a_mail_server_that_is_down() {
    let traces = NoTraces::expected();
    let mut server = MailServer::prepared();
    let service = Service::start(server.launch());
    let waiting = service
        .process
        .begin(&["mail", "test", "--to", ADA, "--queued"]);
    tokio::time::sleep(Duration::from_secs(2)).await;
    server.start(&traces, &[]).await;
    let told = succeeded(&tokio::task::spawn_blocking(|| waiting.end()).await.unwrap());
    assert!(told.contains("no_answer"), "{told}");
    assert_eq!(server.mails().len(), 1);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_service_had_in_hand_arrives_and_what_it_had_settled_does_not_again(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let traces = NoTraces::expected();
    let server = MailServer::started(&traces).await;
    let launch = server.launch().env("LYCEUM_NODE_NAME", "one");
    let mut service = Service::start(place(launch, database));
    succeeded(&test_mail(&service.process, &["--queued"]));
    assert_eq!(server.mails().len(), 1);
    // The mail server has the next one, and the service does not hear it say so.
    let hold = server.folder.path().join("hold");
    fs::write(&hold, "").unwrap();
    let told = failed(&test_mail(&service.process, &["--queued", "--wait", "2"]));
    assert!(told.contains("nothing became of it within 2 s"), "{told}");
    server.until_mails(2).await;
    service.process.kill();
    fs::remove_file(&hold).unwrap();
    service.process.restart();
    let mails = server.until_mails(3).await;
    let id = |at: usize| mails[at]["headers"]["Message-ID"].clone();
    assert_eq!(id(1), id(2), "whoever gets it twice can tell");
    assert_ne!(id(0), id(1));
    // Both are settled now.
    tokio::time::sleep(Duration::from_secs(3)).await;
    service.process.kill();
    service.process.restart();
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(server.mails().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_nodes_one_sends_a_mail() {
    let traces = NoTraces::expected();
    let server = MailServer::started(&traces).await;
    let url = support::postgres::cluster().create_database();
    let folder = TempDir::new().unwrap();
    let launch = || {
        server
            .launch()
            .env("LYCEUM_DATABASE_URL", &url)
            .env(VARIABLE, traces.mark())
            .data_dir(folder.path().join("data"))
    };
    let (one, _other) = (launch().start(), launch().start());
    for count in 1..=6 {
        succeeded(&test_mail(&one, &["--queued"]));
        assert_eq!(server.mails().len(), count);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(server.mails().len(), 6);
}

/// A certificate of nobody's for this machine by name: where it is, and where its key is.
fn certificate(folder: &Path) -> [String; 2] {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let places = ["cert.pem", "key.pem"].map(|name| folder.join(name).display().to_string());
    fs::write(&places[0], cert.pem()).unwrap();
    fs::write(&places[1], signing_key.serialize_pem()).unwrap();
    places
}

#[rstest]
#[case::starttls("smtp", &[])]
#[case::from_the_first_byte_on("smtps", &["--implicit"])]
#[tokio::test(flavor = "multi_thread")]
async fn links_and_passwords_travel_encrypted_to_a_server_that_is_trusted(
    #[case] scheme: &str,
    #[case] how: &[&str],
) {
    let traces = NoTraces::expected();
    let folder = TempDir::new().unwrap();
    let [certificate, key] = certificate(folder.path());
    let mut arguments = vec!["--certificate", &certificate, "--key", &key];
    let known = format!("lyceum:{PASSWORD}");
    arguments.extend(["--password", &known]);
    arguments.extend(how);
    let server = MailServer::answering(&traces, &arguments).await;
    let with = |password: &str, trusted: bool| {
        let port = server.address.port();
        let url = format!("{scheme}://lyceum:{password}@localhost:{port}");
        let launch = sending_by(Launch::new(), &url);
        let launch = if trusted {
            launch.env("SSL_CERT_FILE", &certificate)
        } else {
            launch
        };
        alone(&traces, launch)
    };
    let written = "s3cret%2Fof:ours";
    let told = failed(&test_mail(&with(written, false), &[]));
    assert!(told.contains("tls"), "{told}");
    assert!(server.mails().is_empty());
    let told = failed(&test_mail(&with("another", true), &[]));
    assert!(told.contains("credentials (535)"), "{told}");
    let process = with(written, true);
    succeeded(&test_mail(&process, &[]));
    let [mail] = <[Value; 1]>::try_from(server.mails()).unwrap();
    assert_eq!(mail["is_encrypted"], true);
    assert_eq!(mail["name"], "lyceum");
    for command in [
        &["doctor"][..],
        &["mail", "test", "--to", ADA, "--help-settings"],
        &["--help-settings"],
    ] {
        let told = said(&process.run(command));
        assert!(
            !told.contains(PASSWORD) && !told.contains(written),
            "{told}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_encrypt_hears_no_word_of_ours() {
    let traces = NoTraces::expected();
    let server = MailServer::started(&traces).await;
    let url = format!("smtp://localhost:{}", server.address.port());
    let told = failed(&test_mail(
        &alone(&traces, sending_by(Launch::new(), &url)),
        &[],
    ));
    assert!(told.contains("tls"), "{told}");
    assert!(server.kept("rcpt").is_empty());
}

fn finding(process: &LyceumProcess) -> Value {
    let output = process.run(&["doctor", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = told["findings"].as_array().unwrap().clone();
    findings
        .into_iter()
        .find(|one| one["id"] == "mail")
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_greets_the_mail_server_and_sends_nothing() {
    let traces = NoTraces::expected();
    let mut server = MailServer::started(&traces).await;
    let process = alone(&traces, server.launch());
    assert_eq!(finding(&process)["verdict"], "fine");
    assert!(server.kept("rcpt").is_empty());
    server.stop();
    let found = finding(&process);
    assert_eq!(found["verdict"], "problem", "{found}");
    let none = alone(&traces, Launch::new());
    assert_eq!(finding(&none)["verdict"], "fine");
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_of_the_operator_s_are_sent_and_a_wrong_one_is_told_at_the_start() {
    let traces = NoTraces::expected();
    let server = MailServer::started(&traces).await;
    let folder = TempDir::new().unwrap();
    let german = folder.path().join("de");
    fs::create_dir(&german).unwrap();
    fs::write(german.join("test.subject"), "Probe der Schule").unwrap();
    let launch = || server.launch().env("LYCEUM_MAIL_TEMPLATES", folder.path());
    let process = alone(&traces, launch());
    succeeded(&test_mail(&process, &["--language", "de"]));
    let [mail] = <[Value; 1]>::try_from(server.mails()).unwrap();
    assert_eq!(mail["headers"]["Subject"], "Probe der Schule");
    assert!(
        mail["plain"].as_str().unwrap().contains("Guten Tag"),
        "ours"
    );
    let wrong = german.join("invitation.txt");
    fs::write(&wrong, "Hallo {{ vorname }}, {{ link }} bis {{ until }}").unwrap();
    let told = failed(&alone(&traces, launch()).run(&["serve"]));
    let file = wrong.display().to_string();
    assert!(told.contains(&file) && told.contains("vorname"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_signs_in_by_a_link_that_came_by_mail_in_the_browser_that_asked() {
    let traces = NoTraces::expected();
    let server = MailServer::started(&traces).await;
    let service = Service::start(server.launch());
    let mut command = Programs::of("console").command("mail_link.mjs", &service.traces);
    let owner = "owner@localhost.localdomain";
    let walked = node::output(
        command
            .env("BASE", service.process.url())
            .env("MAILS", server.folder.path())
            .env("ADDRESS", owner),
    );
    let report: Value = serde_json::from_slice(&walked.stdout).unwrap();
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    let elsewhere = report["elsewhere"].as_str().unwrap_or_default();
    assert!(
        elsewhere.contains("the browser that you asked"),
        "{report:#}"
    );
    // What lets in stands in no address that a browser keeps.
    assert_eq!(report["address"], "", "{report:#}");
    assert_eq!(report["came_in"], owner, "{report:#}");
}
