//! `lyceum demo`: the whole story in one command.

use std::fs;

use rstest::rstest;
use support::binary::Launch;
use support::stores::Database;
use tempfile::TempDir;

use crate::service::place;
use crate::traces::{NoTraces, VARIABLE};

const FILES: [&str; 5] = [
    "cohort-scorm12.zip",
    "cohort-scorm2004.zip",
    "course.md",
    "grades.csv",
    "report.html",
];

#[rstest]
fn the_demo_ends_well_and_leaves_its_results_and_nothing_else(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let traces = NoTraces::expected();
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("results");
    let launch = Launch::new().env(VARIABLE, traces.mark());
    let process = place(launch, database).prepare();
    let ended = process.run(&["demo", "--output", output.to_str().unwrap()]);
    let told = String::from_utf8_lossy(&ended.stdout);
    let complaint = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{told}{complaint}");
    let mut left: Vec<String> = fs::read_dir(&output)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, FILES, "{told}");
    for file in FILES {
        let size = fs::metadata(output.join(file)).unwrap().len();
        assert!(size > 1000, "{file} has {size} bytes");
        assert!(told.contains(file), "{file} is not named: {told}");
    }
    // Of all answers that may go out there is none on which people and grader disagree, so the lot decides nothing.
    assert!(told.contains("certified: at most 20 of 100"), "{told}");
    assert!(
        !process.data_dir().exists(),
        "the demo touched the service's own data"
    );
}
