//! Every shell block of the README and of the handbook runs as it stands there.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rstest::rstest;
use support::binary::{Launch, free_address};
use support::receiver::Receiver;
use support::stores::Database;
use tempfile::TempDir;

use crate::service::{Service, place};
use crate::traces::VARIABLE;

const README: &str = "README.md";
const HANDBOOK: &str = "docs/api.md";
const TUTORIAL: &str = "docs/tutorial.md";
/// The pages with shell blocks; each is a value of the test below. All blocks of a page run in one shell, in
/// their order.
const PAGES: [&str; 3] = [README, HANDBOOK, TUTORIAL];
/// Blocks that a test cannot run: their page, and the reason as it stands before the block in
/// `<!-- not run: reason -->`.
const NOT_RUN: [(&str, &str); 4] = [
    ("docs/api.md", "needs a bucket that browsers reach"),
    ("docs/clients.md", "needs npx"),
    ("docs/identity.md", "needs `api` of the API's page"),
    (
        "docs/operations.md",
        "needs a database with data in it, and replaces it",
    ),
];

/// Says where a script stopped; it stands where the page has its title.
const TRAP: &str = r#"trap 'echo "$0: line $LINENO: $BASH_COMMAND" >&2' ERR"#;

/// The longest page takes ten seconds; a busy machine may need many more.
const DEADLINE: Duration = Duration::from_mins(2);

/// What stands between two fences of a page.
struct Block {
    language: String,
    /// Why it is not run, if the page says so.
    not_run: Option<String>,
    /// Number of its first line, from 0.
    start: usize,
    lines: Vec<String>,
}

impl Block {
    fn is_shell(&self) -> bool {
        matches!(self.language.as_str(), "sh" | "bash" | "shell" | "console")
    }

    fn runs(&self) -> bool {
        self.is_shell() && self.not_run.is_none()
    }

    /// Its commands; one that is continued behind a backslash is one.
    fn commands(&self) -> Vec<String> {
        let joined = self.lines.join("\n").replace("\\\n", " ");
        joined.lines().map(str::to_owned).collect()
    }
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    let mut before = "";
    for (number, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => block.lines.push(line.to_owned()),
            (None, Some(language)) => {
                let reason = before.strip_prefix("<!-- not run: ");
                open = Some(Block {
                    language: language.trim().to_owned(),
                    not_run: reason
                        .and_then(|text| text.strip_suffix(" -->"))
                        .map(str::to_owned),
                    start: number + 1,
                    lines: Vec::new(),
                });
            }
            (None, None) if !line.trim().is_empty() => before = line.trim(),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap()
}

/// The README and every page of the documentation.
fn pages() -> Vec<String> {
    let mut pages = vec![README.to_owned()];
    pages_below("docs", &mut pages);
    pages.sort();
    pages
}

fn pages_below(folder: &str, pages: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{folder}/{}", entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            pages_below(&name, pages);
        } else if Path::new(&name).extension().is_some_and(|end| end == "md") {
            pages.push(name);
        }
    }
}

/// The blocks that run, each at the line where it stands in its page, so that bash names that line.
fn script(page: &str) -> String {
    let text = read(page);
    let mut lines = vec![String::new(); text.lines().count()];
    TRAP.clone_into(&mut lines[0]);
    for block in blocks(&text).iter().filter(|block| block.runs()) {
        for (number, line) in block.lines.iter().enumerate() {
            lines[block.start + number].clone_from(line);
        }
    }
    lines.join("\n")
}

/// The script with what a reader would put in: each of these once, and nothing left to put in.
fn filled_in(mut script: String, values: &[(&str, &str)]) -> String {
    let mut places = Vec::new();
    for (placeholder, value) in values {
        let found: Vec<usize> = script
            .match_indices(placeholder)
            .map(|(at, _)| at)
            .collect();
        assert_eq!(found.len(), 1, "{placeholder}");
        places.push((found[0], placeholder.len(), value));
    }
    places.sort();
    // From the end on, so that what stands before keeps its place; and a key that reads like a placeholder is none.
    for (at, length, value) in places.into_iter().rev() {
        script.replace_range(at..at + length, value);
    }
    assert!(!script.contains('…'), "a placeholder that nobody fills in");
    script
}

