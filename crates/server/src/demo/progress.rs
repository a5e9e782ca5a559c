//! What the demo says while it runs: a line for each step, bars while something takes its time.
#![allow(clippy::print_stdout, reason = "the demo talks to whoever started it")]

use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::input::Input;
use crate::settings::{AiChoice, Settings};

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

/// Tells how it goes.
pub struct Teller {
    /// Whether somebody is watching, and not a file or a pipe.
    watched: bool,
}

impl Teller {
    pub fn new() -> Self {
        Self {
            watched: std::io::stdout().is_terminal() && std::io::stderr().is_terminal(),
        }
    }

    /// What is about to happen.
    pub fn begin(&self, input: &Input, settings: &Settings) {
        let engine = match settings.ai.choice {
            AiChoice::Builtin => "the built-in engine (it matches words; no language model)",
            AiChoice::Openai | AiChoice::Anthropic => {
                settings.ai.model.as_deref().unwrap_or("an AI provider")
            }
        };
        let title = self.styled("1", &format!("Lyceum demo: {}", input.course.name));
        println!(
            "{title} ({} answers)\nAI is {engine}.\n",
            input.answers.len()
        );
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
                println!(
                    "{tick} {name:<17} {id:<30} {result}{}",
                    took(begun.elapsed())
                );
                Ok(value)
            }
            Err(error) => {
                println!("{} {name}", self.styled("31", "✘"));
                Err(error).with_context(|| format!("step \"{name}\""))
            }
        }
    }

    /// A bar for something that comes in pieces; none where nobody is watching.
    pub fn bar(&self, what: &str, pieces: usize) -> Bar {
        let pieces = u64::try_from(pieces).unwrap_or(u64::MAX);
        let target = if self.watched {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(pieces), target);
        // A template of ours that would not parse leaves the plain bar: no reason to fail.
        if let Ok(style) = ProgressStyle::with_template("  {msg:<15} {bar:32.cyan} {pos}/{len}") {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
        Bar(bar)
    }

    /// Where the results are.
    pub fn end(&self, output: &Path, took: Duration) {
        let said = format!(
            "Everything did what it should, in {:.1} s.",
            took.as_secs_f64()
        );
        println!("\n{} Results:", self.styled("1", &said));
        for (file, what) in super::outcome::FILES {
            println!("  {:<40} {what}", output.join(file).display());
        }
    }
}

/// A bar that takes itself away, also when its step fails: what follows starts on a clean line.
pub struct Bar(ProgressBar);

impl Bar {
    /// One piece is done.
    pub fn tick(&self) {
        self.0.inc(1);
    }

    /// So many pieces are done.
    pub fn at(&self, pieces: u64) {
        self.0.set_position(pieces);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Said only where somebody might have wondered.
fn took(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        return String::new();
    }
    format!(" ({:.1} s)", time.as_secs_f64())
}
