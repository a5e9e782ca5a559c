//! What the writers know: acknowledged, failed, or unknown, as in the histories that Jepsen checks.
//!
//! Noted as it happens, in a file too, so that a failure can be read afterwards.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::api::{Outcome, Reply, Write};

/// How many answers are kept word for word, to be asked for again.
const REMEMBERED: usize = 300;
/// How much of the file a failed test shows.
const SHOWN: usize = 40;

/// What is known of a course.
#[derive(Debug, Clone, Default)]
pub struct Course {
    pub id: String,
    /// The newest version whose change was acknowledged.
    pub acked: u64,
    /// The newest version that was sent.
    pub sent: u64,
    pub deletion_sent: bool,
    pub deleted: bool,
}

/// What came of requests so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// Writes that were answered with 2xx.
    pub acked: usize,
    /// Requests that certainly changed nothing: refused, or taken by nobody.
    pub failed: usize,
    /// Requests without an answer, and those answered with 503.
    pub unknown: usize,
    /// Writes whose answer was remembered from a request that had got none.
    pub resolved: usize,
    /// Answers that broke off.
    pub torn: usize,
    /// Answers that no fault excuses.
    pub wrong: usize,
}

/// What is known of everything.
#[derive(Debug, Default)]
pub struct Known {
    pub counts: Counts,
    /// Courses by their names.
    pub courses: BTreeMap<String, Course>,
    /// Texts that were handed in, by the submission's id; and whether their grading was accepted.
    pub submissions: BTreeMap<String, (String, bool)>,
    /// Writes and the answers they got.
    pub answers: Vec<(Write, Reply)>,
    /// Answers that no fault excuses.
    pub wrong: Vec<String>,
}

/// A journal that many write in.
pub struct Journal {
    known: Mutex<Known>,
    file: Mutex<File>,
    path: PathBuf,
}

impl Journal {
    pub fn in_folder(folder: &Path) -> Self {
        let path = folder.join("journal");
        Self {
            known: Mutex::default(),
            file: Mutex::new(File::create(&path).unwrap()),
            path,
        }
    }

    pub fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn note(&self, line: &str) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Notes what came of sending a write once.
    pub fn outcome(&self, write: &Write, outcome: &Outcome, had_been_unknown: bool) {
        let (method, path, key) = (&write.method, &write.path, &write.key);
        let mut known = self.known();
        let counts = &mut known.counts;
        let word = match outcome {
            Outcome::Answered(reply) if reply.is_success() => {
                counts.acked += 1;
                counts.resolved += usize::from(had_been_unknown && reply.replayed);
                format!("acked {} {}", reply.status, reply.id())
            }
            // Whether the commit happened may be unknown to the service, too.
            Outcome::Answered(reply) if [429, 503].contains(&reply.status) => {
                counts.unknown += 1;
                if !reply.retry_after {
                    let said = format!("{} without Retry-After: {}", reply.status, reply.text);
                    known.wrong.push(said);
                }
                format!("unknown {}", reply.text)
            }
            Outcome::Answered(reply) => {
                counts.failed += 1;
                counts.wrong += 1;
                let said = format!("{method} {path} {key}: {} {}", reply.status, reply.text);
                known.wrong.push(said);
                format!("failed {} {}", reply.status, reply.text)
            }
            Outcome::Torn(error) => {
                counts.torn += 1;
                counts.unknown += 1;
                format!("unknown {error}")
            }
            Outcome::Unsent => {
                counts.failed += 1;
                "failed: nobody there".to_owned()
            }
            Outcome::Unknown(error) => {
                counts.unknown += 1;
                format!("unknown {error}")
            }
        };
        if let Outcome::Answered(reply) = outcome
            && reply.is_success()
            && (known.answers.len() < REMEMBERED || had_been_unknown)
        {
            known.answers.push((write.clone(), reply.clone()));
        }
        drop(known);
        self.note(&format!("{key} {method} {path} {word}"));
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let text = std::fs::read_to_string(&self.path).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let shown = lines[lines.len().saturating_sub(SHOWN)..].join("\n");
            eprintln!("the journal ends with\n{shown}");
        }
    }
}
