//! What a test came to, in one line of JSON; and how long a test may be.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::time::Instant;

use serde_json::{Value, json};
use support::stores::Database;

/// What every line tells, also when it is nothing.
const ALWAYS: [&str; 8] = [
    "rounds",
    "acked",
    "unknown",
    "jobs",
    "events",
    "deliveries",
    "lost",
    "doubled",
];

/// Whether this is one of the long runs of `make test-faults`.
pub fn is_long() -> bool {
    std::env::var("FAULT_LENGTH").is_ok_and(|length| length == "long")
}

/// `short` for `make test`, `long` for `make test-faults`.
pub fn by_length<T>(short: T, long: T) -> T {
    if is_long() { long } else { short }
}

/// The figures of one test; told when dropped, however it ended.
pub struct Figures {
    test: String,
    database: Option<Database>,
    seed: u64,
    counts: BTreeMap<String, u64>,
    start: Instant,
    skipped: Option<String>,
}

impl Figures {
    pub fn of(test: &str, database: Option<Database>, seed: u64) -> Self {
        let counts = ALWAYS.into_iter().map(|name| (name.to_owned(), 0));
        Self {
            test: test.to_owned(),
            database,
            seed,
            counts: counts.collect(),
            start: Instant::now(),
            skipped: None,
        }
    }

    /// A test that cannot be run here says so, aloud.
    pub fn skip(test: &str, database: Option<Database>, reason: &str) {
        Self::of(test, database, 0).skipped = Some(reason.to_owned());
    }

    pub fn add(&mut self, name: &str, count: usize) {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        *self.counts.entry(name.to_owned()).or_default() += count;
    }

    pub fn one_more(&mut self, name: &str) {
        self.add(name, 1);
    }

    fn line(&self) -> Value {
        let outcome = match &self.skipped {
            Some(reason) => format!("skipped: {reason}"),
            None if std::thread::panicking() => "failed".to_owned(),
            None => "passed".to_owned(),
        };
        let mut line = json!({
            "test": self.test,
            "database": self.database.map(|database| format!("{database:?}").to_lowercase()),
            "outcome": outcome,
            // In quotes: not every reader of JSON has room for it.
            "seed": self.seed.to_string(),
            "seconds": self.start.elapsed().as_secs(),
        });
        for (name, count) in &self.counts {
            line[name] = json!(count);
        }
        line
    }
}

impl Drop for Figures {
    fn drop(&mut self) {
        let line = self.line().to_string();
        eprintln!("{line}");
        if let Some(path) = std::env::var_os("FAULT_FIGURES") {
            let file = File::options().create(true).append(true).open(path);
            // One write per line, so that lines of other tests stay whole.
            let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
            if let Err(error) = written {
                eprintln!("FAULT_FIGURES could not be written: {error}");
            }
        }
    }
}
