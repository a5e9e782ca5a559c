//! The bench runs to its end, whatever the figures are.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::process::Command;

#[test]
fn every_group_is_measured() {
    let mut bench = Command::new(env!("CARGO_BIN_EXE_lyceum-bench"));
    bench.arg("--smoke");
    if let Some(server) = std::env::var_os("LYCEUM_TEST_BINARY") {
        bench.arg("--server").arg(server);
    }
    let output = bench.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output:?}");
    for group in ["GET /v1/courses/{id}", "POST /v1/courses", "1 k rows"] {
        assert!(said.contains(group), "{group} is not in {said}");
    }
}
