//! What the demo says while it runs: a line for each step, bars while something takes its time.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::{Value, json};

use super::input::Input;
use lyceum_service::{ProviderSettings, Settings};
use lyceum_terminal::progress::Progress;
use lyceum_terminal::{say, say_beside};

/// What a step has to show for itself.
pub struct Done<T> {
    /// What later steps need.
    pub value: T,
    /// What was made, or `""`.
    pub id: String,
    /// In a few words.
    pub result: String,
}

impl<T> Done<T> {
    /// Of a thing with an id.
    pub fn new(value: T, id: impl Into<String>, result: impl Into<String>) -> Self {
        Self {
            value,
            id: id.into(),
            result: result.into(),
        }
    }
}

/// Tells how it goes: people by lines, programs at the end by one document.
pub struct Teller {
    /// Whether somebody is watching, and not a file or a pipe.
    watched: bool,
    /// The steps that are done, for the document.
    steps: Option<Mutex<Vec<Value>>>,
}

impl Teller {
    /// With `as_json` the output is the document's alone, and people are told beside it.
    pub fn new(as_json: bool) -> Self {
        let is_terminal = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
        Self {
            watched: is_terminal,
            steps: as_json.then(Mutex::default),
        }
    }

    fn say(&self, line: &str) {
        if self.steps.is_some() {
            say_beside!("{line}");
        } else {
            say!("{line}");
        }
    }

    /// What is about to happen.
    pub fn begin(&self, input: &Input, settings: &Settings) {
        let engine = match &settings.ai {
            ProviderSettings::Builtin => {
                "the built-in engine (it matches words; no language model)"
            }
            ProviderSettings::Server(server) => &server.model,
        };
        let title = self.styled("1", &format!("Lyceum demo: {}", input.course.name));
        let answers = input.answers.len();
        self.say(&format!("{title} ({answers} answers)\nAI is {engine}.\n"));
    }

    /// In bold or in a colour, where that is not written to a file.
    fn styled(&self, code: &str, text: &str) -> String {
        if self.watched {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// Does a step and says how it went.
    pub async fn step<T>(
        &self,
        name: &str,
        doing: impl Future<Output = anyhow::Result<Done<T>>>,
    ) -> anyhow::Result<T> {
        let begun = Instant::now();
        match Box::pin(doing).await {
            Ok(Done { value, id, result }) => {
                let tick = self.styled("32", "✔");
                let took = took(begun.elapsed());
                self.say(&format!("{tick} {name:<17} {id:<30} {result}{took}"));
                self.keep(name, &id, &result);
                Ok(value)
            }
            Err(error) => {
                self.say(&format!("{} {name}", self.styled("31", "✘")));
                Err(error).with_context(|| format!("step \"{name}\""))
            }
        }
    }

    fn keep(&self, name: &str, id: &str, result: &str) {
        if let Some(steps) = &self.steps {
            let step = json!({"step": name, "id": id, "result": result});
            steps
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(step);
        }
    }

    /// A bar for something that comes in pieces; none where nobody is watching.
    pub fn bar(&self, what: &'static str, pieces: usize) -> Progress {
        if self.watched {
            Progress::of(u64::try_from(pieces).unwrap_or(u64::MAX), what)
        } else {
            Progress::hidden()
        }
    }

    /// Where the results are.
    pub fn end(&self, output: &Path, files: &[(&str, &str)], took: Duration) {
        let said = format!(
            "Everything did what it should, in {:.1} s.",
            took.as_secs_f64()
        );
        if let Some(steps) = &self.steps {
            say!("{}", document(steps, output, files, took));
            return;
        }
        say!("\n{} Results:", self.styled("1", &said));
        for (file, what) in files {
            say!("  {:<40} {what}", output.join(file).display());
        }
    }
}

fn document(
    steps: &Mutex<Vec<Value>>,
    output: &Path,
    files: &[(&str, &str)],
    took: Duration,
) -> Value {
    let files = files.iter();
    let files = files.map(|(file, what)| json!({"path": output.join(file), "what": what}));
    json!({
        "seconds": took.as_secs_f64(),
        "steps": *steps.lock().unwrap_or_else(PoisonError::into_inner),
        "files": files.collect::<Vec<_>>(),
    })
}

/// Said only where somebody might have wondered.
fn took(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        return String::new();
    }
    format!(" ({:.1} s)", time.as_secs_f64())
}