/// How a script of bash ended, and what it printed.
fn run(folder: &Path, name: &str, script: &str, mark: &str) -> (ExitStatus, String, String) {
    let place = |name: &str| folder.join(name);
    fs::write(place(name), script).unwrap();
    let mut bash = Command::new("bash")
        .args(["-euo", "pipefail", name])
        .current_dir(folder)
        .env(VARIABLE, mark)
        // A proxy between a developer and the world is none between curl and the service.
        .env("no_proxy", "*")
        .stdin(Stdio::null())
        .stdout(File::create(place("stdout")).unwrap())
        .stderr(File::create(place("stderr")).unwrap())
        .spawn()
        .expect("bash can be run");
    let deadline = Instant::now() + DEADLINE;
    let status = loop {
        if let Some(status) = bash.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > deadline {
            bash.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(50));
    };
    let printed = |name: &str| fs::read_to_string(place(name)).unwrap();
    (status, printed("stdout"), printed("stderr"))
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn what_the_pages_show_works_as_it_stands_there(
    #[values(README, HANDBOOK, TUTORIAL)] page: &str,
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let receiver = Receiver::answering([]).await;
    let launch = Launch::new().env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8");
    let service = Service::start(place(launch, database));
    let url = service.process.url();
    let mut values = vec![
        ("http://127.0.0.1:8080", url.as_str()),
        ("lyc_k…", service.key.as_str()),
    ];
    let listens = page == HANDBOOK;
    if listens {
        values.push(("https://hooks.example.org/lyceum", &receiver.url));
    }
    // The tutorial starts a receiver of its own; other tests may have its port.
    let port = free_address().port().to_string();
    if page == TUTORIAL {
        values.push(("8787", port.as_str()));
    }
    let script = filled_in(script(page), &values);
    let folder = TempDir::new().unwrap();
    let name = page.rsplit('/').next().unwrap();
    let (status, stdout, stderr) = run(folder.path(), name, &script, service.traces.mark());
    assert!(status.success(), "{page} {status}\n{stdout}\n{stderr}");
    assert_eq!(stderr, "", "{stdout}");
    // jq prints this for a member that is not there.
    assert!(!stdout.lines().any(|line| line == "null"), "{stdout}");
    assert!(!stdout.is_empty());
    let heard = receiver.messages();
    assert_eq!(!heard.is_empty(), listens, "{heard:?}");
}

#[test]
fn every_block_runs_or_says_why_not() {
    let mut run = Vec::new();
    let mut not_run = Vec::new();
    for page in pages() {
        let text = read(&page);
        for block in blocks(&text) {
            let asks = block.lines.iter().any(|line| line.contains("curl "));
            let line = block.start;
            match &block.not_run {
                Some(reason) => not_run.push((page.clone(), reason.clone())),
                None if block.is_shell() => run.push(page.clone()),
                None => assert!(!asks, "{page}:{line} has curl in a block that is not `sh`"),
            }
        }
    }
    run.dedup();
    assert_eq!(run, PAGES);
    let known = NOT_RUN.map(|(page, reason)| (page.to_owned(), reason.to_owned()));
    assert_eq!(not_run, known);
}

#[test]
fn an_error_that_is_not_meant_stops_every_block() {
    for page in PAGES {
        for block in blocks(&read(page)).iter().filter(|block| block.runs()) {
            for command in block.commands() {
                let comment = command.trim_start().starts_with('#');
                // Or the error is what the block wants to show.
                let stops =
                    command.contains("--fail-with-body") || command.contains("jq -e .error");
                assert!(
                    comment || !command.contains("curl ") || stops,
                    "{page}: {command}"
                );
            }
        }
    }
}

#[test]
fn a_block_is_left_out_only_where_the_page_says_so() {
    let page = "```\nmake\n```\n\n<!-- not run: needs a network -->\n\n```sh\ncurl a\n```\ntext\n```sh\ncurl \\\n b\n```\n";
    let found = blocks(page);
    let runs: Vec<bool> = found.iter().map(Block::runs).collect();
    assert_eq!(runs, [false, false, true]);
    assert_eq!(found[1].not_run.as_deref(), Some("needs a network"));
    assert_eq!((found[2].start, found[2].commands().len()), (11, 1));
}
