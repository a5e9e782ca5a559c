//! A package where people put it: in a frame, in a sandboxed frame, on disk; under its own policy alone.

use lyceum_ports::exporting::scorm::ScormEdition;
use serde_json::Value;
use tempfile::TempDir;

use crate::node::{self, Programs};
use crate::sample_course::{course, package};
use crate::traces::NoTraces;

#[test]
fn a_package_plays_in_a_frame_in_a_sandbox_and_from_disk() {
    let traces = NoTraces::expected();
    let folder = TempDir::new().unwrap();
    let snapshot = course(ScormEdition::V2004, "Sky", folder.path());
    let archive = package(&snapshot, folder.path(), "course.zip");
    let programs = Programs::of("scorm_player");
    let played = node::output(programs.command("places.mjs", &traces).arg(archive));
    let complaint = String::from_utf8_lossy(&played.stderr);
    let lines = String::from_utf8(played.stdout).unwrap();
    let places: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let names: Vec<_> = places.iter().map(|place| &place["place"]).collect();
    assert_eq!(names, ["frame", "sandboxed frame", "file"], "{complaint}");
    for place in &places {
        assert_eq!(place["fault"], Value::Null, "{place:#}");
        // The picture and the recording.
        assert_eq!(place["media"], 2, "{place:#}");
    }
    assert!(played.status.success(), "{complaint}");
}
